"""What workers do. A task claims a row, works, records, and passes the hint on.

Whoever found something looks again, so a queue of any length needs only one hint for
each worker, and one that was lost costs nothing once another arrives.
"""

import logging
from functools import partial

from celery.signals import worker_ready

from evaluation.problems import InvalidUpload
from leaderboard import dispatch, evaluations, submissions, testsets
from leaderboard.models import Shard, Submission, TestSetVersion
from leaderboard.models.leases import clock
from workers import checking, scoring
from workers.app import CHECK, CHECK_TEST_SET, SCORE, SWEEP, app
from workers.holding import attempt, patiently, worker_name

log = logging.getLogger(__name__)


@app.task(name=CHECK)
def check() -> None:
    """Check the next uploaded submission."""
    claimed = patiently(lambda: submissions.claim(clock(), worker_name()))
    if claimed is None:
        return
    if trace := attempt(claimed, partial(_check, claimed)):
        log.error("checking submission %s failed: %s", claimed.pk, trace)
        patiently(partial(submissions.give_up_check, claimed))
    dispatch.check_later()


def _check(claimed: Submission) -> None:
    try:
        answers = checking.read(claimed)
    except InvalidUpload as fault:
        patiently(partial(submissions.reject, claimed, fault))
    else:
        patiently(partial(submissions.accept, claimed, answers))


@app.task(name=CHECK_TEST_SET)
def check_test_set() -> None:
    """Check and compile the next uploaded test set."""
    claimed = patiently(lambda: testsets.claim(clock(), worker_name()))
    if claimed is None:
        return
    if trace := attempt(claimed, partial(_check_test_set, claimed)):
        log.error("checking test set %s failed: %s", claimed.pk, trace)
        patiently(partial(testsets.give_up_check, claimed))
    dispatch.check_test_set_later()


def _check_test_set(claimed: TestSetVersion) -> None:
    try:
        compiled = checking.compile_test_set(claimed)
    except InvalidUpload as fault:
        patiently(partial(testsets.record_faults, claimed, fault))
    else:
        patiently(partial(testsets.record_check, claimed, compiled))


@app.task(name=SCORE)
def score() -> None:
    """Score the next shard."""
    claimed = patiently(lambda: evaluations.claim(clock(), worker_name()))
    if claimed is None:
        return
    if trace := attempt(claimed, partial(_score, claimed)):
        log.error("scoring shard %s failed: %s", claimed.pk, trace)
        cause = f"scoring failed for a reason of ours ({trace.split()[0]})"
        patiently(partial(evaluations.give_up_shard, claimed, cause, trace))
    dispatch.score_later(1)


def _score(claimed: Shard) -> None:
    try:
        rows = scoring.score(claimed)
    except InvalidUpload as fault:
        cause = f"the file does not fit this version of the test set: {fault}"
        patiently(partial(evaluations.fail, claimed, cause))
    else:
        patiently(partial(evaluations.finish, claimed, rows))


@app.task(name=SWEEP)
def sweep() -> None:
    """Return expired leases and remind workers of whatever waits."""
    now = clock()
    for noun in (testsets, submissions, evaluations):
        if count := noun.requeue_expired(now):
            log.warning("returned %d expired leases of %s", count, noun.__name__)
    dispatch.remind(CHECK_TEST_SET, TestSetVersion.objects.runnable(now).count())
    dispatch.remind(CHECK, Submission.objects.runnable(now).count())
    dispatch.remind(SCORE, Shard.objects.runnable(now).count())


@worker_ready.connect
def sweep_at_start(**_: object) -> None:
    app.send_task(SWEEP, retry=False)
