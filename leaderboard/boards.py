"""What a board shows: measured rows in rank order, published and baseline rows apart.

Four queries however many submissions there are: the test set, baselines, entries,
published rows.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Count, F, FloatField, QuerySet
from django.db.models.expressions import Window
from django.db.models.fields.json import KeyTextTransform, KeyTransform
from django.db.models.functions import Cast, Rank

from evaluation import SUITES
from evaluation.suite import AnySuite, Metric
from leaderboard.models import (
    Baseline,
    BoardEntry,
    Phase,
    PublishedResult,
    Submission,
    TestSetVersion,
)

OVERALL = "overall"
PAGE_SIZE = 100


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
    note: str = ""
    source: str = ""
    source_url: str = ""
    numbers: Mapping[str, Number] = field(default_factory=dict)
    errors: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Board:
    phase: Phase
    suite: AnySuite
    subset: str
    metric: Metric  # sorted by
    is_ascending: bool
    measured: Sequence[Row]  # this page's
    total: int  # measured rows in all
    page: int
    pages: int
    baselines: Sequence[Row]
    published: Sequence[Row]
    subsets: Sequence[str]
    test_set: TestSetVersion | None


def entries(phase: Phase, now: datetime) -> QuerySet[BoardEntry]:
    """Entries that the public may see: active test set, the phase's own judge."""
    shown = BoardEntry.objects.filter(
        phase=phase,
        test_set__status=TestSetVersion.Status.ACTIVE,
        evaluation__protocol=phase.protocol,
        evaluation__judge=phase.judge,
        evaluation__submission__is_public=True,
        evaluation__submission__status=Submission.Status.ACCEPTED,
    )
    if not phase.is_board_visible(now):
        return shown.none()
    if phase.visibility == Phase.Visibility.FROZEN:
        shown = shown.filter(scored_at__lte=phase.frozen_at)
    return shown


def board(
    phase: Phase,
    now: datetime,
    *,
    subset: str = OVERALL,
    sort: str = "",
    is_ascending: bool = False,
    page: int = 1,
    page_size: int = PAGE_SIZE,
) -> Board:
    """The board of a phase for one subset, sorted by one metric (else the headline)."""
    suite = SUITES[phase.track.suite]
    metric = _metric(suite, sort or phase.track.headline or suite.headline)
    test_set = phase.test_sets.filter(status=TestSetVersion.Status.ACTIVE).first()
    baselines = list(Baseline.objects.filter(test_set=test_set).order_by("pk"))
    subsets = list(baselines[0].scores) if baselines else [OVERALL]
    subset = subset if subset in subsets else OVERALL
    published = PublishedResult.objects.filter(track=phase.track).order_by("pk")
    ranked = _ranked(entries(phase, now), subset, metric, is_ascending)
    found, page, total = _page(ranked, page, page_size)
    return Board(
        phase=phase,
        suite=suite,
        subset=subset,
        metric=metric,
        is_ascending=is_ascending,
        measured=[_measured(entry) for entry in found],
        total=total,
        page=page,
        pages=max(1, math.ceil(total / page_size)),
        baselines=_sorted([_baseline(b, subset) for b in baselines], metric),
        published=_sorted([_published(p, subset) for p in published], metric),
        subsets=subsets,
        test_set=test_set,
    )


def _metric(suite: AnySuite, key: str) -> Metric:
    known = {metric.key: metric for metric in suite.metrics}
    return known.get(key, known[suite.headline])


def _ranked(
    shown: QuerySet[BoardEntry], subset: str, metric: Metric, is_ascending: bool
) -> QuerySet[BoardEntry]:
    """Entries with their numbers of the subset and their rank; ties share a rank."""
    scores = KeyTransform(subset, "scores")
    value = Cast(KeyTextTransform(0, KeyTransform(metric.key, scores)), FloatField())
    best_first = F("value").desc(nulls_last=True)
    worst_first = F("value").asc(nulls_last=True)
    by_rank = best_first if metric.higher_is_better else worst_first
    by_page = worst_first if is_ascending == metric.higher_is_better else best_first
    return (
        shown.select_related("evaluation__submission__team")
        .defer("evaluation__table", "evaluation__trace", "scores", "errors")
        .annotate(
            numbers=scores,
            error_counts=KeyTransform(subset, "errors"),
            value=value,
        )
        .annotate(rank=Window(Rank(), order_by=by_rank), total=Window(Count("*")))
        .order_by(by_page, "scored_at", "pk")
    )


def _page(
    ranked: QuerySet[BoardEntry], page: int, size: int
) -> tuple[list[BoardEntry], int, int]:
    """A page's entries, its number (the last one's, beyond the end), and the total."""
    page = max(1, page)
    found = list(ranked[(page - 1) * size : page * size])
    if page > 1 and not found:
        return _page(ranked, math.ceil(ranked.count() / size), size)
    total = found[0].total if found else 0  # type: ignore[attr-defined]
    return found, page, total


def _measured(entry: BoardEntry) -> Row:
    submission = entry.evaluation.submission
    numbers = _numbers(entry.numbers)  # type: ignore[attr-defined]
    return Row(
        kind="measured",
        method=submission.method,
        rank=entry.rank if entry.value is not None else None,  # type: ignore[attr-defined]
        team=submission.team.name,
        entry=entry,
        numbers=numbers,
        errors=entry.error_counts or {},  # type: ignore[attr-defined]
    )


def _baseline(baseline: Baseline, subset: str) -> Row:
    return Row(
        kind="baseline",
        method=baseline.label,
        note=baseline.meaning,
        numbers=_numbers(baseline.scores.get(subset)),
        errors=baseline.errors.get(subset, {}),
    )


def _published(result: PublishedResult, subset: str) -> Row:
    return Row(
        kind="published",
        method=result.method,
        note=result.note,
        source=result.source,
        source_url=result.source_url,
        numbers={
            metric: Number(value=value)
            for metric, value in result.scores.get(subset, {}).items()
        },
    )


def _numbers(cells: Mapping[str, Sequence[float | None]] | None) -> dict[str, Number]:
    return {
        metric: Number(value=value, low=low, high=high, n=int(n or 0))
        for metric, (value, low, high, n) in (cells or {}).items()
    }


def _sorted(rows: list[Row], metric: Metric) -> list[Row]:
    """Best first; rows without the metric last, and left out when they have nothing."""

    def order(row: Row) -> tuple[bool, float]:
        number = row.numbers.get(metric.key)
        value = number.value if number else None
        sign = -1.0 if metric.higher_is_better else 1.0
        return (value is None, sign * (value or 0.0))

    return sorted((row for row in rows if row.numbers), key=order)
