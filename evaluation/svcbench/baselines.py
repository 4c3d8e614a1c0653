"""Answers that need no video. The position of a query point gives much away."""

import numpy as np

from evaluation.suite import Baseline, Coverage
from evaluation.svcbench.annotations import Compiled
from evaluation.svcbench.draft import ANSWERED, Predictions
from evaluation.tables import Counts


def staircase(compiled: Compiled) -> Predictions:
    """query_index + 1."""
    return _answers(compiled, np.array(compiled.manifest.query_index, np.int64) + 1)


def constant(compiled: Compiled) -> Predictions:
    """3 everywhere."""
    return _answers(compiled, np.full(len(compiled.counts), 3, np.int64))


def zeros(compiled: Compiled) -> Predictions:
    """0 everywhere."""
    return _answers(compiled, np.zeros(len(compiled.counts), np.int64))


def lagging(compiled: Compiled) -> Predictions:
    """The truth of the previous query point, 0 at the first."""
    previous = np.roll(compiled.counts, 1)
    previous[np.array(compiled.manifest.query_index, np.int64) == 0] = 0
    return _answers(compiled, previous)


BASELINES = (
    Baseline(
        key="staircase",
        label="Staircase",
        meaning="query_index + 1: what the position of a query point gives away.",
        predict=staircase,
    ),
    Baseline(
        key="lagging",
        label="Lagging",
        meaning="The truth of the previous query point (0 at first): perfect, too late.",
        predict=lagging,
    ),
    Baseline(
        key="constant",
        label="Constant 3",
        meaning="3 at every query point: never falls, never moves.",
        predict=constant,
    ),
    Baseline(
        key="zeros",
        label="Zeros",
        meaning="0 at every query point.",
        predict=zeros,
    ),
)


def _answers(compiled: Compiled, values: Counts) -> Predictions:
    return Predictions(
        manifest=compiled.manifest,
        values=values,
        state=np.full(len(values), ANSWERED, np.int8),
        coverage=Coverage(expected=len(values), answered=len(values)),
    )
