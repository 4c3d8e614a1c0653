"""Submissions change state here and nowhere else."""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from evaluation import SUITES
from evaluation.problems import MAX_LISTED, InvalidUpload, Problem
from evaluation.suite import Answers
from leaderboard import audit, dispatch, evaluations, files, quota, testsets
from leaderboard.files import BytesFile
from leaderboard.models import (
    IdempotencyKey,
    Membership,
    Phase,
    Submission,
    Team,
    TestSetVersion,
)
from leaderboard.models.leases import FAILED, RELEASED, lease_end, take, take_over
from leaderboard.refusals import Refused

Status = Submission.Status
KEY_LIFE = timedelta(hours=24)
OUR_FAULT = Problem(
    code="internal_error",
    detail="we could not check this file; that is our fault, it costs no quota, and "
    "the operators can see why. Please submit it again later",
)


@dataclass(frozen=True, kw_only=True)
class Entry:
    """What a submitter says about a file."""

    method: str
    description: str = ""
    url: str = ""
    is_public: bool = True
    card: Mapping[str, str] = field(default_factory=dict)


def submit(
    *,
    phase: Phase,
    team: Team,
    user: User,
    upload: BytesFile,
    entry: Entry,
    idempotency_key: str = "",
) -> Submission:
    """Take in a file: reserve a slot, store it, have it checked. Raises Refused."""
    now = timezone.now()
    _check_member(team, user)
    stored = files.measure(upload, "uploads")
    body = _digest(phase, stored.sha256, entry)
    if earlier := _replayed(team, idempotency_key, body, now):
        return earlier
    try:
        _check_rules(phase, team, stored.size, now)
        stored = files.keep(upload, stored)
        with transaction.atomic():
            submission = Submission.objects.create(
                phase=phase,
                team=team,
                created_by=user,
                runnable_at=now,
                file_name=(upload.name or "upload").rsplit("/", 1)[-1][-255:],
                file_key=stored.key,
                file_sha256=stored.sha256,
                file_size=stored.size,
                **asdict(entry),
            )
            quota.reserve(submission, now)
            if idempotency_key:
                _remember(submission, idempotency_key, body, now)
            audit.record(user, "submit", submission, sha256=stored.sha256)
            dispatch.check_later()
    except (IntegrityError, Refused):
        # A request with the same key may have been faster; then its answer is ours.
        if earlier := _replayed(team, idempotency_key, body, now):
            return earlier
        raise
    return submission


def claim(now: datetime, worker: str) -> Submission | None:
    """Hold the oldest submission that waits to be checked."""
    with transaction.atomic():
        waiting = Submission.objects.runnable(now).order_by("created_at")
        return take(waiting, worker=worker, until=lease_end(now))


def accept(claimed: Submission, answers: Answers) -> bool:
    """The file is sound: it costs its slot and is scored.

    The phase is locked: an activation at the same time either sees this submission as
    accepted, or is seen here as the test set to score on.
    """
    for_staff = SUITES[claimed.phase.track.suite].staff_notices
    flags = [notice for notice in answers.notices if notice.code in for_staff]
    told = [notice for notice in answers.notices if notice.code not in for_staff]
    with transaction.atomic():
        testsets.lock_phase(claimed.phase_id)
        ours = Submission.objects.held(claimed).update(
            status=Status.ACCEPTED,
            checked_at=timezone.now(),
            coverage=asdict(answers.coverage),
            notices=[asdict(one) for one in told[:MAX_LISTED]],
            flags=[asdict(one) for one in flags[:MAX_LISTED]],
            **RELEASED,
        )
        if ours:
            claimed.refresh_from_db()
            quota.consume(claimed, "accepted")
            active = TestSetVersion.objects.get(
                phase=claimed.phase_id, status=TestSetVersion.Status.ACTIVE
            )
            evaluation = evaluations.plan(claimed, active)
            shards, is_judged = evaluation.shards.count(), bool(evaluation.judge)
            dispatch.score_later(shards, is_judged=is_judged)
    return bool(ours)


def reject(claimed: Submission, fault: InvalidUpload) -> bool:
    """The file has problems: nothing is scored and the slot is given back."""
    with transaction.atomic():
        ours = Submission.objects.held(claimed).update(
            status=Status.REJECTED,
            checked_at=timezone.now(),
            problems=[asdict(problem) for problem in fault.problems[:MAX_LISTED]],
            problem_count=fault.total,
            **RELEASED,
        )
        if ours:
            quota.refund(claimed, "the file was rejected")
    return bool(ours)


def give_up_check(claimed: Submission) -> None:
    """An attempt to check failed for our reasons: wait and retry, or say so."""
    with transaction.atomic():
        rows = Submission.objects.held(claimed)
        if claimed.failures + 1 >= settings.MAX_ATTEMPTS:
            if rows.update(
                status=Status.REJECTED,
                problems=[asdict(OUR_FAULT)],
                problem_count=1,
                **FAILED,
            ):
                quota.refund(claimed, "we could not check the file")
        else:
            later = timezone.now() + evaluations.backoff(claimed.failures)
            rows.update(status=Status.RECEIVED, runnable_at=later, **FAILED)


def requeue_expired(now: datetime) -> int:
    """Let other workers take what a lost worker was checking."""
    lost = [one for one in Submission.objects.expired(now) if take_over(one, now)]
    for submission in lost:
        give_up_check(submission)
    return len(lost)


def withdraw(submission: Submission, user: User) -> None:
    """Take an accepted submission off the boards for good. The record stays."""
    _check_may_change(submission, user)
    with transaction.atomic():
        if not Submission.objects.filter(
            pk=submission.pk, status=Status.ACCEPTED
        ).update(status=Status.WITHDRAWN):
            raise Refused(
                "not_accepted", "Only an accepted submission can be withdrawn."
            )
        audit.record(user, "withdraw", submission)


def set_public(submission: Submission, user: User, is_public: bool) -> None:
    """Show a submission on the board, or keep it private."""
    _check_may_change(submission, user)
    with transaction.atomic():
        Submission.objects.filter(pk=submission.pk).update(is_public=is_public)
        audit.record(user, "publish" if is_public else "unpublish", submission)


def _check_member(team: Team, user: User) -> None:
    if not Membership.objects.filter(team=team, user=user).exists():
        raise Refused("not_a_member", "You can only submit for a team you belong to.")


def _check_may_change(submission: Submission, user: User) -> None:
    if not user.is_staff:
        _check_member(submission.team, user)


def _check_rules(phase: Phase, team: Team, size: int, now: datetime) -> None:
    if not phase.is_open(now):
        raise Refused("phase_closed", "This phase does not take submissions now.")
    if size > settings.MAX_UPLOAD_MIB * 1024 * 1024:
        limit = f"{settings.MAX_UPLOAD_MIB} MiB"
        raise Refused("too_large", f"A file may have {limit} at most; compress it.")
    if not phase.test_sets.filter(status=TestSetVersion.Status.ACTIVE).exists():
        raise Refused("no_test_set", "This phase has no active test set yet.")
    quota.require(team, phase, now)


def _digest(phase: Phase, sha256: str, entry: Entry) -> str:
    parts = (str(phase.pk), sha256, repr(entry))
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _remember(submission: Submission, key: str, body: str, now: datetime) -> None:
    IdempotencyKey.objects.filter(
        Q(team=submission.team, key=key), created_at__lt=now - KEY_LIFE
    ).delete()
    IdempotencyKey.objects.create(
        team=submission.team,
        key=key,
        body_sha256=body,
        submission=submission,
        created_at=now,
    )


def _replayed(team: Team, key: str, body: str, now: datetime) -> Submission | None:
    if not key:
        return None
    known = IdempotencyKey.objects.select_related("submission__phase__track").filter(
        team=team, key=key, created_at__gte=now - KEY_LIFE
    )
    if (found := known.first()) is None:
        return None
    if found.body_sha256 != body:
        message = "This Idempotency-Key was used with other content; use a new key."
        raise Refused("idempotency_mismatch", message)
    return found.submission
