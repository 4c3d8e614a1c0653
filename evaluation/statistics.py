"""How sure a score is: a percentile bootstrap over clusters of instances.

Instances of one video (or one task asked in several modes) are not independent, so
whole clusters are drawn with replacement. Every subset has its own random stream,
seeded by the test set and the subset's key: it never depends on the other subsets.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.aggregate import Mask, Stratum, counting, strata, subset_masks
from evaluation.suite import AnySuite
from evaluation.tables import Counts, Floats, InstanceTable

RESAMPLES = 2000
TAILS = (0.025, 0.975)
CHUNK = 2_000_000  # cluster draws held at once: bounds the memory to some 50 MB
DECIMALS = 6  # far below the noise of resampling, above that of the order of sums

Interval = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class ClusterSums:
    """A metric's sums per cluster of a subset, for each of its strata.

    `numerators` and `denominators` have the shape (clusters, strata).
    """

    weights: Floats
    numerators: Floats
    denominators: Floats

    @property
    def clusters(self) -> int:
        """How many clusters say anything about the metric."""
        return int(np.count_nonzero(self.denominators.any(axis=1)))


def intervals(
    suite: AnySuite, table: InstanceTable, seed: str, resamples: int = RESAMPLES
) -> dict[str, dict[str, Interval | None]]:
    """95 % intervals in the metrics' units, by subset and metric.

    None where a metric does not apply, or rests on a single cluster, from which no
    spread can be told. `seed` is the test set's content address.
    """
    codes = cluster_codes(table)
    parts = {metric.key: strata(table, metric) for metric in suite.metrics}
    found: dict[str, dict[str, Interval | None]] = {}
    for subset, mask in subset_masks(suite, table).items():
        sums = [cluster_sums(table, key, parts[key], mask, codes) for key in parts]
        samples = resample(sums, seed, subset, resamples)
        found[subset] = {
            key: interval(values) if one.clusters > 1 else None
            for key, one, values in zip(parts, sums, samples, strict=True)
        }
    return found


def resample(
    sums: Sequence[ClusterSums], seed: str, subset: str, resamples: int
) -> list[Floats]:
    """Each metric in the same resamples of one subset's clusters.

    Returns one array of shape (resamples,) per entry of `sums`, NaN where nothing that
    was drawn applies.
    """
    columns = np.hstack([c for one in sums for c in (one.numerators, one.denominators)])
    chunks = [columns[:0]]
    chunks += [d @ columns for d in _draws(len(columns), seed, subset, resamples)]
    drawn, start, values = np.concatenate(chunks), 0, []
    for one in sums:
        middle, end = start + len(one.weights), start + 2 * len(one.weights)
        values.append(
            combined(drawn[:, start:middle], drawn[:, middle:end], one.weights)
        )
        start = end
    return values


def cluster_codes(table: InstanceTable) -> Counts:
    """A number for each instance's cluster, the same in whatever order they come."""
    codes = {name: code for code, name in enumerate(sorted(set(table.clusters)))}
    return np.fromiter((codes[c] for c in table.clusters), np.int64, len(table))


def cluster_sums(
    table: InstanceTable,
    metric: str,
    parts: Sequence[Stratum],
    subset: Mask,
    codes: Counts,
) -> ClusterSums:
    """Sum a metric by the clusters that the subset has."""
    rows = np.flatnonzero(subset)
    parts = counting(table, metric, parts, rows)
    present, inside = np.unique(codes[rows], return_inverse=True)
    numerators = np.zeros((len(present), len(parts)))
    denominators = np.zeros_like(numerators)
    for column, part in enumerate(parts):
        kept = part.rows is None or part.rows[rows]
        for source, target in (
            (table.numerators, numerators),
            (table.denominators, denominators),
        ):
            values = np.where(kept, source[metric][rows], 0.0)
            target[:, column] = np.bincount(inside, values, len(present))
    weights = np.array([part.weight for part in parts])
    return ClusterSums(
        weights=weights, numerators=numerators, denominators=denominators
    )


def combined(numerators: Floats, denominators: Floats, weights: Floats) -> Floats:
    """The weighted mean over strata (last axis) of ratios, skipping those with 0."""
    applies = denominators != 0
    ratios = numerators / np.where(applies, denominators, 1.0)
    weight = applies @ weights
    total = np.where(applies, ratios, 0.0) @ weights
    mean: Floats = np.where(weight > 0, total / np.where(weight > 0, weight, 1), np.nan)
    return mean


def interval(values: Floats) -> Interval | None:
    """The percentile interval of what was resampled, without the undefined ones."""
    defined = values[np.isfinite(values)]
    if not len(defined):
        return None
    low, high = np.quantile(defined, TAILS).round(DECIMALS).tolist()
    return low + 0.0, high + 0.0  # no negative zeros


def _draws(clusters: int, seed: str, subset: str, resamples: int) -> Iterator[Floats]:
    """How often each cluster is drawn, in chunks of shape (some resamples, clusters)."""
    digest = hashlib.sha256(f"{seed}\n{subset}".encode()).digest()
    random = np.random.Generator(np.random.PCG64(int.from_bytes(digest, "big")))
    size = max(1, CHUNK // max(clusters, 1))
    for start in range(0, resamples if clusters else 0, size):
        rows = min(size, resamples - start)
        drawn = random.integers(0, clusters, (rows, clusters))
        drawn += np.arange(rows)[:, np.newaxis] * clusters
        counts = np.bincount(drawn.ravel(), minlength=rows * clusters)
        yield counts.reshape(rows, clusters).astype(np.float64)
