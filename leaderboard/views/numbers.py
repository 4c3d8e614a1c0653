"""How scores are written: decimals of the metric, an interval, a dash for nothing."""

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.suite import AnySuite, Metric
from leaderboard.rows import Number

DASH = "\N{EN DASH}"


@dataclass(frozen=True, kw_only=True)
class Cell:
    """A score as text. `interval` is "" where there is none."""

    text: str = DASH
    interval: str = ""
    is_sorted: bool = False


def written(value: float | None, metric: Metric) -> str:
    return DASH if value is None else f"{value:z.{metric.decimals}f}"


def cell(number: Number | None, metric: Metric, *, is_sorted: bool = False) -> Cell:
    """One score of a table."""
    if number is None or number.value is None:
        return Cell(is_sorted=is_sorted)
    interval = ""
    if number.low is not None and number.high is not None:
        interval = f"{written(number.low, metric)}{DASH}{written(number.high, metric)}"
    return Cell(
        text=written(number.value, metric), interval=interval, is_sorted=is_sorted
    )


@dataclass(frozen=True, kw_only=True)
class Subset:
    """A subset as people read it."""

    key: str
    label: str


@dataclass(frozen=True, kw_only=True)
class Group:
    """One family's subsets, in the order to show."""

    key: str
    label: str
    subsets: Sequence[Subset]


def groups(suite: AnySuite, subsets: Sequence[str]) -> list[Group]:
    """The families that occur among subset keys, which are in order already."""
    found = []
    for family in suite.families:
        prefix = f"{family.key}:"
        members = [
            Subset(key=key, label=key.removeprefix(prefix))
            for key in subsets
            if key.startswith(prefix)
        ]
        if members:
            found.append(Group(key=family.key, label=family.label, subsets=members))
    return found
