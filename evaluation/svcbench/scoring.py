"""GPA, MoC and both UDAs of every question at once (spec: README.md beside this file).

Source of the formulas: the paper (arXiv 2603.12703) and `eval/compute_metrics.py` of the
released repository at commit a0f0ec0. Values are in percent.
"""

from collections.abc import Sequence

import numpy as np

from evaluation.suite import Resources
from evaluation.svcbench.annotations import Compiled, Flags
from evaluation.svcbench.draft import Predictions
from evaluation.svcbench.errors import labels
from evaluation.svcbench.taxonomy import MONOTONE, UPDATING
from evaluation.svcbench.trajectories import Trajectories, trajectories
from evaluation.tables import Floats, InstanceTable

TOLERATED = 0.05  # the Gaussian's sigma, as a share of the true count


def score(
    compiled: Compiled,
    predictions: Predictions,
    rows: Sequence[int],
    resources: Resources,
) -> InstanceTable:
    """One table row per question at `rows`; query points without an answer are wrong."""
    del resources  # one protocol, no judge
    chosen = np.asarray(rows, np.int64)
    t = trajectories(compiled, predictions, chosen)
    is_monotone = compiled.subtypes.isin(MONOTONE, chosen)
    is_updating = compiled.subtypes.isin(UPDATING, chosen)
    moves = t.is_step & (t.true_change != 0)
    applies = {
        "gpa": np.ones(len(rows), np.bool_),
        "moc": is_monotone & (t.lengths >= 2),
        "uda": is_updating & t.any(moves),
        "uda_direction": is_updating & (t.lengths >= 2),
    }
    values = {
        "gpa": gaussian_precision(t),
        "moc": monotonicity(t),
        "uda": update_detection(t, moves),
        "uda_direction": update_direction(t),
    }
    return InstanceTable(
        ids=tuple(map(compiled.ids.__getitem__, rows)),
        clusters=compiled.videos.at(chosen),
        tags={
            "type": compiled.types.at(chosen),
            "subtype": compiled.subtypes.at(chosen),
            "source": compiled.sources.at(chosen),
        },
        numerators={key: np.where(applies[key], values[key], 0.0) for key in values},
        denominators={key: applies[key].astype(np.float64) for key in values},
        errors=labels(t, is_monotone),
        details={
            "query_points": tuple(t.lengths.tolist()),
            "unanswered": tuple(t.sums(~t.known).astype(np.int64).tolist()),
        },
    )


def gaussian_precision(t: Trajectories) -> Floats:
    """GPA: mean of exp(-(p-g)^2 / (2 s^2)), s = 0.05 max(g, 1); unanswered is 0."""
    sigma = TOLERATED * np.maximum(t.truth, 1)
    closeness = np.exp(-(t.error.astype(np.float64) ** 2) / (2 * sigma**2))
    mean: Floats = 100 * t.sums(np.where(t.known, closeness, 0.0)) / t.lengths
    return mean


def monotonicity(t: Trajectories) -> Floats:
    """MoC: the share of steps before the first that falls or has an unanswered end."""
    breaks = t.is_step & ~(t.is_known_step & (t.predicted_change >= 0))
    before = np.arange(len(t.truth)) - np.repeat(t.starts, t.lengths) - 1
    steps = t.lengths - 1
    held = np.where(breaks, before, np.repeat(steps, t.lengths))
    share: Floats = 100 * np.minimum.reduceat(held, t.starts) / np.maximum(steps, 1)
    return share


def update_detection(t: Trajectories, moves: Flags) -> Floats:
    """UDA of the paper: where the truth moves, how often the prediction moves too."""
    hits = moves & t.is_known_step & (t.predicted_change != 0)
    share: Floats = 100 * t.sums(hits) / np.maximum(t.sums(moves), 1)
    return share


def update_direction(t: Trajectories) -> Floats:
    """UDA of the released script: how often both move the same way, or both stand."""
    same = np.sign(t.predicted_change) == np.sign(t.true_change)
    hits = t.is_known_step & same
    share: Floats = 100 * t.sums(hits) / np.maximum(t.lengths - 1, 1)
    return share
