"""The instance table: what every suite's `score` returns, one row per instance.

Every metric is a ratio of sums. A mean has denominator 1 where the metric applies and
0 where it does not; a Σ/Σ metric has real denominators. So aggregation, intervals and
comparison need no knowledge of the suite.
"""

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import msgspec
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, kw_only=True, eq=False)
class InstanceTable:
    """Rows of scored instances, by column; all columns have one entry per instance."""

    ids: tuple[str, ...]
    clusters: tuple[str, ...]  # what to resample together: a video, a task in 3 modes
    tags: Mapping[str, tuple[str, ...]]  # family -> value of each instance, "" = none
    numerators: Mapping[str, Floats]  # metric -> values in the metric's unit
    denominators: Mapping[str, Floats]
    errors: Mapping[str, Counts]  # error type -> how often it occurs in the instance
    details: Mapping[str, tuple[object, ...]] = field(default_factory=dict)
    counters: Mapping[str, int] = field(default_factory=dict)  # e.g. judge questions

    def __len__(self) -> int:
        return len(self.ids)

    def value(self, metric: str, row: int) -> float | None:
        """One instance's value, None where the metric does not apply."""
        denominator = self.denominators[metric][row]
        return (
            float(self.numerators[metric][row] / denominator) if denominator else None
        )

    def error(self, row: int) -> str | None:
        """The instance's error type; None where a suite counts errors per element."""
        found = {key: counts[row] for key, counts in self.errors.items() if counts[row]}
        return next(iter(found)) if sum(found.values()) == 1 else None

    def subsets(self, row: int) -> list[str]:
        """The instance's subset keys, like `type:O1`."""
        return [f"{family}:{v[row]}" for family, v in self.tags.items() if v[row]]


def concatenate(parts: Sequence[InstanceTable]) -> InstanceTable:
    """Join the tables of a submission's shards, in the order given."""
    first = parts[0]
    return InstanceTable(
        ids=tuple(i for part in parts for i in part.ids),
        clusters=tuple(c for part in parts for c in part.clusters),
        tags={k: tuple(v for p in parts for v in p.tags[k]) for k in first.tags},
        numerators={
            k: np.concatenate([p.numerators[k] for p in parts])
            for k in first.numerators
        },
        denominators={
            k: np.concatenate([p.denominators[k] for p in parts])
            for k in first.denominators
        },
        errors={k: np.concatenate([p.errors[k] for p in parts]) for k in first.errors},
        details={
            k: tuple(v for p in parts for v in p.details[k]) for k in first.details
        },
        counters={k: sum(p.counters.get(k, 0) for p in parts) for k in _keys(parts)},
    )


def _keys(parts: Sequence[InstanceTable]) -> list[str]:
    return list(dict.fromkeys(key for part in parts for key in part.counters))


class _Packed(msgspec.Struct):
    ids: tuple[str, ...]
    clusters: tuple[str, ...]
    tags: dict[str, tuple[str, ...]]
    numerators: dict[str, bytes]
    denominators: dict[str, bytes]
    errors: dict[str, bytes]
    details: dict[str, tuple[object, ...]]
    counters: dict[str, int]


def pack(table: InstanceTable) -> bytes:
    """The table as compact bytes; the same table always gives the same bytes."""
    packed = _Packed(
        ids=table.ids,
        clusters=table.clusters,
        tags=dict(table.tags),
        numerators={k: _bytes(v, "<f8") for k, v in table.numerators.items()},
        denominators={k: _bytes(v, "<f8") for k, v in table.denominators.items()},
        errors={k: _bytes(v, "<i8") for k, v in table.errors.items()},
        details=dict(table.details),
        counters=dict(table.counters),
    )
    return zlib.compress(msgspec.msgpack.encode(packed), 6)


def unpack(data: bytes) -> InstanceTable:
    """The inverse of `pack`."""
    packed = msgspec.msgpack.decode(zlib.decompress(data), type=_Packed)
    return InstanceTable(
        ids=packed.ids,
        clusters=packed.clusters,
        tags=packed.tags,
        numerators={k: np.frombuffer(v, "<f8") for k, v in packed.numerators.items()},
        denominators={
            k: np.frombuffer(v, "<f8") for k, v in packed.denominators.items()
        },
        errors={k: np.frombuffer(v, "<i8") for k, v in packed.errors.items()},
        details=packed.details,
        counters=packed.counters,
    )


def _bytes(values: npt.NDArray[np.generic], dtype: str) -> bytes:
    return np.ascontiguousarray(values, dtype=dtype).tobytes()
