"""Evaluations and their shards: the queue. The row is the truth, a message a hint.

Every verb is one transaction guarded by the fence (`attempt`), so doing it twice, late,
or beside another worker changes nothing. The last shard's transaction publishes.
"""

import math
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from evaluation import SUITES, tables
from evaluation.tables import InstanceTable
from leaderboard import audit, dispatch, publishing, quota
from leaderboard.models import Evaluation, Shard, Submission, TestSetVersion
from leaderboard.models.leases import FAILED, RELEASED, lease_end, take, take_over

Status = Evaluation.Status
LOST = "the worker that scored it was lost (killed, out of memory or out of time)"


def plan(submission: Submission, test_set: TestSetVersion) -> Evaluation:
    """Queue a submission for scoring on a test set; again is harmless.

    The caller wakes the workers, once for all that it plans (dispatch.score_later).
    """
    phase = test_set.phase
    now = timezone.now()
    with transaction.atomic():
        evaluation, is_new = Evaluation.objects.get_or_create(
            submission=submission,
            test_set=test_set,
            protocol=phase.protocol,
            judge=phase.judge,
            defaults={"queued_at": now},
        )
        if is_new:
            _cut(evaluation, _speed(evaluation))
    return evaluation


def claim(now: datetime, worker: str, *, is_judged: bool = False) -> Shard | None:
    """Take the next shard by fairness, or None when nothing is runnable."""
    with transaction.atomic():
        waiting = Shard.objects.runnable(now).judged(is_judged).fairest()
        shard = take(waiting, worker=worker, until=lease_end(now))
        if shard is not None:
            Evaluation.objects.filter(
                pk=shard.evaluation_id, status=Status.QUEUED
            ).update(status=Status.RUNNING, started_at=now)
    return shard


def finish(claimed: Shard, rows: InstanceTable) -> bool:
    """Record a shard's rows, unless another worker has taken it over.

    The evaluation is locked first: when two last shards finish at once, the second
    sees the first one done and publishes; neither sees the other as still open.
    """
    with transaction.atomic():
        evaluation = Evaluation.objects.select_for_update().get(
            pk=claimed.evaluation_id
        )
        ours = Shard.objects.held(claimed).update(
            status=Shard.Status.DONE,
            rows=tables.pack(rows),
            finished_at=timezone.now(),
            **RELEASED,
        )
        done = not evaluation.shards.exclude(status=Shard.Status.DONE).exists()
        if ours and done:
            publishing.publish(evaluation)
    return bool(ours)


def give_up_shard(claimed: Shard, cause: str, trace: str = "") -> None:
    """An attempt failed for our reasons: retry later, or fail the evaluation."""
    if claimed.failures + 1 >= settings.MAX_ATTEMPTS:
        fail(claimed, f"{cause}; we tried {settings.MAX_ATTEMPTS} times", trace)
        return
    Shard.objects.held(claimed).update(
        status=Shard.Status.QUEUED,
        runnable_at=timezone.now() + backoff(claimed.failures),
        last_error=trace,
        **FAILED,
    )


def park(claimed: Shard, until: datetime, reason: str) -> None:
    """Put a shard back that cannot be scored now (a judge is down); costs no attempt."""
    Shard.objects.held(claimed).update(
        status=Shard.Status.QUEUED, runnable_at=until, last_error=reason, **RELEASED
    )


def fail(claimed: Shard, cause: str, trace: str = "") -> bool:
    """End an evaluation that cannot succeed, and give the slot back."""
    with transaction.atomic():
        evaluation = Evaluation.objects.select_for_update().get(
            pk=claimed.evaluation_id
        )
        ours = Shard.objects.held(claimed).update(
            status=Shard.Status.FAILED, last_error=trace, **FAILED
        )
        if ours and evaluation.status in Evaluation.OPEN:
            _end(evaluation, cause, trace)
    return bool(ours)


def retry(evaluation: Evaluation) -> bool:
    """Queue a failed evaluation again, keeping the shards that are done."""
    now = timezone.now()
    with transaction.atomic():
        ours = Evaluation.objects.filter(pk=evaluation.pk, status=Status.FAILED).update(
            status=Status.QUEUED, cause="", trace="", finished_at=None
        )
        if ours:
            evaluation.shards.filter(
                status__in=[Shard.Status.FAILED, Shard.Status.QUEUED]
            ).update(status=Shard.Status.QUEUED, failures=0, runnable_at=now)
            shards, is_judged = evaluation.shards.count(), bool(evaluation.judge)
            dispatch.score_later(shards, is_judged=is_judged)
    return bool(ours)


def requeue_expired(now: datetime) -> int:
    """Let other workers take what a lost worker held."""
    lost = [shard for shard in Shard.objects.expired(now) if take_over(shard, now)]
    for shard in lost:
        give_up_shard(shard, LOST)
    return len(lost)


def backoff(failures: int) -> timedelta:
    """How long to wait after that many failures before another attempt."""
    return timedelta(seconds=settings.RETRY_SECONDS * 4**failures)


def place_in_queue(evaluation: Evaluation) -> int:
    """1 for the evaluation that is next (or running)."""
    return (
        1
        + Evaluation.objects.filter(
            status__in=Evaluation.OPEN, queued_at__lt=evaluation.queued_at
        ).count()
    )


def _speed(evaluation: Evaluation) -> float:
    """Instances a worker scores in a second, on the safe side."""
    speed = SUITES[evaluation.test_set.phase.track.suite].instances_per_second
    return min(speed, settings.JUDGED_PER_SECOND) if evaluation.judge else speed


def _cut(evaluation: Evaluation, instances_per_second: float) -> None:
    total = evaluation.test_set.instance_count
    size = max(1, int(settings.SHARD_SECONDS * instances_per_second))
    shards = math.ceil(total / size)
    size = math.ceil(total / shards)  # even shards
    Shard.objects.bulk_create(
        Shard(
            evaluation=evaluation,
            number=number,
            start=start,
            stop=min(start + size, total),
            runnable_at=evaluation.queued_at,
        )
        for number, start in enumerate(range(0, total, size))
    )


def _end(evaluation: Evaluation, cause: str, trace: str) -> None:
    # Shards that wait are left alone: nobody claims them now, `retry` finds them, and
    # locking them here could meet a worker that holds one and waits for this row.
    Evaluation.objects.filter(pk=evaluation.pk).update(
        status=Status.FAILED, cause=cause, trace=trace, finished_at=timezone.now()
    )
    quota.refund(evaluation.submission, "we could not score it")
    audit.record(None, "evaluation-failed", evaluation, cause=cause)
