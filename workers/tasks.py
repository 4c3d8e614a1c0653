"""What workers do. A task claims a row, works, and records; see the verbs it calls."""

import logging
from functools import partial

from celery.signals import worker_ready
from django.utils import timezone

from evaluation.problems import InvalidUpload
from leaderboard import dispatch, evaluations, submissions, testsets
from leaderboard.models import Shard, Submission, TestSetVersion
from workers import checking, scoring
from workers.app import CHECK, CHECK_TEST_SET, SCORE, SWEEP, app
from workers.holding import patiently, renewing, worker_name
from workers.traces import trace_of

log = logging.getLogger(__name__)


@app.task(name=CHECK)
def check() -> None:
    """Check the next uploaded submission."""
    claimed = patiently(lambda: submissions.claim(timezone.now(), worker_name()))
    if claimed is None:
        return
    try:
        with renewing(claimed):
            answers = checking.read(claimed)
    except InvalidUpload as fault:
        patiently(partial(submissions.reject, claimed, fault))
    except Exception as error:
        log.error("checking submission %s failed: %s", claimed.pk, trace_of(error))
        patiently(partial(submissions.give_up_check, claimed))
    else:
        patiently(partial(submissions.accept, claimed, answers))


@app.task(name=CHECK_TEST_SET)
def check_test_set() -> None:
    """Check and compile the next uploaded test set."""
    claimed = patiently(lambda: testsets.claim(timezone.now(), worker_name()))
    if claimed is None:
        return
    try:
        with renewing(claimed):
            compiled = checking.compile_test_set(claimed)
    except InvalidUpload as fault:
        patiently(partial(testsets.record_faults, claimed, fault))
    except Exception as error:
        log.error("checking test set %s failed: %s", claimed.pk, trace_of(error))
        patiently(partial(testsets.give_up_check, claimed))
    else:
        patiently(partial(testsets.record_check, claimed, compiled))


@app.task(name=SCORE)
def score() -> None:
    """Score the next shard."""
    claimed = patiently(lambda: evaluations.claim(timezone.now(), worker_name()))
    if claimed is None:
        return
    try:
        with renewing(claimed):
            rows = scoring.score(claimed)
        patiently(partial(evaluations.finish, claimed, rows))
    except InvalidUpload as fault:
        cause = f"the file does not fit this version of the test set: {fault}"
        patiently(partial(evaluations.fail, claimed, cause))
    except Exception as error:
        trace = trace_of(error)
        log.error("scoring shard %s failed: %s", claimed.pk, trace)
        cause = f"scoring failed for a reason of ours ({type(error).__name__})"
        patiently(partial(evaluations.give_up_shard, claimed, cause, trace))


@app.task(name=SWEEP)
def sweep() -> None:
    """Return expired leases and remind workers of whatever waits."""
    now = timezone.now()
    for noun in (testsets, submissions, evaluations):
        if count := noun.requeue_expired(now):
            log.warning("returned %d expired leases of %s", count, noun.__name__)
    dispatch.remind(CHECK_TEST_SET, TestSetVersion.objects.runnable(now).count())
    dispatch.remind(CHECK, Submission.objects.runnable(now).count())
    dispatch.remind(SCORE, Shard.objects.runnable(now).count())


@worker_ready.connect
def sweep_at_start(**_: object) -> None:
    app.send_task(SWEEP, retry=False)
