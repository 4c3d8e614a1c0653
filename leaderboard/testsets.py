"""Hidden test sets: uploaded sealed, checked and compiled by a worker, activated."""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TypeVar

import msgspec
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from evaluation.problems import MAX_LISTED, InvalidUpload, Problem
from evaluation.suite import Finding
from leaderboard import audit, dispatch, evaluations, files, sealing
from leaderboard.models import Baseline, Phase, Shard, Submission, TestSetVersion
from leaderboard.models.leases import FAILED, RELEASED, lease_end, take, take_over
from leaderboard.publishing import Numbers
from leaderboard.refusals import Refused

M = TypeVar("M")
Status = TestSetVersion.Status


@dataclass(frozen=True, kw_only=True)
class BaselineRow:
    """A baseline's numbers, computed by the worker that checked the test set."""

    key: str
    label: str
    meaning: str
    scores: Numbers
    errors: dict[str, dict[str, int]]


@dataclass(frozen=True, kw_only=True)
class Compiled:
    """What a worker makes of a sound test set; `artifact` holds the answers."""

    artifact: bytes
    address: str
    manifest: bytes
    instance_count: int
    parser: str  # what the baselines were scored with; "" where none is needed
    findings: list[Finding]
    baselines: list[BaselineRow]


def upload(
    *, phase: Phase, data: bytes, file_name: str, user: User | None, activate: bool
) -> TestSetVersion:
    """Seal annotations and have a worker check them; nothing in the clear is kept."""
    sealed = files.store_bytes(sealing.seal(data), "sealed")
    with transaction.atomic():
        lock_phase(phase.pk)  # numbers are given in turn
        last = phase.test_sets.aggregate(last=Max("number"))["last"] or 0
        version = TestSetVersion.objects.create(
            phase=phase,
            number=last + 1,
            created_by=user,
            runnable_at=timezone.now(),
            file_name=file_name[-255:],
            sealed_file=sealed.key,
            activates_when_checked=activate,
        )
        audit.record(user, "upload-test-set", version, activate=activate)
        dispatch.check_test_set_later()
    return version


def claim(now: datetime, worker: str) -> TestSetVersion | None:
    """Hold the oldest test set that waits to be checked."""
    with transaction.atomic():
        waiting = TestSetVersion.objects.runnable(now).order_by("created_at")
        return take(waiting, worker=worker, until=lease_end(now))


def record_check(claimed: TestSetVersion, compiled: Compiled) -> bool:
    """Keep what a worker compiled; activate when its owner asked for that."""
    artifact = files.store_bytes(sealing.seal(compiled.artifact), "sealed")
    manifest = files.store_bytes(compiled.manifest, "manifests")
    findings = sorted(compiled.findings, key=lambda found: found.severity != "error")
    with transaction.atomic():
        ours = TestSetVersion.objects.held(claimed).update(
            status=Status.CHECKED,
            sealed_artifact=artifact.key,
            manifest_file=manifest.key,
            address=compiled.address,
            instance_count=compiled.instance_count,
            findings=[asdict(found) for found in findings[:MAX_LISTED]],
            **RELEASED,
        )
        if ours:
            _record_baselines(claimed, compiled.baselines)
            # A board never mixes parsers: what scored first scores on.
            Phase.objects.filter(pk=claimed.phase_id, parser="").update(
                parser=compiled.parser
            )
            claimed.refresh_from_db()
            if claimed.activates_when_checked and not _has_errors(claimed):
                activate(claimed, user=None)
    return bool(ours)


def record_faults(claimed: TestSetVersion, fault: InvalidUpload) -> bool:
    """The annotations cannot be used; the owner reads why."""
    return bool(
        TestSetVersion.objects.held(claimed).update(
            status=Status.FAULTY,
            problems=[asdict(problem) for problem in fault.problems[:MAX_LISTED]],
            **RELEASED,
        )
    )


def give_up_check(claimed: TestSetVersion) -> None:
    """An attempt to check failed for our reasons: wait and retry, or say so."""
    rows = TestSetVersion.objects.held(claimed)
    if claimed.failures + 1 >= settings.MAX_ATTEMPTS:
        detail = "we could not check this test set; the operators can see why"
        problem = Problem(code="internal_error", detail=detail)
        rows.update(status=Status.FAULTY, problems=[asdict(problem)], **FAILED)
    else:
        later = timezone.now() + evaluations.backoff(claimed.failures)
        rows.update(status=Status.DRAFT, runnable_at=later, **FAILED)


def park(claimed: TestSetVersion, until: datetime) -> None:
    """Put a check back that cannot be done now (a judge is down); costs no attempt."""
    TestSetVersion.objects.held(claimed).update(
        status=Status.DRAFT, runnable_at=until, **RELEASED
    )


def requeue_expired(now: datetime) -> int:
    """Let other workers take what a lost worker was checking."""
    expired = TestSetVersion.objects.expired(now)
    lost = [version for version in expired if take_over(version, now)]
    for version in lost:
        give_up_check(version)
    return len(lost)


def activate(version: TestSetVersion, user: User | None) -> None:
    """Make a checked version the one that counts, and score everything on it."""
    with transaction.atomic():
        lock_phase(version.phase_id)
        TestSetVersion.objects.filter(
            phase=version.phase_id, status=Status.ACTIVE
        ).exclude(pk=version.pk).update(status=Status.RETIRED)
        if not TestSetVersion.objects.filter(
            pk=version.pk, status__in=[Status.CHECKED, Status.RETIRED]
        ).update(status=Status.ACTIVE, activated_at=timezone.now()):
            raise Refused("not_checked", "Only a checked test set can be activated.")
        version.refresh_from_db()
        if _has_errors(version):
            message = "The annotations have errors; upload a corrected version."
            raise Refused("has_errors", message)
        audit.record(user, "activate-test-set", version)
        accepted = Submission.objects.filter(
            phase=version.phase_id, status=Submission.Status.ACCEPTED
        )
        for submission in accepted:
            evaluations.plan(submission, version)
        waiting = Shard.objects.filter(
            evaluation__test_set=version, status=Shard.Status.QUEUED
        )
        is_judged = bool(version.phase.judge)
        dispatch.score_later(waiting.count(), is_judged=is_judged)


def lock_phase(phase_id: int) -> None:
    """Let one transaction at a time decide which test set of a phase counts."""
    Phase.objects.select_for_update(no_key=True).get(pk=phase_id)


def manifest(manifest_file: str, kind: type[M]) -> M:
    """The public part of a test set: what must be answered."""
    return msgspec.json.decode(files.read(manifest_file), type=kind)


def _has_errors(version: TestSetVersion) -> bool:
    return any(found["severity"] == "error" for found in version.findings)


def _record_baselines(version: TestSetVersion, rows: list[BaselineRow]) -> None:
    Baseline.objects.filter(test_set=version).delete()
    Baseline.objects.bulk_create(
        Baseline(test_set=version, **asdict(row)) for row in rows
    )
