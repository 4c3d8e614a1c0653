"""Submissions: taken in, checked, withdrawn; what each costs, and what races do."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings as configured
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from evaluation.problems import InvalidUpload, Problem
from evaluation.suite import Coverage
from leaderboard import quota, submissions, teams, testsets
from leaderboard.models import (
    AuditEvent,
    Evaluation,
    IdempotencyKey,
    Phase,
    QuotaCounter,
    QuotaEntry,
    Submission,
    TestSetVersion,
)
from leaderboard.refusals import Refused
from tests import factories
from tests.workers.racing import aside, race
from workers.app import app

pytestmark = pytest.mark.django_db
FAULT = InvalidUpload(
    [Problem(code="unknown_q_id", detail="is unknown", line=n) for n in range(120)], 150
)


class Sound:
    """What a suite makes of a sound file."""

    coverage = Coverage(expected=12, answered=11, missing=1)
    notices = (Problem(code="unreadable", detail="is no integer", line=3),)


@pytest.fixture
def phase() -> Phase:
    return factories.make_test_set(factories.make_phase(daily_quota=3)).phase


@pytest.fixture
def submit(phase: Phase) -> Callable[..., Submission]:
    """Submit as the same user, in the same team, again and again."""
    user = factories.make_user()
    team = teams.personal_team(user)

    def submit(body: bytes = b"1", **given: object) -> Submission:
        given = {"phase": phase, "team": team, "user": user, **given}
        entry = submissions.Entry(method=str(given.pop("method", "Ours")))
        upload = SimpleUploadedFile("dir/answers.jsonl", body)
        return submissions.submit(upload=upload, entry=entry, **given)

    return submit


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the tasks that the broker was given."""
    names: list[str] = []
    monkeypatch.setattr(app, "send_task", lambda name, **_: names.append(name))
    return names


def claim() -> Submission:
    claimed = submissions.claim(timezone.now(), "w1")
    assert claimed is not None
    return claimed


def ledger(submission: Submission) -> list[tuple[str, str]]:
    return list(submission.quota_entries.values_list("kind", "reason"))


def used(submission: Submission) -> list[int]:
    counters = QuotaCounter.objects.filter(team=submission.team)
    return list(counters.order_by("pk").values_list("used", flat=True))


def stored() -> set[Path]:
    return {path for path in configured.FILES_ROOT.rglob("*") if path.is_file()}


# --- submit -------------------------------------------------------------------


def test_a_file_is_taken_in(submit: Callable[..., Submission]) -> None:
    submission = submit(b"12345")

    assert submission.status == Submission.Status.RECEIVED
    assert (submission.file_name, submission.file_size) == ("answers.jsonl", 5)
    assert (configured.FILES_ROOT / submission.file_key).read_bytes() == b"12345"
    assert ledger(submission) == [("reserve", "submitted")]
    event = AuditEvent.objects.get()
    assert (event.action, event.subject) == ("submit", f"submission {submission.pk}")
    assert event.details == {"sha256": submission.file_sha256}


def test_one_hint_follows_the_commit(
    submit: Callable[..., Submission],
    sent: list[str],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        submit()
        assert sent == []
    assert sent == ["egoboard.check"]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        pytest.param({"opens_at": timedelta(days=1)}, "phase_closed", id="not open"),
        pytest.param({"closes_at": timedelta(days=-1)}, "phase_closed", id="closed"),
        pytest.param({"daily_quota": 0}, "quota_exceeded", id="no slots today"),
        pytest.param({"total_quota": 0}, "quota_exceeded", id="no slots at all"),
    ],
)
def test_a_refused_file_leaves_no_trace(
    submit: Callable[..., Submission],
    phase: Phase,
    changes: dict[str, timedelta | int],
    code: str,
) -> None:
    before = stored()
    for field, value in changes.items():
        is_time = isinstance(value, timedelta)
        setattr(phase, field, timezone.now() + value if is_time else value)
    phase.save()

    with pytest.raises(Refused) as refused:
        submit(b"a file that nobody else has", idempotency_key="k")

    assert refused.value.code == code
    assert stored() == before
    for model in (Submission, QuotaEntry, QuotaCounter, IdempotencyKey, AuditEvent):
        assert not model.objects.exists()


def test_only_members_submit_for_a_team(submit: Callable[..., Submission]) -> None:
    submit(b"1", idempotency_key="k")

    with pytest.raises(Refused, match="belong to"):
        submit(user=factories.make_user(), idempotency_key="k")


def test_a_phase_without_an_active_test_set_takes_nothing(
    submit: Callable[..., Submission],
) -> None:
    TestSetVersion.objects.update(status=TestSetVersion.Status.RETIRED)
    with pytest.raises(Refused) as refused:
        submit()
    assert refused.value.code == "no_test_set"


def test_a_file_may_have_the_largest_size_and_no_more(
    submit: Callable[..., Submission], settings: Settings
) -> None:
    settings.MAX_UPLOAD_MIB = 1
    submit(b"x" * (1 << 20))
    before = stored()
    with pytest.raises(Refused) as refused:
        submit(b"y" * ((1 << 20) + 1))
    assert refused.value.code == "too_large"
    assert stored() == before


def test_an_error_in_the_middle_rolls_everything_back(
    submit: Callable[..., Submission], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: object, **details: object) -> None:
        raise RuntimeError("no audit, no deed")

    monkeypatch.setattr("leaderboard.audit.record", broken)
    with pytest.raises(RuntimeError):
        submit(idempotency_key="k")

    for model in (Submission, QuotaEntry, QuotaCounter, IdempotencyKey):
        assert not model.objects.exists()


# --- the same key again ---------------------------------------------------------


def test_the_same_key_and_body_give_the_same_submission(
    submit: Callable[..., Submission], phase: Phase
) -> None:
    phase.daily_quota = 1
    phase.save()
    first = submit(idempotency_key="k")

    assert submit(idempotency_key="k") == first  # although the quota is used up
    phase.closes_at = timezone.now()
    phase.save()
    assert submit(idempotency_key="k") == first  # although the phase has closed
    assert used(first) == [1, 1]
    with pytest.raises(Refused, match="does not take submissions"):
        submit(idempotency_key="another")


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"body": b"2"}, id="other file"),
        pytest.param({"method": "Theirs"}, id="other words"),
    ],
)
def test_the_same_key_with_other_content_is_refused(
    submit: Callable[..., Submission], change: dict[str, bytes | str]
) -> None:
    submit(idempotency_key="k")
    with pytest.raises(Refused) as refused:
        submit(idempotency_key="k", **change)
    assert refused.value.code == "idempotency_mismatch"
    assert Submission.objects.count() == 1


def test_a_key_is_forgotten_after_a_day(submit: Callable[..., Submission]) -> None:
    first = submit(idempotency_key="k")
    day = timedelta(hours=24, seconds=1)
    IdempotencyKey.objects.update(created_at=timezone.now() - day)

    second = submit(b"2", idempotency_key="k")

    assert second != first
    assert IdempotencyKey.objects.get().submission == second


def test_a_key_belongs_to_its_team(submit: Callable[..., Submission]) -> None:
    first = submit(idempotency_key="k")
    other = factories.make_user()
    second = submit(team=teams.personal_team(other), user=other, idempotency_key="k")
    assert first != second


@pytest.mark.django_db(transaction=True)
def test_two_requests_with_one_key_make_one_submission(
    submit: Callable[..., Submission], phase: Phase
) -> None:
    results = race(*[lambda: submit(idempotency_key="k")] * 4)

    assert {type(result) for result in results} == {Submission}, results
    assert len({result.pk for result in results}) == 1
    assert used(results[0]) == [1, 1]


@pytest.mark.django_db(transaction=True)
def test_two_requests_with_one_key_race_for_the_last_slot(
    submit: Callable[..., Submission], phase: Phase
) -> None:
    phase.daily_quota = 1
    phase.save()

    results = race(*[lambda: submit(idempotency_key="k")] * 4)

    assert {type(result) for result in results} == {Submission}, results
    assert Submission.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_requests_race_for_the_last_slot_and_one_wins(
    submit: Callable[..., Submission], phase: Phase
) -> None:
    phase.daily_quota = 1
    phase.save()

    results = race(*(lambda b=b: submit(b) for b in (b"1", b"2", b"3")))

    lost = [result for result in results if isinstance(result, Refused)]
    assert [one.code for one in lost] == ["quota_exceeded"] * 2
    assert Submission.objects.count() == QuotaEntry.objects.count() == 1


# --- checking --------------------------------------------------------------------


def test_the_oldest_is_checked_first(submit: Callable[..., Submission]) -> None:
    made = [submit(b"1"), submit(b"2")]
    assert [claim(), claim()] == made
    assert submissions.claim(timezone.now(), "w2") is None


def test_an_accepted_file_costs_its_slot_and_is_planned(
    submit: Callable[..., Submission],
    phase: Phase,
    sent: list[str],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    submission = submit()
    with django_capture_on_commit_callbacks(execute=True):
        assert submissions.accept(claim(), Sound())

    submission.refresh_from_db()
    assert submission.status == Submission.Status.ACCEPTED
    assert submission.checked_at is not None
    assert submission.coverage["missing"] == 1
    assert submission.notices[0]["line"] == 3
    assert ledger(submission)[1:] == [("consume", "accepted")]
    evaluation = submission.evaluations.get()
    assert evaluation.test_set == phase.test_sets.get()
    assert sent == ["egoboard.score"]


def test_a_rejected_file_costs_nothing_and_says_why(
    submit: Callable[..., Submission],
) -> None:
    submission = submit()
    assert submissions.reject(claim(), FAULT)

    submission.refresh_from_db()
    assert submission.status == Submission.Status.REJECTED
    assert (len(submission.problems), submission.problem_count) == (100, 150)
    assert ledger(submission)[1:] == [("refund", "the file was rejected")]
    assert used(submission) == [0, 0]
    assert not submission.evaluations.exists()


@pytest.mark.parametrize("verb", ["accept", "reject"])
def test_a_verdict_counts_once(submit: Callable[..., Submission], verb: str) -> None:
    submission = submit()
    claimed = claim()
    verdicts = {
        "accept": lambda: submissions.accept(claimed, Sound()),
        "reject": lambda: submissions.reject(claimed, FAULT),
    }
    assert verdicts[verb]()
    for late in verdicts.values():
        assert not late()
    submissions.give_up_check(claimed)

    submission.refresh_from_db()
    assert submission.status == f"{verb}ed"
    assert submission.failures == 0
    assert submission.quota_entries.count() == 2


def test_a_stale_worker_cannot_decide(submit: Callable[..., Submission]) -> None:
    submission = submit()
    stale = claim()
    assert submissions.requeue_expired(timezone.now() + timedelta(hours=1)) == 1
    Submission.objects.update(runnable_at=timezone.now())
    fresh = claim()

    assert not submissions.reject(stale, FAULT)
    assert submissions.accept(fresh, Sound())
    submission.refresh_from_db()
    assert submission.status == Submission.Status.ACCEPTED
    assert submission.failures == 1


def test_after_three_failures_of_ours_the_slot_is_given_back(
    submit: Callable[..., Submission], settings: Settings
) -> None:
    settings.RETRY_SECONDS = 0
    submission = submit()
    for failures in (1, 2):
        submissions.give_up_check(claim())
        submission.refresh_from_db()
        assert submission.status == Submission.Status.RECEIVED
        assert submission.failures == failures
    submissions.give_up_check(claim())

    submission.refresh_from_db()
    assert submission.status == Submission.Status.REJECTED
    assert [problem["code"] for problem in submission.problems] == ["internal_error"]
    assert ledger(submission)[1:] == [("refund", "we could not check the file")]
    assert used(submission) == [0, 0]


def test_a_retry_waits_longer_each_time(submit: Callable[..., Submission]) -> None:
    submit()
    submissions.give_up_check(claim())
    assert submissions.claim(timezone.now(), "w1") is None
    later = timezone.now() + timedelta(seconds=6)
    assert submissions.claim(later, "w1") is not None


def test_a_worker_that_is_only_slow_keeps_its_row(
    submit: Callable[..., Submission],
) -> None:
    """The sweep looks, the worker renews, the sweep decides: nothing is taken away."""
    submission = submit()
    claimed = claim()
    late = claimed.lease_expires_at + timedelta(seconds=1)
    (seen,) = Submission.objects.expired(late)
    Submission.objects.update(lease_expires_at=late + timedelta(seconds=60))

    from leaderboard.models.leases import take_over

    assert not take_over(seen, late)
    assert submissions.accept(claimed, Sound())
    submission.refresh_from_db()
    assert submission.failures == 0


@pytest.mark.django_db(transaction=True)
def test_two_workers_never_check_the_same_file(
    submit: Callable[..., Submission], phase: Phase
) -> None:
    made = {submit(b"1").pk, submit(b"2").pk}

    results = race(*[claim] * 2)

    assert {result.pk for result in results} == made
    assert submissions.claim(timezone.now(), "w3") is None


@pytest.mark.django_db(transaction=True)
def test_a_file_accepted_during_an_activation_is_scored_on_the_new_test_set(
    submit: Callable[..., Submission], phase: Phase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever comes first, the new version must know the submission."""
    submission = submit()
    claimed = claim()
    new = factories.make_test_set(phase, status=TestSetVersion.Status.CHECKED)

    results = race(
        lambda: submissions.accept(claimed, Sound()),
        lambda: testsets.activate(new, None),
    )

    assert results == [True, None]
    assert Evaluation.objects.filter(submission=submission, test_set=new).count() == 1


@pytest.mark.django_db(transaction=True)
def test_accepting_waits_for_an_activation_in_progress(
    submit: Callable[..., Submission], phase: Phase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Forced into the worst order: accept starts when activation has looked already."""
    import threading

    from leaderboard import evaluations

    submit(b"earlier")
    submissions.accept(claim(), Sound())
    submission, claimed = submit(b"now"), claim()
    new = factories.make_test_set(phase, status=TestSetVersion.Status.CHECKED)
    plan, accepting = evaluations.plan, threading.Event()

    def plan_slowly(one: Submission, test_set: TestSetVersion) -> Evaluation:
        if one != submission:
            accepting.set()  # activation has listed what is accepted
            threading.Event().wait(0.5)
        return plan(one, test_set)

    monkeypatch.setattr(evaluations, "plan", plan_slowly)

    def accept() -> bool:
        assert accepting.wait(10)
        return submissions.accept(claimed, Sound())

    assert race(lambda: testsets.activate(new, None), accept) == [None, True]
    assert submission.evaluations.get().test_set == new


# --- afterwards --------------------------------------------------------------------


def test_only_what_was_accepted_can_be_withdrawn(
    submit: Callable[..., Submission],
) -> None:
    submission = submit()
    user = submission.created_by
    with pytest.raises(Refused) as refused:
        submissions.withdraw(submission, user)
    assert refused.value.code == "not_accepted"

    submissions.accept(claim(), Sound())
    submissions.withdraw(submission, user)
    submission.refresh_from_db()
    assert submission.status == Submission.Status.WITHDRAWN
    assert used(submission) == [1, 1]  # the slot stays used
    assert AuditEvent.objects.filter(action="withdraw").count() == 1
    with pytest.raises(Refused):
        submissions.withdraw(submission, user)


def test_members_and_staff_decide_what_is_public_and_nobody_else(
    submit: Callable[..., Submission],
) -> None:
    submission = submit()
    submissions.set_public(submission, submission.created_by, False)
    submissions.set_public(submission, factories.make_user(is_staff=True), True)
    with pytest.raises(Refused) as refused:
        submissions.set_public(submission, factories.make_user(), False)
    assert refused.value.code == "not_a_member"
    with pytest.raises(Refused):
        submissions.withdraw(submission, factories.make_user())

    submission.refresh_from_db()
    assert submission.is_public
    actions = AuditEvent.objects.order_by("pk").values_list("action", flat=True)
    assert list(actions) == ["submit", "unpublish", "publish"]


@pytest.mark.django_db(transaction=True)
def test_what_another_transaction_has_not_committed_is_not_checked(
    submit: Callable[..., Submission],
) -> None:
    from django.db import transaction

    with transaction.atomic():
        submit()
        assert aside(lambda: submissions.claim(timezone.now(), "w")) is None
    assert aside(claim) == Submission.objects.get()


def test_the_quota_shown_is_the_quota_checked(
    submit: Callable[..., Submission], phase: Phase
) -> None:
    submission = submit()
    for number in range(quota.remaining(submission.team, phase, timezone.now()).today):
        submit(b"more %d" % number)
    assert quota.remaining(submission.team, phase, timezone.now()).today == 0
    with pytest.raises(Refused):
        submit(b"too many")
