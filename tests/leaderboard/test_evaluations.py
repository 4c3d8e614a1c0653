"""The queue: planned, claimed, finished, failed, retried; alone and at the same time."""

import threading
from datetime import timedelta

import numpy as np
import pytest
from django.db import transaction
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from evaluation import SUITES, tables
from evaluation.tables import InstanceTable
from leaderboard import evaluations, publishing, quota
from leaderboard.models import (
    AuditEvent,
    BoardEntry,
    Evaluation,
    QuotaCounter,
    Score,
    Shard,
    Submission,
    TestSetVersion,
)
from leaderboard.models.leases import renew, take_over
from tests import factories
from tests.workers.racing import aside, race

pytestmark = pytest.mark.django_db
Status = Evaluation.Status
SUITE = SUITES[factories.SUITE]


def claim(worker: str = "w1", **ahead: float) -> Shard | None:
    return evaluations.claim(timezone.now() + timedelta(**ahead), worker)


def rows(shard: Shard) -> InstanceTable:
    """The shard's own part of one made-up table."""
    whole = factories.make_table(SUITE, size=shard.stop)
    part = slice(shard.start, shard.stop)
    return InstanceTable(
        ids=whole.ids[part],
        clusters=whole.clusters[part],
        tags={key: values[part] for key, values in whole.tags.items()},
        numerators={key: v[part] for key, v in whole.numerators.items()},
        denominators={key: v[part] for key, v in whole.denominators.items()},
        errors={key: v[part] for key, v in whole.errors.items()},
        counters={"questions": 2},
    )


def queued(shards: int = 2) -> Evaluation:
    """An evaluation of a submission that holds a slot."""
    evaluation = factories.make_evaluation(shards=shards)
    quota.reserve(evaluation.submission, timezone.now())
    return evaluation


def used() -> list[int]:
    return list(QuotaCounter.objects.order_by("pk").values_list("used", flat=True))


# --- plan -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("instances", "per_shard"),
    [(1, 1), (10, 3), (10, 5), (10, 100), (1000, 7), (12, 0.5)],
    ids=str,
)
def test_shards_hold_every_instance_exactly_once(
    settings: Settings, instances: int, per_shard: float
) -> None:
    settings.SHARD_SECONDS = per_shard / SUITE.instances_per_second
    test_set = factories.make_test_set(instance_count=instances)
    evaluation = evaluations.plan(factories.make_accepted(test_set.phase), test_set)

    shards = list(evaluation.shards.order_by("number"))
    covered = [i for shard in shards for i in range(shard.start, shard.stop)]
    assert covered == list(range(instances))
    assert [shard.number for shard in shards] == list(range(len(shards)))
    assert max(s.stop - s.start for s in shards) <= max(1, int(per_shard))


def test_planning_again_changes_nothing() -> None:
    submission = factories.make_accepted()
    test_set = submission.phase.test_sets.get()
    first = evaluations.plan(submission, test_set)
    assert evaluations.plan(submission, test_set) == first
    assert Evaluation.objects.count() == Shard.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_planning_at_the_same_time_makes_one_evaluation() -> None:
    submission = factories.make_accepted()
    test_set = submission.phase.test_sets.get()

    results = race(*[lambda: evaluations.plan(submission, test_set)] * 3)

    assert {type(result) for result in results} == {Evaluation}, results
    assert Evaluation.objects.count() == Shard.objects.count() == 1


# --- claim ------------------------------------------------------------------------


def test_a_claim_starts_the_evaluation_and_holds_the_shard() -> None:
    evaluation = queued()
    shard = claim("host/7")

    evaluation.refresh_from_db()
    assert (evaluation.status, shard.number) == (Status.RUNNING, 0)
    assert (shard.status, shard.worker, shard.attempt) == ("running", "host/7", 1)
    assert shard.lease_expires_at > timezone.now()


def test_a_team_with_fewer_running_shards_goes_first_then_age() -> None:
    old, young = queued(shards=4), queued(shards=2)
    order = [claim().evaluation_id for _ in range(6)]
    assert order == [old.pk, young.pk, old.pk, young.pk, old.pk, old.pk]


def test_two_evaluations_of_one_team_go_by_age() -> None:
    old = queued(shards=2)
    young = factories.make_evaluation(
        factories.make_accepted(old.submission.phase, team=old.submission.team)
    )
    order = [claim().evaluation_id for _ in range(3)]
    assert order == [old.pk, old.pk, young.pk]


def test_done_shards_do_not_count_against_a_team() -> None:
    old, young = queued(shards=3), queued(shards=1)
    first = claim()
    evaluations.finish(first, rows(first))
    assert claim().evaluation_id == old.pk
    assert claim().evaluation_id == young.pk


def test_shards_wait_for_their_time() -> None:
    evaluation = queued(shards=1)
    later = timezone.now() + timedelta(minutes=1)
    evaluation.shards.update(runnable_at=later)
    assert claim() is None
    assert claim(minutes=1) is not None


@pytest.mark.django_db(transaction=True)
def test_two_workers_never_claim_the_same_shard() -> None:
    queued(shards=6)
    results = race(*(lambda n=n: claim(f"w{n}") for n in range(8)))
    numbers = [result.number for result in results if result is not None]
    assert sorted(numbers) == list(range(6))


@pytest.mark.django_db(transaction=True)
def test_a_shard_that_is_being_claimed_is_passed_over_without_waiting() -> None:
    queued(shards=3)
    claim()
    with transaction.atomic():
        first = claim()
        second = aside(claim)
    assert (first.number, second.number) == (1, 2)


# --- renew ------------------------------------------------------------------------


def test_a_renewed_lease_does_not_expire() -> None:
    queued()
    shard = claim()
    Shard.objects.filter(pk=shard.pk).update(lease_expires_at=timezone.now())
    assert renew(shard)
    assert evaluations.requeue_expired(timezone.now()) == 0


def test_who_has_lost_the_lease_cannot_renew_it() -> None:
    queued()
    shard = claim()
    assert evaluations.requeue_expired(timezone.now() + timedelta(hours=1)) == 1
    assert not renew(shard)
    assert claim(hours=1).pk == shard.pk
    assert not renew(shard)


def test_a_renewal_between_the_look_and_the_deed_saves_the_worker() -> None:
    queued()
    shard = claim()
    late = timezone.now() + timedelta(hours=1)
    (seen,) = Shard.objects.expired(late)
    Shard.objects.filter(pk=shard.pk).update(lease_expires_at=late)
    assert not take_over(seen, late)
    assert evaluations.finish(shard, rows(shard))


# --- finish -----------------------------------------------------------------------


def test_the_last_shard_publishes() -> None:
    evaluation = queued(shards=3)
    for _ in range(3):
        assert not BoardEntry.objects.exists()
        shard = claim()
        assert evaluations.finish(shard, rows(shard))

    evaluation.refresh_from_db()
    assert evaluation.status == Status.SCORED
    assert evaluation.finished_at is not None
    assert evaluation.counters == {"questions": 6}
    table = tables.unpack(bytes(evaluation.table))
    assert table.ids == factories.make_table(SUITE, size=12).ids
    assert not evaluation.shards.exists()


def test_a_board_row_says_what_the_scores_say() -> None:
    evaluation = queued(shards=3)
    for _ in range(3):
        shard = claim()
        evaluations.finish(shard, rows(shard))

    entry = BoardEntry.objects.get()
    from_scores: dict[str, dict[str, list[object]]] = {}
    for score in Score.objects.all():
        cell = [score.value, score.low, score.high, score.n]
        from_scores.setdefault(score.subset, {})[score.metric] = cell
    assert entry.scores == from_scores
    for metric in SUITE.metrics:
        # Every part draws its own numbers: compare with what was handed in.
        handed = np.concatenate(
            [rows(Shard(start=a, stop=a + 4)).numerators[metric.key] for a in (0, 4, 8)]
        )
        value, low, high, n = entry.scores["overall"][metric.key]
        assert value == pytest.approx(handed.mean(), abs=1e-12)
        assert low <= value <= high
        assert n == 12
    assert (entry.phase, entry.test_set) == (
        evaluation.submission.phase,
        evaluation.test_set,
    )


def test_shards_may_finish_in_any_order() -> None:
    evaluation = queued(shards=3)
    for shard in reversed([claim(), claim(), claim()]):
        evaluations.finish(shard, rows(shard))
    evaluation.refresh_from_db()
    assert tables.unpack(bytes(evaluation.table)).ids == tuple(
        f"{n:04}" for n in range(12)
    )


def test_finishing_twice_counts_once() -> None:
    queued(shards=1)
    shard = claim()
    assert evaluations.finish(shard, rows(shard))
    assert not evaluations.finish(shard, rows(shard))
    assert BoardEntry.objects.count() == 1


@pytest.mark.parametrize("moment", ["requeued", "claimed anew", "done by another"])
def test_a_stale_worker_cannot_finish(moment: str) -> None:
    evaluation = queued(shards=1)
    stale = claim("stale")
    evaluations.requeue_expired(timezone.now() + timedelta(hours=1))
    if moment != "requeued":
        fresh = claim("fresh", hours=2)
        assert fresh.pk == stale.pk
    if moment == "done by another":
        assert evaluations.finish(fresh, rows(fresh))

    wrong = InstanceTable(**{**vars(rows(stale)), "ids": ("x", "x", "x", "x")})
    assert not evaluations.finish(stale, wrong)
    assert not evaluations.fail(stale, "a cause")
    evaluations.give_up_shard(stale, "a cause", "a trace")
    evaluations.park(stale, timezone.now(), "a reason")

    evaluation.refresh_from_db()
    expected = Status.SCORED if moment == "done by another" else Status.RUNNING
    assert evaluation.status == expected
    assert list(Shard.objects.values_list("failures", flat=True)) in ([1], [])
    if moment == "done by another":
        assert tables.unpack(bytes(evaluation.table)).ids[0] == "0000"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("attempt", range(3))
def test_two_last_shards_at_the_same_moment_publish_once(attempt: int) -> None:
    evaluation = queued(shards=2)
    first, second = claim(), claim()

    results = race(
        lambda: evaluations.finish(first, rows(first)),
        lambda: evaluations.finish(second, rows(second)),
    )

    assert results == [True, True]
    evaluation.refresh_from_db()
    assert evaluation.status == Status.SCORED
    assert BoardEntry.objects.count() == 1
    assert len(tables.unpack(bytes(evaluation.table))) == 8


@pytest.mark.django_db(transaction=True)
def test_the_second_of_two_last_shards_waits_for_the_first_one_s_commit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Forced into the order that would lose an evaluation without the lock."""
    evaluation = queued(shards=2)
    first, second = claim(), claim()
    result: list[object] = []
    other = threading.Thread(
        target=lambda: result.append(
            aside(lambda: evaluations.finish(second, rows(second)))
        )
    )
    with transaction.atomic():
        assert evaluations.finish(first, rows(first))
        other.start()
        other.join(0.5)
        assert other.is_alive()  # it must not look before this transaction ends
    other.join()

    assert result == [True]
    evaluation.refresh_from_db()
    assert evaluation.status == Status.SCORED


@pytest.mark.django_db(transaction=True)
def test_two_workers_with_one_shard_finish_it_once() -> None:
    queued(shards=1)
    shard = claim()
    results = race(*[lambda: evaluations.finish(shard, rows(shard))] * 3)
    assert sorted(results) == [False, False, True]
    assert BoardEntry.objects.count() == 1


def test_an_error_in_the_aggregation_leaves_the_shard_to_be_given_up(
    monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    settings.RETRY_SECONDS = 0
    evaluation = queued(shards=2)
    first, second = claim(), claim()
    evaluations.finish(first, rows(first))

    def broken(*args: object) -> None:
        raise ValueError("cannot sum")

    with monkeypatch.context() as patched:
        patched.setattr(publishing, "summarise", broken)
        with pytest.raises(ValueError, match="cannot sum"):
            evaluations.finish(second, rows(second))
    second.refresh_from_db()
    assert (second.status, second.rows) == ("running", None)
    assert not Score.objects.exists()

    evaluations.give_up_shard(second, "aggregation failed", "a trace")
    again = claim(seconds=1)
    assert (again.pk, again.failures, again.last_error) == (second.pk, 1, "a trace")
    assert evaluations.finish(again, rows(again))
    evaluation.refresh_from_db()
    assert evaluation.status == Status.SCORED


def test_scoring_on_a_retired_test_set_is_recorded_and_not_shown() -> None:
    evaluation = queued(shards=1)
    TestSetVersion.objects.update(status=TestSetVersion.Status.RETIRED)
    shard = claim()
    assert evaluations.finish(shard, rows(shard))
    evaluation.refresh_from_db()
    assert evaluation.status == Status.SCORED
    assert evaluation.board_entry.test_set == evaluation.test_set


# --- give up, fail, park, retry ------------------------------------------------------


def test_three_failures_end_the_evaluation_with_a_cause(settings: Settings) -> None:
    settings.RETRY_SECONDS = 0
    evaluation = queued()
    for failures in (1, 2):
        shard = claim()
        evaluations.give_up_shard(shard, "it broke", "File x:1")
        shard.refresh_from_db()
        assert (shard.status, shard.failures) == ("queued", failures)
    evaluations.give_up_shard(claim(), "it broke", "File x:1")

    evaluation.refresh_from_db()
    assert evaluation.status == Status.FAILED
    assert evaluation.cause == "it broke; we tried 3 times"
    assert evaluation.trace == "File x:1"
    assert evaluation.finished_at is not None
    assert used() == [0, 0]
    assert claim(hours=1) is None
    event = AuditEvent.objects.get(action="evaluation-failed")
    assert (event.actor, event.details["cause"]) == ("system", evaluation.cause)


def test_attempts_wait_longer_each_time(settings: Settings) -> None:
    settings.RETRY_SECONDS = 5
    assert [evaluations.backoff(n).total_seconds() for n in range(3)] == [5, 20, 80]
    queued(shards=1)
    evaluations.give_up_shard(claim(), "it broke")
    assert claim(seconds=4) is None
    assert claim(seconds=6) is not None


def test_failing_gives_the_slot_back_once() -> None:
    evaluation = queued(shards=2)
    first, second = claim(), claim()
    assert evaluations.fail(first, "the file does not fit")
    assert evaluations.fail(second, "again")

    evaluation.refresh_from_db()
    assert evaluation.cause == "the file does not fit"
    assert used() == [0, 0]
    assert evaluation.submission.quota_entries.filter(kind="refund").count() == 1
    assert AuditEvent.objects.filter(action="evaluation-failed").count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_shards_that_fail_at_once_give_one_slot_back() -> None:
    queued(shards=2)
    held = [claim(), claim()]
    results = race(*(lambda s=s: evaluations.fail(s, "it broke") for s in held))
    assert results == [True, True]
    assert used() == [0, 0]
    assert Evaluation.objects.get().status == Status.FAILED


def test_parking_costs_no_attempt() -> None:
    queued(shards=1)
    shard = claim()
    until = timezone.now() + timedelta(minutes=1)
    evaluations.park(shard, until, "the judge does not answer")

    assert claim() is None
    again = claim(minutes=2)
    assert (again.pk, again.failures, again.attempt) == (shard.pk, 0, 2)
    assert again.last_error == "the judge does not answer"


def test_a_lost_worker_costs_an_attempt_and_the_third_ends_it(
    settings: Settings,
) -> None:
    settings.RETRY_SECONDS = 0
    evaluation = queued(shards=1)
    for _ in range(3):
        assert claim() is not None
        assert evaluations.requeue_expired(timezone.now()) == 0
        Shard.objects.update(lease_expires_at=timezone.now() - timedelta(seconds=1))
        assert evaluations.requeue_expired(timezone.now()) == 1
    evaluation.refresh_from_db()
    assert evaluation.status == Status.FAILED
    assert evaluation.cause.startswith("the worker that scored it was lost")
    assert used() == [0, 0]


@pytest.mark.django_db(transaction=True)
def test_two_sweeps_count_a_lost_worker_once(settings: Settings) -> None:
    queued(shards=2)
    claim(), claim()
    late = timezone.now() + timedelta(hours=1)
    results = race(*[lambda: evaluations.requeue_expired(late)] * 4)
    assert sum(results) == 2
    assert list(Shard.objects.values_list("failures", flat=True)) == [1, 1]


def test_a_retry_keeps_what_is_done(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    evaluation = queued(shards=3)
    done = claim()
    evaluations.finish(done, rows(done))
    evaluations.fail(claim(), "it broke")
    assert claim() is None

    with django_capture_on_commit_callbacks() as callbacks:
        assert evaluations.retry(evaluation)
    assert not evaluations.retry(evaluation)
    assert len(callbacks) == 1
    evaluation.refresh_from_db()
    assert (evaluation.status, evaluation.cause) == (Status.QUEUED, "")
    while shard := claim():
        assert shard.pk != done.pk
        evaluations.finish(shard, rows(shard))
    evaluation.refresh_from_db()
    assert evaluation.status == Status.SCORED
    assert len(tables.unpack(bytes(evaluation.table))) == 12


def test_a_shard_still_running_when_its_evaluation_failed_counts_after_a_retry() -> (
    None
):
    evaluation = queued(shards=2)
    slow, broken = claim(), claim()
    evaluations.fail(broken, "it broke")
    evaluations.retry(evaluation)

    assert evaluations.finish(slow, rows(slow))
    again = claim()
    assert again.pk == broken.pk
    assert evaluations.finish(again, rows(again))
    evaluation.refresh_from_db()
    assert evaluation.status == Status.SCORED


def test_a_shard_that_finishes_after_the_failure_is_kept_and_publishes_nothing() -> (
    None
):
    evaluation = queued(shards=2)
    slow, broken = claim(), claim()
    evaluations.fail(broken, "it broke")
    assert evaluations.finish(slow, rows(slow))
    evaluation.refresh_from_db()
    assert evaluation.status == Status.FAILED
    assert not BoardEntry.objects.exists()


def test_shards_of_a_failed_evaluation_do_not_wait_for_anybody() -> None:
    queued(shards=3)
    evaluations.fail(claim(), "it broke")
    assert not Shard.objects.runnable(timezone.now()).exists()


@pytest.mark.django_db(transaction=True)
def test_a_second_failure_after_a_retry_refunds_nothing_more() -> None:
    evaluation = queued(shards=1)
    other = factories.make_accepted(
        evaluation.submission.phase, team=evaluation.submission.team
    )
    quota.reserve(other, timezone.now())
    for _ in range(2):
        evaluations.fail(claim(), "it broke")
        evaluations.retry(evaluation)
    assert used() == [1, 1]


@pytest.mark.django_db(transaction=True)
def test_failing_and_claiming_do_not_lock_each_other_out() -> None:
    """A claim holds a shard and marks the evaluation; a failure does the reverse."""
    evaluation = queued(shards=2)
    evaluations.fail(claim(), "it broke")
    evaluations.retry(evaluation)
    held = claim()
    Evaluation.objects.update(status=Status.QUEUED)  # as after another retry
    has_locked, result = threading.Event(), []

    def fail() -> None:
        with transaction.atomic():
            Evaluation.objects.select_for_update().get()
            has_locked.set()
            threading.Event().wait(0.3)
            evaluations.fail(held, "again")

    def claim_other() -> Shard | None:
        assert has_locked.wait(10)
        return claim("w2")

    result = race(fail, claim_other)
    assert not [one for one in result if isinstance(one, Exception)], result


def test_the_place_in_the_queue_counts_older_evaluations() -> None:
    first, second, third = queued(), queued(), queued()
    places = [evaluations.place_in_queue(one) for one in (first, second, third)]
    assert places == [1, 2, 3]
    evaluations.fail(claim(), "it broke")
    assert evaluations.place_in_queue(third) == 2


def test_a_withdrawn_submission_s_evaluation_still_ends() -> None:
    evaluation = queued(shards=1)
    Submission.objects.update(status=Submission.Status.WITHDRAWN)
    shard = claim()
    assert evaluations.finish(shard, rows(shard))
    evaluation.refresh_from_db()
    assert evaluation.status == Status.SCORED
