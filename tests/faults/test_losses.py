"""Any process may be lost at any moment: nothing is lost with it or counted twice."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from django.db import connection
from pytest_django import Settings

from leaderboard import embedded, processes
from leaderboard.models import (
    BoardEntry,
    Evaluation,
    Shard,
    Submission,
)
from tests import factories
from tests.faults.conftest import Processes, until
from tests.faults.outcomes import assert_scored_once, is_over
from tests.workers import small
from workers.app import app

pytestmark = [pytest.mark.faults, pytest.mark.django_db(transaction=True)]
QUESTIONS = 100
TRUTH = small.annotations(questions=QUESTIONS)
ANSWERS = small.predictions(questions=QUESTIONS, wrong=50)


def in_the_middle() -> bool:
    """Some shards are done and many are not."""
    return 5 <= Shard.objects.filter(status="done").count() <= QUESTIONS - 30


def held() -> set[int]:
    """The first instances of the shards that somebody works on."""
    running = Shard.objects.filter(status="running")
    return set(running.values_list("start", flat=True))


@pytest.fixture
def submission(server: Processes, settings: Settings) -> Submission:
    """A sound file on a test set of many shards, accepted and not yet scored."""
    phase = small.open_phase(TRUTH)
    settings.SHARD_SECONDS = 1e-9  # one question each
    return small.accepted(phase, ANSWERS)


def test_a_worker_killed_in_the_middle_costs_nothing_but_time(
    server: Processes,
    submission: Submission,
    scored: Callable[[], list[int]],
    tmp_path: Path,
) -> None:
    server.beat()
    worker = server.worker()
    assert until(lambda: in_the_middle() and held()), server.said()

    processes.kill(worker)
    lost = held()
    server.worker()

    assert until(is_over), server.said()
    assert_scored_once(tmp_path, TRUTH, ANSWERS)
    again = {start for start, times in Counter(scored()).items() if times > 1}
    assert again <= lost  # nothing that was done is done again
    assert set(scored()) == set(range(QUESTIONS))


def test_a_broker_that_forgets_everything_delays_the_work(
    server: Processes,
    submission: Submission,
    scored: Callable[[], list[int]],
    tmp_path: Path,
) -> None:
    server.beat()
    server.worker()
    assert until(in_the_middle), server.said()

    with app.connection_for_write() as broker:
        broker.default_channel.client.flushall()

    assert until(is_over), server.said()
    assert_scored_once(tmp_path, TRUTH, ANSWERS)
    assert sorted(scored()) == list(range(QUESTIONS))


def test_a_database_that_crashes_in_the_middle_is_waited_out(
    server: Processes,
    submission: Submission,
    services: embedded.Running,
    tmp_path: Path,
) -> None:
    if services.postgres is None:
        pytest.skip("DATABASE_URL names a database that is not ours to kill")
    server.beat()
    server.worker()
    assert until(in_the_middle), server.said()

    services.postgres.kill()
    connection.close()
    services.postgres.start()

    assert until(is_over), server.said()
    assert_scored_once(tmp_path, TRUTH, ANSWERS)


def test_two_workers_share_the_shards(
    server: Processes,
    submission: Submission,
    scored: Callable[[], list[int]],
    tmp_path: Path,
) -> None:
    server.worker()
    server.worker()
    assert until(is_over), server.said()
    assert_scored_once(tmp_path, TRUTH, ANSWERS)
    assert sorted(scored()) == list(range(QUESTIONS))


def test_a_submission_is_taken_in_while_the_broker_is_down(
    server: Processes, services: embedded.Running, tmp_path: Path
) -> None:
    if services.redis is None:
        pytest.skip("BROKER_URL names a broker that is not ours to stop")
    phase = small.open_phase()
    server.beat()
    server.wait_for(server.worker(EGOBOARD_SHARD_SECONDS="1"))

    services.redis.stop()
    submission = small.submit(phase, small.predictions(wrong=2))
    assert submission.status == Submission.Status.RECEIVED
    services.redis.start()

    # A Celery worker that loses its broker at a bad moment ends (kombu asks a closed
    # connection for its host); whoever runs a server starts it again.
    assert until(lambda: server.revive() or is_over()), server.said()
    assert_scored_once(tmp_path, small.annotations(), small.predictions(wrong=2))


def test_scoring_that_ends_its_own_process_fails_and_the_worker_lives_on(
    server: Processes,
) -> None:
    """Killed, out of time, and out of time for good: each three times, then no more."""
    phase = small.open_phase()
    user = factories.make_user()
    bad = {
        first: small.submit(phase, small.predictions(first=first), user=user)
        for first in (666, 777, 888)
    }
    limits = {"SOFT_LIMIT": "1", "HARD_LIMIT": "2", "LEASE": "3", "VISIBILITY": "30"}
    server.beat()
    worker = server.worker(
        EGOBOARD_SHARD_SECONDS="1",
        **{f"EGOBOARD_{name}": value for name, value in limits.items()},
    )

    def failed() -> bool:
        return Evaluation.objects.filter(status="failed").count() == len(bad)

    assert until(failed, 90), server.said()
    good = small.submit(phase, user=user)
    assert until(lambda: good.evaluations.filter(status="scored").exists(), 30)

    lost = "the worker that scored it was lost"
    slow = "scoring failed for a reason of ours (SoftTimeLimitExceeded)"
    for first, cause in {666: lost, 777: slow, 888: lost}.items():
        evaluation = bad[first].evaluations.get()
        assert evaluation.cause.startswith(cause)
        assert evaluation.cause.endswith("; we tried 3 times")
        ledger = bad[first].quota_entries.values_list("kind", flat=True)
        assert list(ledger) == ["reserve", "consume", "refund"]
    assert worker.poll() is None
    assert BoardEntry.objects.get().evaluation.submission == good
