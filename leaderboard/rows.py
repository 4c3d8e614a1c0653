"""One line of a board: measured here, a baseline, or published elsewhere."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from evaluation.suite import Metric
from leaderboard import feedback
from leaderboard.models import Baseline, BoardEntry, Phase, PublishedResult

Cells = Mapping[str, Sequence[float | None]]  # metric -> [value, low, high, n]


@dataclass(frozen=True, kw_only=True)
class Number:
    """A value in the metric's unit with its 95 % interval; None = does not apply."""

    value: float | None
    low: float | None = None
    high: float | None = None
    n: int | None = None


@dataclass(frozen=True, kw_only=True)
class Row:
    """One line of a board. `rank` is None for rows that are not ranked."""

    kind: str  # measured, baseline or published
    method: str
    rank: int | None = None
    team: str = ""
    entry: BoardEntry | None = None
    card: Mapping[str, str] = field(default_factory=dict)
    note: str = ""
    source: str = ""
    source_url: str = ""
    organisation: str = ""
    is_human: bool = False
    is_open_weights: bool | None = None  # None: not known
    is_subset: bool = False  # measured on a part of the test set
    numbers: Mapping[str, Number] = field(default_factory=dict)
    errors: Mapping[str, int] = field(default_factory=dict)


def numbers_of(cells: Cells | None) -> dict[str, Number]:
    """The recorded [value, low, high, n] of one subset, by metric."""
    return {
        metric: Number(value=value, low=low, high=high, n=int(n or 0))
        for metric, (value, low, high, n) in (cells or {}).items()
    }


def measured(entry: BoardEntry, phase: Phase) -> Row:
    """An entry that boards.board has annotated with its rank and numbers."""
    submission = entry.evaluation.submission
    errors = entry.error_counts or {}  # type: ignore[attr-defined]
    return Row(
        kind="measured",
        method=submission.method,
        rank=entry.rank if entry.value is not None else None,  # type: ignore[attr-defined]
        team=submission.team.name,
        entry=entry,
        card=submission.card,
        numbers=numbers_of(entry.numbers),  # type: ignore[attr-defined]
        errors=errors if feedback.has_breakdowns(phase) else {},
    )


def baseline(found: Baseline, subset: str, phase: Phase) -> Row:
    return Row(
        kind="baseline",
        method=found.label,
        note=found.meaning,
        numbers=numbers_of(found.scores.get(subset)),
        errors=feedback.errors(phase, found.errors).get(subset, {}),
    )


def published(result: PublishedResult, subset: str) -> Row:
    return Row(
        kind="published",
        method=result.method,
        note=result.note,
        source=result.source,
        source_url=result.source_url,
        organisation=result.organisation,
        is_human=result.is_human,
        is_open_weights=result.is_open_weights,
        is_subset=result.is_subset,
        numbers={
            metric: Number(value=value)
            for metric, value in result.scores.get(subset, {}).items()
        },
    )


def best_first(found: Iterable[Row], metric: Metric) -> list[Row]:
    """Rows without the metric last, and left out when they have no number at all."""

    def order(row: Row) -> tuple[bool, float]:
        number = row.numbers.get(metric.key)
        value = number.value if number else None
        sign = -1.0 if metric.higher_is_better else 1.0
        return (value is None, sign * (value or 0.0))

    return sorted((row for row in found if row.numbers), key=order)
