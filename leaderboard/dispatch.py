"""The one seam to the workers: send a hint once the rows are committed.

A hint says "look". Losing, doubling or delaying one is harmless, and a broker that is
down only delays the work until the next sweep; so errors here never reach a user.
"""

from functools import partial

from django.conf import settings
from django.db import transaction

from workers.app import CHECK, CHECK_TEST_SET, SCORE, app


def _hint(task: str) -> None:
    send = partial(app.send_task, task, retry=False)
    transaction.on_commit(send, robust=True)


def check_later() -> None:
    _hint(CHECK)


def check_test_set_later() -> None:
    _hint(CHECK_TEST_SET)


def score_later(shards: int) -> None:
    for _ in range(min(shards, settings.MAX_HINTS)):
        _hint(SCORE)


def remind(task: str, waiting: int) -> None:
    """Hints for rows that wait; they expire with the sweep that sends the next ones."""
    for _ in range(min(waiting, settings.MAX_HINTS)):
        app.send_task(task, retry=False, expires=settings.SWEEP_SECONDS)
