"""Small instance tables, and a suite that declares just what they hold."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from evaluation import SUITES
from evaluation.suite import AnySuite, ErrorType, Family, Metric
from evaluation.tables import InstanceTable


def metric(key: str = "m", **given: object) -> Metric:
    return Metric(key=key, label=key.upper(), unit="%", meaning="made up", **given)


def suite(
    metrics: Sequence[Metric] = (metric(),),
    families: Sequence[Family] = (Family(key="kind", label="Kind", order=("b", "a")),),
) -> AnySuite:
    errors = (
        ErrorType(key="right", label="Right", meaning="right", is_right=True),
        ErrorType(key="wrong", label="Wrong", meaning="wrong"),
    )
    return replace(
        SUITES["svcbench"],
        metrics=tuple(metrics),
        families=tuple(families),
        errors=errors,
        instance_metrics=tuple(one.key for one in metrics),
    )


def table(
    values: Sequence[float | None] | Mapping[str, Sequence[float | None]],
    *,
    tags: Mapping[str, Sequence[str]] | None = None,
    clusters: Sequence[str] | None = None,
    denominators: Sequence[float] | None = None,
) -> InstanceTable:
    """One row per value; None where the metric does not apply."""
    columns = values if isinstance(values, Mapping) else {"m": values}
    size = len(next(iter(columns.values())))
    numerators = {
        key: np.array([0.0 if v is None else v for v in column])
        for key, column in columns.items()
    }
    found = {
        key: np.array([0.0 if v is None else 1.0 for v in column])
        for key, column in columns.items()
    }
    if denominators is not None:
        found = {key: np.array(denominators, np.float64) for key in columns}
    right = np.array([(v or 0) > 50 for v in next(iter(columns.values()))], np.int64)
    return InstanceTable(
        ids=tuple(f"i{row}" for row in range(size)),
        clusters=tuple(clusters or (f"c{row}" for row in range(size))),
        tags={k: tuple(v) for k, v in (tags or {"kind": ["a"] * size}).items()},
        numerators=numerators,
        denominators=found,
        errors={"right": right, "wrong": 1 - right},
    )
