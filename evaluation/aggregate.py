"""From the instance table to scores: the same code for every suite.

A metric over a subset is a ratio of sums, or (where the suite says `balanced_by`) the
weighted mean of that ratio over a family's values inside the subset.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from evaluation.suite import AnySuite, Family, Metric
from evaluation.tables import Counts, Floats, InstanceTable

Mask = npt.NDArray[np.bool_]
OVERALL = "overall"


@dataclass(frozen=True, kw_only=True)
class Summary:
    """Subset -> metric (or error type) -> value. Scores are None where none applies."""

    scores: dict[str, dict[str, float | None]]
    counts: dict[str, dict[str, int]]  # instances behind each score
    errors: dict[str, dict[str, int]]


@dataclass(frozen=True, kw_only=True)
class Stratum:
    """Instances that are averaged together, and their weight among the strata."""

    weight: float
    rows: Mask | None  # None: all

    def within(self, rows: Counts) -> Counts:
        """Those of the given rows that are in the stratum."""
        return rows if self.rows is None else rows[self.rows[rows]]


def summarise(suite: AnySuite, table: InstanceTable) -> Summary:
    """Scores in the metrics' units, instances behind them and error counts, by subset.

    Sums are exactly rounded, so the order of instances never shows in a score.
    """
    subsets = {k: np.flatnonzero(m) for k, m in subset_masks(suite, table).items()}
    metrics = {metric.key: strata(table, metric) for metric in suite.metrics}
    return Summary(
        scores={
            subset: {key: _score(table, key, s, rows) for key, s in metrics.items()}
            for subset, rows in subsets.items()
        },
        counts={
            subset: {key: _count(table, key, s, rows) for key, s in metrics.items()}
            for subset, rows in subsets.items()
        },
        errors={
            subset: _errors(suite, table, rows) for subset, rows in subsets.items()
        },
    )


def subset_masks(suite: AnySuite, table: InstanceTable) -> dict[str, Mask]:
    """`overall`, then each family's values in the order to show, as row masks."""
    masks = {OVERALL: np.ones(len(table), dtype=np.bool_)}
    for family in suite.families:
        column = table.tags.get(family.key, ())
        for value, mask in family_masks(family, column).items():
            masks[f"{family.key}:{value}"] = mask
    return masks


def family_masks(family: Family, column: Sequence[str]) -> dict[str, Mask]:
    """Row masks of one family's values: its own order first, then first appearance."""
    present = dict.fromkeys(column)
    values = [value for value in family.order if value in present]
    values += [value for value in present if value and value not in family.order]
    codes = dict.fromkeys(present, -1) | {v: code for code, v in enumerate(values)}
    coded = np.fromiter(map(codes.__getitem__, column), np.int64, len(column))
    return {value: coded == codes[value] for value in values}


def strata(table: InstanceTable, metric: Metric) -> list[Stratum]:
    """What a metric averages over: everything, or the values of its `balanced_by`."""
    if metric.balanced_by is None:
        return [Stratum(weight=1.0, rows=None)]
    family = Family(key=metric.balanced_by, label="")
    masks = family_masks(family, table.tags[metric.balanced_by])
    weights = metric.weights or dict.fromkeys(masks, 1.0)
    return [
        Stratum(weight=weights.get(value, 0.0), rows=mask)
        for value, mask in masks.items()
    ]


def counting(
    table: InstanceTable, metric: str, parts: Sequence[Stratum], subset: Counts
) -> list[Stratum]:
    """The strata that make a metric in a subset: those with a weight, where it has any.

    Without one (a middle scene alone, where only final scenes weigh) all count alike.
    """
    denominators = table.denominators[metric]
    present = [part for part in parts if denominators[part.within(subset)].any()]
    weighing = [part for part in present if part.weight > 0]
    return weighing or [replace(part, weight=1.0) for part in present]


def _score(
    table: InstanceTable, metric: str, parts: Sequence[Stratum], subset: Counts
) -> float | None:
    total, weight = 0.0, 0.0
    for part in counting(table, metric, parts, subset):
        rows = part.within(subset)
        denominator = _total(table.denominators[metric][rows])
        total += part.weight * _total(table.numerators[metric][rows]) / denominator
        weight += part.weight
    return total / weight if weight else None


def _total(values: Floats) -> float:
    """The exactly rounded sum; whole numbers need no care to be summed exactly."""
    if (values == np.rint(values)).all():
        return float(values.sum())
    return math.fsum(values.tolist())


def _count(
    table: InstanceTable, metric: str, parts: Sequence[Stratum], subset: Counts
) -> int:
    denominators = table.denominators[metric]
    return sum(
        int(np.count_nonzero(denominators[part.within(subset)]))
        for part in counting(table, metric, parts, subset)
    )


def _errors(suite: AnySuite, table: InstanceTable, subset: Counts) -> dict[str, int]:
    return {
        error.key: int(table.errors[error.key][subset].sum())
        for error in suite.errors
        if error.key in table.errors
    }
