"""What workers do. A task claims a row, works, records, and passes the hint on.

Whoever found something looks again, so a queue of any length needs only one hint for
each worker, and one that was lost costs nothing once another arrives.
"""

import logging
from datetime import datetime, timedelta
from functools import partial

from celery.signals import worker_init, worker_process_init, worker_ready
from django.conf import settings

from evaluation.judges import JudgeUnavailable
from evaluation.problems import InvalidUpload
from leaderboard import dispatch, evaluations, submissions, testsets
from leaderboard.models import Shard, Submission, TestSetVersion
from leaderboard.models.leases import clock
from workers import checking, resources, scoring
from workers.app import CHECK, CHECK_TEST_SET, JUDGE, SCORE, SWEEP, app
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


@app.task(
    name=CHECK_TEST_SET,
    soft_time_limit=settings.TEST_SET_SECONDS,
    time_limit=settings.TEST_SET_SECONDS + 10,
)
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
    except JudgeUnavailable as reason:
        log.warning("test set %s waits for its judge: %s", claimed.pk, reason)
        patiently(partial(testsets.park, claimed, judge_pause()))
    else:
        patiently(partial(testsets.record_check, claimed, compiled))


@app.task(name=SCORE)
def score() -> None:
    """Score the next shard that needs no judge."""
    _score_next(is_judged=False)


@app.task(name=JUDGE)
def judge() -> None:
    """Score the next shard that asks a judge."""
    _score_next(is_judged=True)


def _score_next(*, is_judged: bool) -> None:
    claim = partial(evaluations.claim, worker=worker_name(), is_judged=is_judged)
    claimed = patiently(lambda: claim(clock()))
    if claimed is None:
        return
    if trace := attempt(claimed, partial(_score, claimed)):
        log.error("scoring shard %s failed: %s", claimed.pk, trace)
        cause = f"scoring failed for a reason of ours ({trace.split()[0]})"
        patiently(partial(evaluations.give_up_shard, claimed, cause, trace))
    dispatch.score_later(1, is_judged=is_judged)


def _score(claimed: Shard) -> None:
    try:
        rows = scoring.score(claimed)
    except InvalidUpload as fault:
        cause = f"the file does not fit this version of the test set: {fault}"
        patiently(partial(evaluations.fail, claimed, cause))
    except JudgeUnavailable as reason:
        why = f"judge: {reason}"
        log.warning("shard %s waits for its %s", claimed.pk, why)
        patiently(partial(evaluations.park, claimed, judge_pause(), why))
    else:
        patiently(partial(evaluations.finish, claimed, rows))


def judge_pause() -> datetime:
    """When to ask a judge again that does not answer."""
    return patiently(clock) + timedelta(seconds=settings.JUDGE_PAUSE_SECONDS)


@app.task(name=SWEEP)
def sweep() -> None:
    """Return expired leases and remind workers of whatever waits."""
    now = clock()
    for noun in (testsets, submissions, evaluations):
        if count := noun.requeue_expired(now):
            log.warning("returned %d expired leases of %s", count, noun.__name__)
    dispatch.remind(CHECK_TEST_SET, TestSetVersion.objects.runnable(now).count())
    dispatch.remind(CHECK, Submission.objects.runnable(now).count())
    shards = Shard.objects.runnable(now)
    dispatch.remind(SCORE, shards.judged(False).count())
    dispatch.remind(JUDGE, shards.judged(True).count())


@worker_ready.connect
def sweep_at_start(**_: object) -> None:
    app.send_task(SWEEP, retry=False)


@worker_init.connect
def load_models(**_: object) -> None:
    """Before the fork, so that the children share them; with a single thread, because
    a child of a process that has computed with several may wait for ever."""
    resources.warm_up(threads=1)


@worker_process_init.connect
def share_cores(**_: object) -> None:
    resources.warm_up(threads=settings.WORKER_THREADS)
