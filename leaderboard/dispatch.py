"""The one seam to the workers: send a hint once the rows are committed.

A hint says "look". Losing, doubling or delaying one is harmless, and a broker that is
down only delays the work until the next sweep; so errors here never reach a user.
"""

from django.conf import settings
from django.db import transaction

from workers.app import CHECK, CHECK_TEST_SET, JUDGE, SCORE, app


def check_later() -> None:
    _hint(CHECK)


def check_test_set_later() -> None:
    _hint(CHECK_TEST_SET)


def score_later(shards: int, *, is_judged: bool) -> None:
    """Wake as many workers. Each passes its hint on until nothing waits."""
    _hint(JUDGE if is_judged else SCORE, shards)


def remind(task: str, waiting: int) -> None:
    """Top up the hints for rows that wait, so that they never pile up unread."""
    _send(task, min(waiting, settings.MAX_HINTS) - _unread(task))


def _hint(task: str, count: int = 1) -> None:
    def send() -> None:  # no partial: Django's log of a failed hook asks for its name
        _send(task, min(count, settings.MAX_HINTS))

    transaction.on_commit(send, robust=True)


def _send(task: str, count: int) -> None:
    """Stops at the first error: a broker that is down is asked once, not for each."""
    for _ in range(count):
        app.send_task(task, retry=False)


def _unread(task: str) -> int:
    """How many messages wait in the task's queue."""
    queue = app.conf.task_routes[task]["queue"]
    with app.connection_for_write() as connection:
        try:
            channel = connection.default_channel
            declared = channel.queue_declare(queue, passive=True)  # type: ignore[attr-defined]
        except connection.channel_errors:  # an empty queue may not exist
            return 0
        return int(declared.message_count)
