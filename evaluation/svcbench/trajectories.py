"""Predicted and true counts of many questions as flat arrays, and their steps.

All questions lie one behind the other in arrays of shape (query points,); `starts` and
`lengths`, of shape (questions,), say where each begins and how long it is. A step leads
from one query point to the next of the same question and stands at the later one.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evaluation.svcbench.annotations import Compiled, Flags, Manifest
from evaluation.svcbench.draft import ANSWERED, TOLERANCE, Predictions
from evaluation.tables import Counts, Floats


@dataclass(frozen=True, kw_only=True, eq=False)
class Trajectories:
    predicted: Counts  # means nothing where not known
    known: Flags
    truth: Counts
    lengths: Counts

    @cached_property
    def starts(self) -> Counts:
        return np.cumsum(self.lengths) - self.lengths

    @cached_property
    def is_step(self) -> Flags:
        """False at the first query point of each question."""
        steps = np.ones(len(self.truth), np.bool_)
        steps[self.starts] = False
        return steps

    @cached_property
    def is_known_step(self) -> Flags:
        """Steps with both ends known."""
        known = self.is_step.copy()
        known[1:] &= self.known[1:] & self.known[:-1]
        return known

    @cached_property
    def predicted_change(self) -> Counts:
        """Into each query point; means nothing where there is no known step."""
        return np.diff(self.predicted, prepend=0)

    @cached_property
    def true_change(self) -> Counts:
        """Into each query point; means nothing where there is no step."""
        return np.diff(self.truth, prepend=0)

    @cached_property
    def error(self) -> Counts:
        """Predicted minus true."""
        return self.predicted - self.truth

    def sums(self, values: Floats | Flags) -> Floats:
        """Sum by question, of shape (questions,)."""
        total: Floats = np.add.reduceat(values.astype(np.float64), self.starts)
        return total

    def any(self, flags: Flags) -> Flags:
        """Whether anything is set in each question, of shape (questions,)."""
        found: Flags = np.logical_or.reduceat(flags, self.starts)
        return found


def trajectories(
    compiled: Compiled, predictions: Predictions, chosen: Counts
) -> Trajectories:
    """The trajectories of the questions at these positions of the test set."""
    values, known = _aligned(compiled, predictions)
    lengths = compiled.lengths[chosen]
    begins = (np.cumsum(compiled.lengths) - compiled.lengths)[chosen]
    places = np.arange(int(lengths.sum())) + np.repeat(
        begins - (np.cumsum(lengths) - lengths), lengths
    )
    return Trajectories(
        predicted=values[places],
        known=known[places],
        truth=compiled.counts[places],
        lengths=lengths,
    )


def _aligned(compiled: Compiled, predictions: Predictions) -> tuple[Counts, Flags]:
    """Values and whether they are known, at the query points of this test set.

    A submission may have been read with the manifest of another version of the test
    set. Then only what was asked in the same way counts as answered: the same q_id of
    the same question at the same time.
    """
    manifest, known = predictions.manifest, predictions.state == ANSWERED
    if manifest is None:
        raise ValueError("these predictions were read without a manifest")
    if manifest == compiled.manifest:
        return predictions.values, known
    return _joined(compiled.manifest, manifest, predictions.values, known)


def _joined(
    wanted: Manifest, read: Manifest, values: Counts, known: Flags
) -> tuple[Counts, Flags]:
    row_of = {q_id: row for row, q_id in enumerate(read.q_ids)}
    rows = np.array([row_of.get(q_id, -1) for q_id in wanted.q_ids], np.int64)
    same = np.array(
        [
            row >= 0
            and read.ids[row] == wanted.ids[at]
            and abs(read.query_times[row] - wanted.query_times[at]) <= TOLERANCE
            for at, row in enumerate(rows.tolist())
        ],
        np.bool_,
    )
    if not len(values):
        return np.zeros(len(rows), np.int64), same
    return values[rows], known[rows] & same
