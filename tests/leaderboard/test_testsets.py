"""Hidden test sets: uploaded, checked, refused, activated; what moves when they are."""

from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from evaluation.problems import InvalidUpload, Problem
from evaluation.suite import Finding
from leaderboard import evaluations, testsets
from leaderboard.models import (
    AuditEvent,
    Evaluation,
    Phase,
    Shard,
    Submission,
    TestSetVersion,
)
from leaderboard.refusals import Refused
from leaderboard.testsets import BaselineRow, Compiled
from tests import factories
from tests.workers import small
from tests.workers.racing import race
from workers.app import app

pytestmark = pytest.mark.django_db
Status = TestSetVersion.Status
BASELINE = BaselineRow(
    key="constant",
    label="Always 1",
    meaning="Answers 1 to everything.",
    scores={"overall": {"gpa": [10.0, 5.0, 15.0, 12]}},
    errors={"overall": {"correct": 1}},
)


@pytest.fixture(autouse=True)
def recipient(settings: Settings) -> None:
    small.give_keys(settings)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the tasks that the broker was given."""
    names: list[str] = []
    monkeypatch.setattr(app, "send_task", lambda name, **_: names.append(name))
    return names


def compiled(*findings: Finding) -> Compiled:
    return Compiled(
        artifact=b"answers",
        address="a" * 64,
        parser="",
        manifest=b"{}",
        instance_count=12,
        findings=list(findings),
        baselines=[BASELINE],
    )


def finding(severity: str = "warning", code: str = "count_stands") -> Finding:
    return Finding(code=code, detail="d", place="line 3", severity=severity)


def upload(phase: Phase, *, activate: bool = False) -> TestSetVersion:
    return testsets.upload(
        phase=phase,
        data=b"annotations",
        file_name="x" * 300 + ".jsonl",
        user=None,
        activate=activate,
    )


def claim() -> TestSetVersion:
    claimed = testsets.claim(timezone.now(), "w1")
    assert claimed is not None
    return claimed


def checked(phase: Phase, *findings: Finding) -> TestSetVersion:
    version = upload(phase)
    assert testsets.record_check(claim(), compiled(*findings))
    version.refresh_from_db()
    return version


def active(phase: Phase) -> list[TestSetVersion]:
    return list(phase.test_sets.filter(status=Status.ACTIVE))


def test_an_upload_waits_to_be_checked(
    sent: list[str],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    phase = factories.make_phase()
    with django_capture_on_commit_callbacks(execute=True):
        versions = [upload(phase), upload(phase), upload(factories.make_phase())]
    assert [version.number for version in versions] == [1, 2, 1]
    assert {version.status for version in versions} == {Status.DRAFT}
    assert len(versions[0].file_name) == 255
    assert sent == ["egoboard.check_test_set"] * 3
    assert AuditEvent.objects.filter(action="upload-test-set").count() == 3


@pytest.mark.django_db(transaction=True)
def test_uploads_at_the_same_time_get_different_numbers() -> None:
    phase = factories.make_phase()
    results = race(*[lambda: upload(phase)] * 4)
    assert sorted(result.number for result in results) == [1, 2, 3, 4]


def test_a_check_records_what_was_compiled() -> None:
    version = checked(factories.make_phase(), finding())

    assert version.status == Status.CHECKED
    assert (version.address, version.instance_count) == ("a" * 64, 12)
    assert [found["place"] for found in version.findings] == ["line 3"]
    assert version.baselines.get().scores == BASELINE.scores
    assert not active(version.phase)


def test_a_sound_version_is_activated_when_that_was_asked_for() -> None:
    phase = factories.make_phase()
    version = upload(phase, activate=True)
    testsets.record_check(claim(), compiled(finding()))
    assert active(phase) == [version]


@pytest.mark.parametrize("position", [0, 150], ids=["first", "beyond the 100th"])
def test_annotations_with_errors_are_never_activated(position: int) -> None:
    phase = factories.make_phase()
    version = upload(phase, activate=True)
    findings = [finding() for _ in range(200)]
    findings[position] = finding("error", "count_falls")
    testsets.record_check(claim(), compiled(*findings))

    version.refresh_from_db()
    assert version.status == Status.CHECKED
    assert len(version.findings) == 100
    assert version.findings[0]["code"] == "count_falls"
    with pytest.raises(Refused) as refused:
        testsets.activate(version, None)
    assert refused.value.code == "has_errors"
    assert not active(phase)


def test_faulty_annotations_say_what_is_wrong() -> None:
    version = upload(factories.make_phase(), activate=True)
    fault = InvalidUpload(
        [Problem(code="missing_key", detail="has no 'id'", line=n) for n in range(120)]
    )
    assert testsets.record_faults(claim(), fault)
    version.refresh_from_db()
    assert version.status == Status.FAULTY
    assert len(version.problems) == 100
    with pytest.raises(Refused) as refused:
        testsets.activate(version, None)
    assert refused.value.code == "not_checked"


def test_a_stale_worker_records_nothing() -> None:
    version = upload(factories.make_phase())
    stale = claim()
    testsets.requeue_expired(timezone.now() + timedelta(hours=1))
    assert not testsets.record_check(stale, compiled())
    assert not testsets.record_faults(
        stale, InvalidUpload([Problem(code="a", detail="b")])
    )
    testsets.give_up_check(stale)
    version.refresh_from_db()
    assert (version.status, version.failures) == (Status.DRAFT, 1)
    assert not version.baselines.exists()


def test_three_failures_of_ours_end_the_check(settings: Settings) -> None:
    settings.RETRY_SECONDS = 0
    version = upload(factories.make_phase())
    for _ in range(3):
        testsets.give_up_check(claim())
    version.refresh_from_db()
    assert version.status == Status.FAULTY
    assert [problem["code"] for problem in version.problems] == ["internal_error"]


# --- activation ---------------------------------------------------------------------


def test_one_version_is_active_at_a_time() -> None:
    phase = factories.make_phase()
    first, second = checked(phase), checked(phase)
    for version in (first, second, first):
        testsets.activate(version, None)
        assert active(phase) == [version]
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.status, second.status) == (Status.ACTIVE, Status.RETIRED)
    assert AuditEvent.objects.filter(action="activate-test-set").count() == 3


def test_phases_have_their_own_active_versions() -> None:
    one, other = factories.make_phase(), factories.make_phase()
    for phase in (one, other):
        testsets.activate(checked(phase), None)
    assert len(active(one)) == len(active(other)) == 1


def test_activation_plans_every_accepted_submission_and_no_other(
    sent: list[str],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    phase = factories.make_test_set().phase
    accepted = {factories.make_accepted(phase).pk for _ in range(3)}
    factories.make_submission(phase)
    factories.make_accepted(phase, status=Submission.Status.WITHDRAWN)
    factories.make_accepted()
    version = checked(phase)

    with django_capture_on_commit_callbacks(execute=True) as callbacks:
        testsets.activate(version, None)

    planned = Evaluation.objects.filter(test_set=version)
    assert set(planned.values_list("submission", flat=True)) == accepted
    assert Shard.objects.filter(evaluation__test_set=version).count() == 3
    # One hook for all: a broker that is down must not be asked for each submission.
    assert (len(callbacks), sent) == (1, ["egoboard.score"] * 3)


def test_activating_a_version_again_keeps_its_scores() -> None:
    phase = factories.make_test_set().phase
    old = phase.test_sets.get()
    evaluation = factories.make_scored(phase)
    new = checked(phase)
    testsets.activate(new, None)
    testsets.activate(old, None)
    assert Evaluation.objects.filter(test_set=old).get() == evaluation
    assert Evaluation.objects.get(pk=evaluation.pk).status == "scored"


@pytest.mark.parametrize("status", ["draft", "faulty", "active"])
def test_only_checked_versions_are_activated(status: str) -> None:
    phase = factories.make_phase()
    keep = factories.make_test_set(phase) if status != "active" else None
    version = factories.make_test_set(phase, status=status)
    with pytest.raises(Refused) as refused:
        testsets.activate(version, None)
    assert refused.value.code == "not_checked"
    assert active(phase) == [keep or version]


@pytest.mark.django_db(transaction=True)
def test_two_activations_at_once_leave_one_active_version() -> None:
    phase = factories.make_phase()
    versions = [checked(phase), checked(phase)]
    factories.make_accepted(phase)

    results = race(*(lambda v=v: testsets.activate(v, None) for v in versions))

    assert results == [None, None]
    assert len(active(phase)) == 1
    assert Evaluation.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_activating_and_failing_at_once_do_not_lock_each_other_out(
    settings: Settings,
) -> None:
    phase = factories.make_test_set().phase
    version = checked(phase)
    for _ in range(4):
        factories.make_evaluation(factories.make_accepted(phase), shards=2)
    held = [evaluations.claim(timezone.now(), f"w{n}") for n in range(4)]

    results = race(
        lambda: testsets.activate(version, None),
        *(lambda s=s: evaluations.fail(s, "it broke") for s in held),
    )

    assert not [one for one in results if isinstance(one, Exception)], results
    assert Evaluation.objects.filter(test_set=version).count() == 4
