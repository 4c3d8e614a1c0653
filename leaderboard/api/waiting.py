"""?wait: a question that is held open until a submission moves."""

import threading
import time
from collections.abc import Callable

from django.db import connection

from leaderboard import progress
from leaderboard.models import Submission

MAX_WAIT_SECONDS = 30
PAUSE_SECONDS = 0.7
# Each waiting request keeps a web thread; beyond these, answers come at once.
_seats = threading.BoundedSemaphore(4)


def wait(
    submission: Submission, seconds: float, read: Callable[[], Submission]
) -> Submission:
    """Wait until the submission moves, at most so long, reading it now and then.

    Between the readings no database connection is held.
    """
    deadline = time.monotonic() + min(seconds, MAX_WAIT_SECONDS)
    before = _pulse(submission)
    if not progress.is_open(submission) or not _seats.acquire(blocking=False):
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
    evaluation = progress.evaluation_of(submission)
    moving = ("pk", "status", "shards_done")
    seen = [getattr(evaluation, name) for name in moving] if evaluation else []
    return (submission.status, *seen)
