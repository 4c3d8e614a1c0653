"""What a worker does when it is told to look, and what it never says."""

import dataclasses
import logging
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import OperationalError, connection, models
from django.utils import timezone
from pytest_django import Settings

from evaluation import SUITES, artifacts
from evaluation.judges import JudgeUnavailable
from evaluation.problems import InvalidUpload, Problem
from evaluation.suite import AnySuite, Resources
from evaluation.tables import InstanceTable
from leaderboard import boards, dispatch, evaluations
from leaderboard.models import (
    BoardEntry,
    Evaluation,
    Phase,
    QuotaCounter,
    Score,
    Shard,
    Submission,
    TestSetVersion,
)
from leaderboard.models.leases import clock
from tests import factories
from tests.workers import small
from workers import resources, tasks
from workers.app import CHECK, CHECK_TEST_SET, JUDGE, SCORE

pytestmark = pytest.mark.django_db
SECRET = "the hidden annotation is forty-two"


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """What the sweep reminds of."""
    reminders: list[tuple[str, int]] = []
    monkeypatch.setattr(dispatch, "remind", lambda *what: reminders.append(what))
    return reminders


@pytest.fixture
def suite(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Replace functions of the suite, as a bug in it would."""

    def replace(**functions: object) -> None:
        changed: AnySuite = dataclasses.replace(SUITES["svcbench"], **functions)
        monkeypatch.setitem(SUITES, "svcbench", changed)

    return replace


def leak(*args: object) -> None:
    raise ValueError(SECRET)


def everything_written() -> str:
    """All text in all tables."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name FROM information_schema.tables "
            "WHERE table_schema = 'public'"
        )
        names = [name for (name,) in cursor.fetchall()]
        rows: list[str] = []
        for name in names:
            cursor.execute(f'SELECT t::text FROM "{name}" t')  # noqa: S608
            rows += [row for (row,) in cursor.fetchall()]
    return "\n".join(rows)


# --- the whole way ------------------------------------------------------------------


def test_a_file_goes_all_the_way_to_the_board() -> None:
    phase = small.open_phase()
    submission = small.submit(phase, small.predictions(wrong=3))

    tasks.check()
    tasks.score()

    evaluation = submission.evaluations.get()
    assert evaluation.status == Evaluation.Status.SCORED, evaluation.trace
    (row,) = boards.board(phase, clock()).measured
    assert (row.rank, row.method) == (1, "Spoons")
    assert row.numbers["gpa"].value == pytest.approx(50.0)
    assert row.numbers["moc"].value == 100.0


def test_a_test_set_is_compiled_with_its_baselines() -> None:
    version = small.open_phase().test_sets.get()
    assert (version.instance_count, version.findings) == (small.QUESTIONS, [])
    keys = [baseline.key for baseline in SUITES["svcbench"].baselines]
    assert list(version.baselines.order_by("pk").values_list("key", flat=True)) == keys


def test_many_shards_give_the_numbers_of_one(settings: Settings) -> None:
    settings.SHARD_SECONDS = 1e-9
    phase = small.open_phase()
    one_each = small.accepted(phase, small.predictions(wrong=2))
    assert Shard.objects.count() == small.QUESTIONS
    settings.SHARD_SECONDS = 20
    whole = small.accepted(phase, small.predictions(wrong=2))
    assert Shard.objects.count() == small.QUESTIONS + 1

    for _ in range(small.QUESTIONS + 1):
        tasks.score()

    first, second = (one.evaluations.get().board_entry for one in (one_each, whole))
    assert (first.scores, first.errors) == (second.scores, second.errors)


@pytest.mark.parametrize("task", [CHECK, CHECK_TEST_SET, SCORE, JUDGE])
def test_nothing_to_do_is_no_error(task: str) -> None:
    tasks.app.tasks[task]()
    assert not everything_written().count("running")


def test_a_task_called_twice_works_once() -> None:
    phase = small.open_phase()
    before = TestSetVersion.objects.values().get()
    tasks.check_test_set()
    assert TestSetVersion.objects.values().get() == before

    submission = small.submit(phase)
    tasks.check()
    before = Submission.objects.values().get()
    tasks.check()
    assert Submission.objects.values().get() == before
    assert submission.quota_entries.count() == 2

    tasks.score()
    before = (Evaluation.objects.values().get(), list(Score.objects.values()))
    tasks.score()
    assert (Evaluation.objects.values().get(), list(Score.objects.values())) == before
    assert BoardEntry.objects.count() == 1


def test_a_malformed_file_is_rejected_with_its_lines() -> None:
    phase = small.open_phase()
    submission = small.submit(
        phase, b'{"q_id": "0000", "prediction": 1}\n{"q_id": 7}\n'
    )
    tasks.check()
    submission.refresh_from_db()
    assert submission.status == Submission.Status.REJECTED
    assert submission.problem_count == 1
    assert submission.problems[0]["line"] == 2
    assert list(QuotaCounter.objects.values_list("used", flat=True)) == [0, 0]


def test_faulty_annotations_are_reported_to_their_owner() -> None:
    phase = factories.make_phase()
    version = small.upload_test_set(phase, b'{"q_id": "0000"}\n')
    tasks.check_test_set()
    version.refresh_from_db()
    assert version.status == TestSetVersion.Status.FAULTY
    assert version.problems[0]["line"] == 1


def test_a_selection_cuts_the_test_set() -> None:
    phase = small.open_phase(selection=["0001", "0004"])
    assert phase.test_sets.get().instance_count == 2


# --- what goes wrong -------------------------------------------------------------------


def test_a_file_that_misfits_a_new_test_set_fails_with_a_readable_cause() -> None:
    phase = small.open_phase()
    submission = small.accepted(phase)
    tasks.score()
    shorter = small.upload_test_set(phase, small.annotations(questions=2))
    tasks.check_test_set()
    tasks.score()

    evaluation = submission.evaluations.get(test_set=shorter)
    assert evaluation.status == Evaluation.Status.FAILED
    assert evaluation.cause.startswith(
        "the file does not fit this version of the test set: 16 problems; first: "
    )
    assert "line 9" in evaluation.cause
    assert submission.evaluations.filter(status="scored").count() == 1


def test_scoring_that_always_breaks_ends_after_three_attempts(
    suite: Callable[..., None], settings: Settings
) -> None:
    settings.RETRY_SECONDS = 0
    submission = small.accepted(small.open_phase())
    suite(score=leak)
    for _ in range(3):
        assert Evaluation.objects.get().status != Evaluation.Status.FAILED
        tasks.score()

    evaluation = submission.evaluations.get()
    assert evaluation.status == Evaluation.Status.FAILED
    assert evaluation.cause == (
        "scoring failed for a reason of ours (ValueError); we tried 3 times"
    )
    assert "test_tasks.py:" in evaluation.trace
    assert list(QuotaCounter.objects.values_list("used", flat=True)) == [0, 0]
    tasks.score()  # nothing is left to do


def test_one_bad_attempt_is_forgotten_by_a_good_one(
    suite: Callable[..., None], settings: Settings
) -> None:
    settings.RETRY_SECONDS = 0
    submission = small.accepted(small.open_phase())
    sound = SUITES["svcbench"].score
    suite(score=leak)
    tasks.score()
    suite(score=sound)
    tasks.score()
    assert submission.evaluations.get().status == Evaluation.Status.SCORED


def test_an_error_while_publishing_is_an_attempt(
    monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    settings.RETRY_SECONDS = 0
    submission = small.accepted(small.open_phase())
    with monkeypatch.context() as patched:
        patched.setattr("leaderboard.publishing.summarise", leak)
        tasks.score()
    shard = Shard.objects.get()
    assert (shard.status, shard.failures, shard.rows) == ("queued", 1, None)
    assert not Score.objects.exists()
    tasks.score()
    assert submission.evaluations.get().status == Evaluation.Status.SCORED


@pytest.mark.parametrize("verb", ["accept", "reject"])
def test_an_error_while_recording_a_verdict_is_an_attempt(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, verb: str
) -> None:
    settings.RETRY_SECONDS = 0
    submission = small.submit(
        small.open_phase(), small.predictions() if verb == "accept" else b"{"
    )
    with monkeypatch.context() as patched:
        patched.setattr(f"leaderboard.submissions.{verb}", leak)
        tasks.check()
    submission.refresh_from_db()
    assert (submission.status, submission.failures) == ("received", 1)
    tasks.check()
    submission.refresh_from_db()
    assert submission.status == f"{verb}ed"


def test_what_a_killed_worker_held_is_swept_and_done_by_another(
    sent: list[tuple[str, int]], settings: Settings
) -> None:
    """A worker that was killed between claiming and working comes back by the sweep."""
    settings.RETRY_SECONDS = 0
    submission = small.submit(small.open_phase())
    killed: list[tuple[type[models.Model], Callable[[], None]]] = [
        (Submission, tasks.check),
        (Shard, tasks.score),
    ]
    for model, work in killed:
        noun = tasks.submissions if model is Submission else evaluations
        assert noun.claim(clock(), "killed") is not None
        work()
        assert model.objects.get().status == model.HELD
        tasks.sweep()
        assert model.objects.get().failures == 0
        model.objects.update(lease_expires_at=timezone.now())
        tasks.sweep()
        assert model.objects.get().failures == 1
        work()
    assert submission.evaluations.get().status == Evaluation.Status.SCORED


def test_the_sweep_reminds_of_what_waits_and_only_of_that(
    sent: list[tuple[str, int]],
) -> None:
    phase = small.open_phase()
    small.accepted(phase)
    tasks.score()
    small.accepted(phase)
    small.submit(phase)
    factories.make_evaluation(factories.make_accepted(phase), shards=3)
    Evaluation.objects.filter(shards__number=2).update(status="failed", cause="x")
    sent.clear()

    tasks.sweep()

    assert sent == [(CHECK_TEST_SET, 0), (CHECK, 1), (SCORE, 1), (JUDGE, 0)]


def test_whoever_found_something_looks_again(
    sent: list[tuple[str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The chain that makes one hint enough for a queue of any length."""
    passed: list[str] = []
    monkeypatch.setattr(dispatch, "check_later", lambda: passed.append(CHECK))
    monkeypatch.setattr(dispatch, "score_later", lambda n, **_: passed.append(SCORE))
    small.submit(small.open_phase())
    passed.clear()
    tasks.check()
    assert passed == [SCORE, CHECK]  # of accept, then its own
    passed.clear()
    tasks.check()
    assert passed == []
    tasks.score()
    assert passed == [SCORE]
    tasks.score()
    assert passed == [SCORE]


# --- judges ---------------------------------------------------------------------------


def judged(submission: Submission) -> Evaluation:
    """The same submission, to be scored with a judge."""
    evaluation = submission.evaluations.get()
    Evaluation.objects.filter(pk=evaluation.pk).update(judge="lexical/1")
    return evaluation


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A stand-in for every judge; the ids that were asked for."""
    asked: list[str] = []

    def make(judge_id: str) -> str:
        asked.append(judge_id)
        return f"judge {judge_id}"

    monkeypatch.setattr(resources, "_judge", make)
    return asked


def test_shards_that_ask_a_judge_have_workers_of_their_own(judge: list[str]) -> None:
    evaluation = judged(small.accepted(small.open_phase()))
    tasks.score()
    evaluation.refresh_from_db()
    assert evaluation.status == Evaluation.Status.QUEUED
    tasks.judge()
    evaluation.refresh_from_db()
    assert evaluation.status == Evaluation.Status.SCORED
    assert judge == ["lexical/1"]


def test_an_evaluation_is_scored_as_it_was_planned_whatever_its_phase_says_by_now(
    suite: Callable[..., None], judge: list[str]
) -> None:
    """Its numbers are filed under its own protocol and judge."""
    used: list[Resources] = []
    sound = SUITES["svcbench"].score

    def score(*args: object) -> InstanceTable:
        used.append(args[-1])
        return sound(*args)

    phase = small.open_phase()
    judged(small.accepted(phase))
    suite(score=score)
    Phase.objects.filter(pk=phase.pk).update(protocol="svcbench/2")
    tasks.judge()
    assert [(one.protocol, one.judge) for one in used] == [
        ("svcbench/1", "judge lexical/1")
    ]


def test_a_judge_that_does_not_answer_costs_no_attempt(
    suite: Callable[..., None], settings: Settings, judge: list[str]
) -> None:
    def away(*args: object) -> None:
        raise JudgeUnavailable("the judge failed 10 times in a row")

    settings.JUDGE_PAUSE_SECONDS = 30
    judged(small.accepted(small.open_phase()))
    sound = SUITES["svcbench"].score
    suite(score=away)
    for _ in range(4):
        tasks.judge()
        shard = Shard.objects.get()
        assert (shard.status, shard.failures) == ("queued", 0)
        assert shard.last_error == "judge: the judge failed 10 times in a row"
        assert shard.runnable_at > clock() + timedelta(seconds=25)
        Shard.objects.update(runnable_at=timezone.now())
    suite(score=sound)
    tasks.judge()
    assert Evaluation.objects.get().status == Evaluation.Status.SCORED


def test_a_test_set_waits_for_its_judge_too(suite: Callable[..., None]) -> None:
    def away(*args: object) -> None:
        raise JudgeUnavailable("the judge failed 10 times in a row")

    version = small.upload_test_set(factories.make_phase())
    suite(score=away)
    for _ in range(4):
        tasks.check_test_set()
        TestSetVersion.objects.update(runnable_at=timezone.now())
    version.refresh_from_db()
    assert (version.status, version.failures) == (TestSetVersion.Status.DRAFT, 0)
    assert version.attempt == 4


# --- what never gets out ----------------------------------------------------------------


def logged(caplog: pytest.LogCaptureFixture) -> str:
    """All that a handler would print, tracebacks of errors included."""
    formatter = logging.Formatter()
    return "\n".join(formatter.format(record) for record in caplog.records)


@pytest.mark.parametrize("function", ["score", "read_predictions"])
def test_an_error_s_message_reaches_no_log_and_no_row(
    suite: Callable[..., None],
    settings: Settings,
    caplog: pytest.LogCaptureFixture,
    function: str,
) -> None:
    settings.RETRY_SECONDS = 0
    phase = small.open_phase()
    small.submit(phase)
    suite(**{function: leak})
    for _ in range(3):
        tasks.check()
        tasks.score()

    assert "failed: ValueError at " in logged(caplog)
    assert SECRET not in logged(caplog)
    assert "forty-two" not in everything_written()


@pytest.mark.parametrize("function", ["read_annotations", "lint", "compile"])
def test_an_error_in_a_test_set_reaches_no_log_and_no_row(
    suite: Callable[..., None],
    settings: Settings,
    caplog: pytest.LogCaptureFixture,
    function: str,
) -> None:
    settings.RETRY_SECONDS = 0
    version = small.upload_test_set(factories.make_phase())
    suite(**{function: leak})
    for _ in range(3):
        tasks.check_test_set()

    version.refresh_from_db()
    assert version.status == TestSetVersion.Status.FAULTY
    assert "ValueError" in logged(caplog)
    assert SECRET not in logged(caplog)
    assert "forty-two" not in everything_written()


@pytest.mark.parametrize("task", ["check", "check_test_set", "score"])
def test_an_error_that_cannot_be_recorded_does_not_carry_the_message_along(
    suite: Callable[..., None], monkeypatch: pytest.MonkeyPatch, task: str
) -> None:
    """Celery logs what a task raises, with everything in whose handling it arose."""

    def unreachable(*args: object) -> None:
        raise OperationalError("the database is down")

    if task == "check_test_set":
        small.upload_test_set(factories.make_phase())
    elif task == "check":
        small.submit(small.open_phase())
    else:
        small.accepted(small.open_phase())
    suite(score=leak, read_predictions=leak, read_annotations=leak)
    monkeypatch.setattr("workers.holding.PATIENCE_SECONDS", ())
    for verb in ("submissions.give_up_check", "testsets.give_up_check"):
        monkeypatch.setattr(f"leaderboard.{verb}", unreachable)
    monkeypatch.setattr("leaderboard.evaluations.give_up_shard", unreachable)

    with pytest.raises(OperationalError) as raised:
        getattr(tasks, task)()

    chain: list[BaseException] = []
    error: BaseException | None = raised.value
    while error is not None:
        chain.append(error)
        error = error.__cause__ or error.__context__
    assert SECRET not in "".join(map(str, chain))


def test_a_problem_of_the_file_may_be_told(suite: Callable[..., None]) -> None:
    def misfit(*args: object) -> None:
        raise InvalidUpload([Problem(code="x", detail="is too long", line=4)])

    submission = small.accepted(small.open_phase())
    suite(score=misfit)
    tasks.score()
    assert submission.evaluations.get().cause == (
        "the file does not fit this version of the test set: "
        "1 problems; first: line 4: is too long"
    )


def test_the_artifact_is_the_one_that_was_compiled() -> None:
    """What is opened for scoring has the content address that seeds the bootstrap."""
    from leaderboard import files, sealing

    version = small.open_phase().test_sets.get()
    data = sealing.unseal(files.read(version.sealed_artifact))
    assert artifacts.address(data) == version.address
