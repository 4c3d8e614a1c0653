"""Hints: after the commit, robustly, never more than can be used."""

import logging
from collections.abc import Iterator

import pytest
from django.db import transaction
from kombu.exceptions import OperationalError
from kombu.transport.redis import Channel
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from leaderboard import dispatch
from workers.app import CHECK, CHECK_TEST_SET, JUDGE, SCORE, SWEEP, app


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the tasks that were sent, to a broker that takes everything."""
    names: list[str] = []
    monkeypatch.setattr(app, "send_task", lambda name, **_: names.append(name))
    return names


@pytest.fixture
def down(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The same with a broker that is down."""
    tried: list[str] = []

    def send_task(name: str, **options: object) -> None:
        assert options == {"retry": False}
        tried.append(name)
        raise OperationalError("Connection refused")

    monkeypatch.setattr(app, "send_task", send_task)
    return tried


@pytest.fixture
def channel(services: object) -> Iterator[Channel]:
    """The real broker, with nothing in the queue to which reminders of SCORE go."""
    with app.connection_for_write() as connection:
        channel = connection.default_channel
        channel.queue_purge("score")
        yield channel
        channel.queue_purge("score")


def test_every_name_that_is_sent_belongs_to_a_task() -> None:
    app.loader.import_default_modules()
    assert {CHECK, CHECK_TEST_SET, JUDGE, SCORE, SWEEP} <= set(app.tasks)


@pytest.mark.django_db(transaction=True)
def test_a_hint_waits_for_the_commit(sent: list[str]) -> None:
    with transaction.atomic():
        dispatch.check_later()
        dispatch.check_test_set_later()
        dispatch.score_later(2, is_judged=False)
        dispatch.score_later(1, is_judged=True)
        assert sent == []
    assert sent == [CHECK, CHECK_TEST_SET, SCORE, SCORE, JUDGE]


@pytest.mark.django_db(transaction=True)
def test_what_is_rolled_back_sends_no_hint(sent: list[str]) -> None:
    with transaction.atomic():
        dispatch.check_later()
        transaction.set_rollback(True)
    assert sent == []


@pytest.mark.django_db(transaction=True)
def test_a_broker_that_is_down_disturbs_nobody_and_is_asked_once(
    down: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    with transaction.atomic():
        dispatch.score_later(30, is_judged=False)
    assert down == [SCORE]


@pytest.mark.django_db
def test_hints_are_capped(
    sent: list[str],
    settings: Settings,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    settings.MAX_HINTS = 3
    with django_capture_on_commit_callbacks(execute=True):
        dispatch.score_later(1000, is_judged=False)
    assert sent == [SCORE] * 3


def test_reminders_fill_up_what_is_missing_and_never_pile_up(
    channel: Channel, settings: Settings
) -> None:
    settings.MAX_HINTS = 5
    for waiting, expected in [(0, 0), (2, 2), (2, 2), (4, 4), (1, 4), (99, 5), (99, 5)]:
        dispatch.remind(SCORE, waiting)
        assert channel._size("score") == expected


def test_the_queue_is_set_up_to_lose_nothing() -> None:
    conf = app.conf
    assert conf.task_acks_late
    assert not conf.task_reject_on_worker_lost
    assert conf.worker_prefetch_multiplier == 1
    assert conf.result_backend is None
    assert conf.task_ignore_result
    assert conf.task_soft_time_limit < conf.task_time_limit
    assert conf.task_time_limit < conf.broker_transport_options["visibility_timeout"]
    assert conf.broker_connection_max_retries is None  # never gives up
    assert conf.worker_max_memory_per_child
    assert {route["queue"] for route in conf.task_routes.values()} == {
        "check",
        "judge",
        "score",
        "upkeep",
    }
    assert [entry["task"] for entry in conf.beat_schedule.values()] == [SWEEP]


def test_no_task_is_retried_by_celery() -> None:
    app.loader.import_default_modules()
    for name in (CHECK, CHECK_TEST_SET, JUDGE, SCORE, SWEEP):
        assert not hasattr(app.tasks[name], "autoretry_for")
