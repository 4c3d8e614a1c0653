"""One exclusive label per question: the first that applies, so that they add up."""

import numpy as np

from evaluation.suite import ErrorType
from evaluation.svcbench.annotations import Flags
from evaluation.svcbench.trajectories import Trajectories
from evaluation.tables import Counts

ERRORS = (
    ErrorType(
        key="invalid",
        label="Invalid",
        meaning="A prediction of the question is missing or unreadable.",
    ),
    ErrorType(
        key="non_monotone",
        label="Not monotone",
        meaning="A cumulative count falls, which it never can (O2-Unique, E1, E2).",
    ),
    ErrorType(
        key="correct",
        label="Correct",
        meaning="Every prediction of the question equals the truth.",
        is_right=True,
    ),
    ErrorType(
        key="lagging",
        label="Lagging",
        meaning="The truth moves and the prediction stands still, on at least half of "
        "the steps where the truth moves.",
    ),
    ErrorType(
        key="over_count",
        label="Over-count",
        meaning="The errors of the question sum to more than zero.",
    ),
    ErrorType(
        key="under_count",
        label="Under-count",
        meaning="The errors of the question sum to less than zero.",
    ),
    ErrorType(
        key="mixed_count",
        label="Mixed",
        meaning="Over- and under-counts of the question cancel out.",
    ),
)
EXACT_SUM = 2**40  # errors up to here sum exactly in 64 bits, for any real length


def labels(trajectories: Trajectories, is_monotone: Flags) -> dict[str, Counts]:
    """Error type -> 1 or 0 per question, of shape (questions,); each has exactly one.

    `is_monotone` says which questions ask for a cumulative count.
    """
    total = _summed_error(trajectories)
    falls = trajectories.is_known_step & (trajectories.predicted_change < 0)
    applies = {
        "invalid": trajectories.any(~trajectories.known),
        "non_monotone": is_monotone & trajectories.any(falls),
        "correct": ~trajectories.any(trajectories.error != 0),
        "lagging": _is_lagging(trajectories),
        "over_count": total > 0,
        "under_count": total < 0,
        "mixed_count": total == 0,
    }
    left = np.ones(len(trajectories.lengths), np.bool_)
    found = {}
    for key, flags in applies.items():
        found[key] = (left & flags).astype(np.int64)
        left &= ~flags
    return found


def _is_lagging(trajectories: Trajectories) -> Flags:
    moves = trajectories.is_step & (trajectories.true_change != 0)
    stands = moves & trajectories.is_known_step & (trajectories.predicted_change == 0)
    steps = trajectories.sums(moves)
    lagging: Flags = (steps > 0) & (2 * trajectories.sums(stands) >= steps)
    return lagging


def _summed_error(trajectories: Trajectories) -> Counts:
    """The sign of each question's summed error, exact however large predictions are."""
    error = trajectories.error
    if np.abs(error).max(initial=0) > EXACT_SUM:
        error = error.astype(object)  # Python integers: slower, and they never wrap
    summed = np.add.reduceat(error, trajectories.starts)
    signs: Counts = (summed > 0).astype(np.int64) - (summed < 0).astype(np.int64)
    return signs
