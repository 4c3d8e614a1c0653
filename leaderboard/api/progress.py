"""How far a submission is: its evaluation, its place in the queue, its shards."""

import threading
import time
from collections.abc import Callable

from django.db import connection
from django.db.models import BooleanField, Case, Count, F, Prefetch, Q, QuerySet, When

from leaderboard import evaluations
from leaderboard.models import Evaluation, Shard, Submission, TestSetVersion

Status = Submission.Status
OPEN = (Status.RECEIVED, Status.CHECKING)
MAX_WAIT_SECONDS = 30
PAUSE_SECONDS = 0.7
# Each waiting request keeps a web thread; beyond these, answers come at once.
_seats = threading.BoundedSemaphore(4)


def with_evaluations(found: QuerySet[Submission]) -> QuerySet[Submission]:
    """Two queries for any number of submissions; the evaluation that counts first."""
    counts = Q(
        test_set__status=TestSetVersion.Status.ACTIVE,
        protocol=F("submission__phase__protocol"),
        judge=F("submission__phase__judge"),
    )
    ordered = (
        Evaluation.objects.select_related("test_set")
        .defer("table", "trace")
        .annotate(
            is_current=Case(
                When(counts, then=True), default=False, output_field=BooleanField()
            ),
            shards_done=Count("shards", filter=Q(shards__status=Shard.Status.DONE)),
            shards_total=Count("shards"),
        )
        .order_by("-is_current", "-queued_at")
    )
    return found.select_related("phase__track", "team", "created_by").prefetch_related(
        Prefetch("evaluations", queryset=ordered)
    )


def evaluation_of(submission: Submission) -> Evaluation | None:
    """The evaluation on the active test set, else the newest."""
    return next(iter(submission.evaluations.all()), None)


def is_final(submission: Submission) -> bool:
    """Nothing more will happen to it by itself."""
    if submission.status in OPEN:
        return False
    evaluation = evaluation_of(submission)
    return evaluation is None or evaluation.status not in Evaluation.OPEN


def queue_place(submission: Submission) -> int | None:
    """1 for what is next, to be checked or to be scored; None when it is final."""
    if submission.status in OPEN:
        earlier = Submission.objects.filter(
            status__in=OPEN, created_at__lt=submission.created_at
        )
        return earlier.count() + 1
    evaluation = evaluation_of(submission)
    if evaluation is None or evaluation.status not in Evaluation.OPEN:
        return None
    return evaluations.place_in_queue(evaluation)


def wait(
    submission: Submission, seconds: float, read: Callable[[], Submission]
) -> Submission:
    """Wait until the submission moves, at most so long, reading it now and then.

    Between the readings no database connection is held.
    """
    deadline = time.monotonic() + min(seconds, MAX_WAIT_SECONDS)
    before = _pulse(submission)
    if is_final(submission) or not _seats.acquire(blocking=False):
        return submission
    try:
        while _pulse(submission) == before and time.monotonic() < deadline:
            if not connection.in_atomic_block:
                connection.close()
            time.sleep(min(PAUSE_SECONDS, max(0.0, deadline - time.monotonic())))
            submission = read()
    finally:
        _seats.release()
    return submission


def _pulse(submission: Submission) -> tuple[object, ...]:
    evaluation = evaluation_of(submission)
    moving = ("pk", "status", "shards_done")
    seen = [getattr(evaluation, name) for name in moving] if evaluation else []
    return (submission.status, *seen)
