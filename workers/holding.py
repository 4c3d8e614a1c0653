"""Working under a lease: keep it renewed, and record the outcome robustly."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from django.conf import settings
from django.db import InterfaceError, OperationalError, connection

from leaderboard.models.leases import Leased, renew
from workers.traces import trace_of

T = TypeVar("T")
PATIENCE_SECONDS = (0.5, 1, 2, 4, 8, 8)


def worker_name() -> str:
    return f"{socket.gethostname()}/{threading.get_native_id()}"


def attempt(claimed: Leased, work: Callable[[], object]) -> str:
    """Work under a renewed lease; the trace of what went wrong, "" when nothing did.

    The error itself stays here: its message may quote hidden annotations, and whatever
    is raised while it is handled would carry it along into the log.
    """
    try:
        with renewing(claimed):
            work()
    except Exception as error:
        return trace_of(error)
    return ""


@contextmanager
def renewing(claimed: Leased) -> Iterator[None]:
    """Renew the lease from a thread of its own while the caller works."""
    done = threading.Event()
    thread = threading.Thread(target=_renew_until, args=(claimed, done), daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def patiently(record: Callable[[], T]) -> T:
    """Run a verb, waiting out a database that restarts.

    Safe because verbs are fenced: if a commit went through and only its answer was
    lost, the second try finds the row no longer held and changes nothing.
    """
    for pause in PATIENCE_SECONDS:
        try:
            return record()
        except (OperationalError, InterfaceError):
            connection.close()
            time.sleep(pause)
    return record()


def _renew_until(claimed: Leased, done: threading.Event) -> None:
    try:
        while not done.wait(settings.LEASE_SECONDS / 3):
            try:
                if not renew(claimed):
                    return
            except (OperationalError, InterfaceError):
                connection.close()
    finally:
        connection.close()
