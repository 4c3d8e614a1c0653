"""From the instance table to scores: the same code for every suite.

A metric over a subset is a ratio of sums, or (where the suite says `balanced_by`) the
weighted mean of that ratio over a family's values inside the subset.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evaluation.suite import AnySuite, Family, Metric
from evaluation.tables import InstanceTable

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
    rows: Mask


def summarise(suite: AnySuite, table: InstanceTable) -> Summary:
    """Scores in the metrics' units, instances behind them and error counts, by subset.

    Sums are exactly rounded, so the order of instances never shows in a score.
    """
    masks = subset_masks(suite, table)
    metrics = {metric.key: strata(table, metric) for metric in suite.metrics}
    return Summary(
        scores={
            subset: {key: _score(table, key, s, mask) for key, s in metrics.items()}
            for subset, mask in masks.items()
        },
        counts={
            subset: {key: _count(table, key, s, mask) for key, s in metrics.items()}
            for subset, mask in masks.items()
        },
        errors={subset: _errors(suite, table, mask) for subset, mask in masks.items()},
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
    codes = {value: code for code, value in enumerate(values)}
    coded = np.fromiter((codes.get(v, -1) for v in column), np.int64, len(column))
    return {value: coded == code for value, code in codes.items()}


def strata(table: InstanceTable, metric: Metric) -> list[Stratum]:
    """What a metric averages over: everything, or the values of its `balanced_by`."""
    if metric.balanced_by is None:
        return [Stratum(weight=1.0, rows=np.ones(len(table), dtype=np.bool_))]
    family = Family(key=metric.balanced_by, label="")
    masks = family_masks(family, table.tags[metric.balanced_by])
    weights = metric.weights or dict.fromkeys(masks, 1.0)
    return [
        Stratum(weight=weights[value], rows=mask)
        for value, mask in masks.items()
        if weights.get(value, 0.0) > 0
    ]


def _score(
    table: InstanceTable, metric: str, parts: Sequence[Stratum], subset: Mask
) -> float | None:
    total, weight = 0.0, 0.0
    for part in parts:
        rows = subset & part.rows
        denominator = math.fsum(table.denominators[metric][rows].tolist())
        if denominator:
            ratio = math.fsum(table.numerators[metric][rows].tolist()) / denominator
            total += part.weight * ratio
            weight += part.weight
    return total / weight if weight else None


def _count(
    table: InstanceTable, metric: str, parts: Sequence[Stratum], subset: Mask
) -> int:
    applies = table.denominators[metric] != 0
    return sum(int(np.count_nonzero(subset & p.rows & applies)) for p in parts)


def _errors(suite: AnySuite, table: InstanceTable, subset: Mask) -> dict[str, int]:
    return {
        error.key: int(table.errors[error.key][subset].sum())
        for error in suite.errors
        if error.key in table.errors
    }
