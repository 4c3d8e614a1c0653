"""Is one submission better than another? A paired bootstrap over the same clusters."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from evaluation.aggregate import Mask, strata, subset_masks, summarise
from evaluation.statistics import (
    RESAMPLES,
    Interval,
    cluster_codes,
    cluster_sums,
    interval,
    resample,
)
from evaluation.suite import AnySuite
from evaluation.tables import Counts, Floats, InstanceTable

Scores = Mapping[str, float | None]
NOISE = 1e-9  # differences below are rounding, not a difference


class NotComparable(ValueError):
    """The two tables are not about the same instances."""


@dataclass(frozen=True, kw_only=True)
class Difference:
    """B minus A, in the metric's unit. No interval or p-value from a single cluster."""

    value: float
    interval: Interval | None
    p_value: float | None


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """By subset: the metrics' differences (None: does not apply), errors as (A, B)."""

    differences: dict[str, dict[str, Difference | None]]
    errors: dict[str, dict[str, tuple[int, int]]]


def compare(
    suite: AnySuite,
    a: InstanceTable,
    b: InstanceTable,
    seed: str,
    *,
    subsets: Collection[str] | None = None,
    resamples: int = RESAMPLES,
) -> Comparison:
    """B minus A in every subset (or the given ones), resampling both together.

    Raises NotComparable unless both tables hold the same instances in the same order,
    and what the suite declares.
    """
    if a.ids != b.ids or a.clusters != b.clusters:
        raise NotComparable(_why(a, b))
    for table in (a, b):
        _check_columns(suite, table)
    masks = subset_masks(suite, a)
    wanted = [key for key in masks if subsets is None or key in subsets]
    first, second = summarise(suite, a), summarise(suite, b)
    pair = _Pair(suite=suite, a=a, b=b, codes=cluster_codes(a))
    return Comparison(
        differences={
            key: pair.differences(
                masks[key],
                (first.scores[key], second.scores[key]),
                (seed, key),
                resamples,
            )
            for key in wanted
        },
        errors={
            key: {
                error: (count, second.errors[key][error])
                for error, count in first.errors[key].items()
            }
            for key in wanted
        },
    )


@dataclass(frozen=True, kw_only=True)
class _Pair:
    suite: AnySuite
    a: InstanceTable
    b: InstanceTable
    codes: Counts

    def differences(
        self,
        mask: Mask,
        scores: tuple[Scores, Scores],
        seeds: tuple[str, str],
        resamples: int,
    ) -> dict[str, Difference | None]:
        """Every metric's difference in one subset, all from the same resamples."""
        sums = [
            cluster_sums(table, metric.key, strata(table, metric), mask, self.codes)
            for metric in self.suite.metrics
            for table in (self.a, self.b)
        ]
        samples = resample(sums, *seeds, resamples)
        found: dict[str, Difference | None] = {}
        for position, metric in enumerate(self.suite.metrics):
            at = 2 * position
            low, high = scores[0][metric.key], scores[1][metric.key]
            if low is None or high is None:
                found[metric.key] = None
            elif min(one.clusters for one in sums[at : at + 2]) < 2:
                found[metric.key] = Difference(
                    value=high - low, interval=None, p_value=None
                )
            else:
                found[metric.key] = _difference(
                    high - low, samples[at + 1] - samples[at]
                )
        return found


def _difference(value: float, samples: Floats) -> Difference:
    defined = samples[np.isfinite(samples)]
    defined[np.abs(defined) < NOISE] = 0.0
    return Difference(
        value=value, interval=interval(defined), p_value=_p_value(defined)
    )


def _p_value(samples: Floats) -> float | None:
    """Two-sided: how often resampling turns the difference round, or to nothing."""
    if not len(samples):
        return None
    tail = min(np.count_nonzero(samples <= 0), np.count_nonzero(samples >= 0))
    return min(1.0, 2 * (int(tail) + 1) / (len(samples) + 1))


def _check_columns(suite: AnySuite, table: InstanceTable) -> None:
    wanted = {metric.key for metric in suite.metrics} - table.numerators.keys()
    wanted |= {error.key for error in suite.errors} - table.errors.keys()
    wanted |= {family.key for family in suite.families} - table.tags.keys()
    if wanted:
        lacking = ", ".join(sorted(wanted))
        detail = f"a report lacks {lacking}: another version made it"
        raise NotComparable(f"{detail}; score both again")


def _why(a: InstanceTable, b: InstanceTable) -> str:
    what = "the two are not about the same instances"
    if len(a) != len(b):
        return f"{what}: A has {len(a)} instances, B has {len(b)}"
    for row, (first, second) in enumerate(zip(a.ids, b.ids, strict=True), 1):
        if first != second:
            return f"{what}: instance {row} is {first!r} in A and {second!r} in B"
    pairs = zip(a.ids, a.clusters, b.clusters, strict=True)
    id_, first, second = next(one for one in pairs if one[1] != one[2])
    return f"{what}: {id_!r} is of {first!r} in A and of {second!r} in B"
