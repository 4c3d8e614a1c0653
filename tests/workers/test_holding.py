"""Leases are renewed while work goes on; a database that restarts is waited out."""

import threading
import time

import pytest
from django.db import InterfaceError, OperationalError
from django.utils import timezone
from pytest_django import Settings

from leaderboard import evaluations
from leaderboard.models import Shard
from leaderboard.models.leases import clock
from tests import factories
from workers import holding
from workers.holding import attempt, patiently, renewing


@pytest.fixture
def held(transactional_db: None, settings: Settings) -> Shard:
    """A shard under a lease of six tenths of a second."""
    settings.LEASE_SECONDS = 0.6
    factories.make_evaluation(shards=1)
    claimed = evaluations.claim(clock(), "w1")
    assert claimed is not None
    return claimed


def until(condition: object, seconds: float = 10) -> bool:
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.02)
    return bool(condition())


def test_a_lease_is_renewed_for_as_long_as_the_work_takes(held: Shard) -> None:
    def lease() -> object:
        return Shard.objects.get().lease_expires_at

    first = held.lease_expires_at
    with renewing(held):
        assert until(lambda: lease() > first)
        second = lease()
        assert until(lambda: lease() > second)
        assert evaluations.requeue_expired(first) == 0


def test_the_renewing_ends_with_the_work(held: Shard) -> None:
    before = threading.active_count()
    with renewing(held):
        assert threading.active_count() == before + 1
    assert threading.active_count() == before


def test_the_renewing_stops_when_the_row_was_taken_over(held: Shard) -> None:
    before = threading.active_count()
    with renewing(held):
        Shard.objects.update(attempt=held.attempt + 1)
        kept = Shard.objects.get().lease_expires_at
        assert until(lambda: threading.active_count() == before)
        assert Shard.objects.get().lease_expires_at == kept


def test_the_renewing_survives_a_database_error(
    held: Shard, monkeypatch: pytest.MonkeyPatch
) -> None:
    renew, calls = holding.renew, []

    def flaky(claimed: Shard) -> bool:
        calls.append(claimed)
        if len(calls) == 1:
            raise OperationalError("server closed the connection")
        return renew(claimed)

    monkeypatch.setattr(holding, "renew", flaky)
    first = held.lease_expires_at
    with renewing(held):
        assert until(lambda: Shard.objects.get().lease_expires_at > first)
    assert len(calls) >= 2


def test_the_renewing_ends_when_the_work_fails(held: Shard) -> None:
    before = threading.active_count()
    trace = attempt(held, lambda: [][1])
    assert trace.startswith("IndexError at tests/workers/test_holding.py:")
    assert threading.active_count() == before


def test_work_that_succeeds_leaves_no_trace(held: Shard) -> None:
    done: list[int] = []
    assert attempt(held, lambda: done.append(1)) == ""
    assert done == [1]


# --- patience ----------------------------------------------------------------------


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    waited: list[float] = []
    monkeypatch.setattr("workers.holding.time.sleep", waited.append)
    return waited


@pytest.mark.parametrize("error", [OperationalError, InterfaceError])
@pytest.mark.django_db(transaction=True)
def test_a_verb_is_tried_again_while_the_database_is_away(
    pauses: list[float], error: type[Exception]
) -> None:
    tries: list[int] = []

    def verb() -> str:
        tries.append(1)
        if len(tries) < 4:
            raise error("the server is starting up")
        return "done"

    assert patiently(verb) == "done"
    assert pauses == [0.5, 1, 2]


@pytest.mark.django_db(transaction=True)
def test_patience_ends(pauses: list[float]) -> None:
    def verb() -> None:
        raise OperationalError("the server is gone")

    with pytest.raises(OperationalError):
        patiently(verb)
    assert sum(pauses) == 23.5


def test_other_errors_are_not_repeated(pauses: list[float]) -> None:
    tries: list[int] = []

    def verb() -> None:
        tries.append(1)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        patiently(verb)
    assert (len(tries), pauses) == (1, [])


@pytest.mark.django_db(transaction=True)
def test_a_commit_whose_answer_is_lost_counts_once(pauses: list[float]) -> None:
    """The second try finds the row released, and says so instead of doing it twice."""
    evaluation = factories.make_evaluation(shards=1)
    claimed = evaluations.claim(timezone.now(), "w1")
    answers: list[object] = []

    def give_up() -> None:
        evaluations.give_up_shard(claimed, "it broke", "a trace")
        answers.append(Shard.objects.get().failures)
        if len(answers) == 1:
            raise OperationalError("connection lost after COMMIT")

    patiently(give_up)

    assert answers == [1, 1]
    evaluation.refresh_from_db()
    assert evaluation.status == "running"


@pytest.mark.django_db(transaction=True)
def test_a_claim_whose_answer_is_lost_comes_back_by_the_sweep(
    pauses: list[float],
) -> None:
    factories.make_evaluation(shards=2)
    claims: list[Shard] = []

    def claim() -> Shard | None:
        claims.append(evaluations.claim(timezone.now(), "w1"))
        if len(claims) == 1:
            raise OperationalError("connection lost after COMMIT")
        return claims[-1]

    held = patiently(claim)

    assert held.number == 1
    lost = Shard.objects.get(number=0)
    assert (lost.status, lost.attempt) == ("running", 1)
    Shard.objects.filter(number=0).update(lease_expires_at=timezone.now())
    assert evaluations.requeue_expired(timezone.now()) == 1
