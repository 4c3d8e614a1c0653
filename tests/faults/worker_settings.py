"""Settings of a worker whose scoring is watched, and made to break by some answers.

Scoring writes down what it was given, in the file that EGOBOARD_TEST_SCORED names.
Each call takes EGOBOARD_TEST_PACE seconds more, so that a process that is killed holds
something. An answer that no test set has for a truth tells it to break: see BREAKS.
"""

import dataclasses
import os
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from evaluation import SUITES
from evaluation.suite import Resources
from evaluation.svcbench.draft import Predictions
from evaluation.tables import InstanceTable
from tests.settings import *  # noqa: F403

SOUND = SUITES["svcbench"]


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def hang() -> None:
    time.sleep(3600)


def hang_on() -> None:
    """Hang, whatever is raised to end that."""
    while True:
        with suppress(Exception):
            time.sleep(3600)


BREAKS: dict[int, Callable[[], None]] = {666: kill, 777: hang, 888: hang_on}


def score(
    compiled: object, answers: Predictions, rows: Sequence[int], means: Resources
) -> InstanceTable:
    name = os.environ.get("EGOBOARD_TEST_SCORED")
    if name:
        with open(name, "a") as scored:  # noqa: PTH123
            scored.write(f"{rows[0]}\n")
    time.sleep(float(os.environ.get("EGOBOARD_TEST_PACE", "0")))
    told = BREAKS.get(int(answers.values[0]))
    if told:
        told()
    return SOUND.score(compiled, answers, rows, means)


SUITES["svcbench"] = dataclasses.replace(SOUND, score=score)
