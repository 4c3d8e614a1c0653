"""Doing things at the same moment, each in its own thread and transaction."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from django.db import connection


def race(*runners: Callable[[], object]) -> list[object]:
    """Start all at once; what each returned, or the exception that it raised."""
    start = threading.Barrier(len(runners))

    def run(runner: Callable[[], object]) -> object:
        try:
            start.wait(10)
            return runner()
        except Exception as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(runners)) as pool:
        return list(pool.map(run, runners))


def aside(runner: Callable[[], object]) -> object:
    """Run in another thread, and so in another transaction, to the end."""
    (result,) = race(runner)
    return result
