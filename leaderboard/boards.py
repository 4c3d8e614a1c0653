"""What a board shows: measured rows in rank order, published and baseline rows apart.

Four queries however many submissions there are: the test set, baselines, entries,
published rows. Without baselines a fifth one finds out which subsets there are.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Count, Exists, F, FloatField, OuterRef, QuerySet, Subquery
from django.db.models.expressions import Window
from django.db.models.fields.json import KeyTextTransform, KeyTransform
from django.db.models.functions import Cast, Rank

from evaluation import SUITES
from evaluation.suite import AnySuite, Metric
from leaderboard import feedback, method_cards, rows
from leaderboard.feedback import OVERALL
from leaderboard.models import (
    Baseline,
    BoardEntry,
    Evaluation,
    Phase,
    PublishedResult,
    Submission,
    TestSetVersion,
    Track,
)
from leaderboard.rows import Row

PAGE_SIZE = 100


@dataclass(frozen=True, kw_only=True)
class Board:
    phase: Phase
    suite: AnySuite
    subset: str
    metric: Metric  # sorted by
    is_worst_first: bool
    measured: Sequence[Row]  # this page's
    total: int  # measured rows in all
    page: int
    pages: int
    baselines: Sequence[Row]
    published: Sequence[Row]
    left_out: int  # published results that have no number for the subset
    subsets: Sequence[str]
    test_set: TestSetVersion | None
    card: Mapping[str, str] = field(default_factory=dict)  # what it is filtered by


def entries(
    phase: Phase, now: datetime, card: Mapping[str, str] | None = None
) -> QuerySet[BoardEntry]:
    """Entries that the public may see: the shown test set, the phase's own judge.

    Of these, the ones whose method card says what `card` says.
    """
    shown = BoardEntry.objects.filter(
        phase=phase,
        test_set=Subquery(_settled(phase).values("pk")[:1]),
        evaluation__protocol=phase.protocol,
        evaluation__judge=phase.judge,
        evaluation__submission__is_public=True,
        evaluation__submission__status=Submission.Status.ACCEPTED,
    )
    if not phase.is_board_visible(now):
        return shown.none()
    if phase.visibility == Phase.Visibility.FROZEN:
        shown = shown.filter(scored_at__lte=phase.frozen_at)
    if card:
        shown = shown.filter(evaluation__submission__card__contains=dict(card))
    return shown


def board(
    phase: Phase,
    now: datetime,
    *,
    subset: str = OVERALL,
    sort: str = "",
    is_worst_first: bool = False,
    card: Mapping[str, str] | None = None,
    page: int = 1,
    page_size: int = PAGE_SIZE,
) -> Board:
    """The board of a phase for one subset, sorted by one metric (else the headline).

    What the phase's feedback policy holds back is not in it, and what is not known
    (a subset, a metric, a card field or its value) is passed over.
    """
    suite = SUITES[phase.track.suite]
    metric = known_metric(phase.track, sort)
    card = method_cards.sound(suite, card or {})
    test_set = shown_test_set(phase)
    baselines = list(Baseline.objects.filter(test_set=test_set).order_by("pk"))
    subsets = _subsets(phase, test_set, baselines)
    subset = subset if subset in subsets else OVERALL
    ranked = _ranked(entries(phase, now, card), subset, metric, is_worst_first)
    found, page, total = _page(ranked, page, page_size)
    results = list(PublishedResult.objects.filter(track=phase.track).order_by("pk"))
    published = rows.best_first([rows.published(r, subset) for r in results], metric)
    return Board(
        phase=phase,
        suite=suite,
        subset=subset,
        metric=metric,
        is_worst_first=is_worst_first,
        measured=[rows.measured(entry, phase) for entry in found],
        total=total,
        page=page,
        pages=max(1, math.ceil(total / page_size)),
        baselines=rows.best_first(
            [rows.baseline(one, subset, phase) for one in baselines], metric
        ),
        published=published,
        left_out=len(results) - len(published),
        subsets=subsets,
        test_set=test_set,
        card=card,
    )


def headline(track: Track) -> Metric:
    """The metric that the track's boards are ranked by at first."""
    suite = SUITES[track.suite]
    ranking = {metric.key: metric for metric in ranking_metrics(suite)}
    return ranking.get(track.headline, ranking[suite.headline])


def ranking_metrics(suite: AnySuite) -> list[Metric]:
    """The metrics that a board can be sorted by: not those that only inform."""
    return [metric for metric in suite.metrics if not metric.is_information]


def known_metric(track: Track, key: str) -> Metric:
    """The metric to sort by, else the headline."""
    ranking = {metric.key: metric for metric in ranking_metrics(SUITES[track.suite])}
    return ranking.get(key) or headline(track)


def active_test_set(phase: Phase) -> TestSetVersion | None:
    return phase.test_sets.filter(status=TestSetVersion.Status.ACTIVE).first()


def shown_test_set(phase: Phase) -> TestSetVersion | None:
    """The version that the board shows: the newest on which everything is scored.

    After an activation the board stays as it was until the last re-scored submission
    is done, and then changes as a whole, in the transaction that records that one.
    """
    return _settled(phase).first()


def _settled(phase: Phase) -> QuerySet[TestSetVersion]:
    left = Evaluation.objects.filter(
        test_set=OuterRef("pk"),
        status__in=Evaluation.OPEN,
        submission__status=Submission.Status.ACCEPTED,
        submission__checked_at__lt=OuterRef("activated_at"),
    )
    status = TestSetVersion.Status
    active = TestSetVersion.objects.filter(phase=phase, status=status.ACTIVE)
    return TestSetVersion.objects.filter(
        Exists(active),
        ~Exists(left),
        phase=phase,
        status__in=[status.ACTIVE, status.RETIRED],
    ).order_by(F("activated_at").desc(nulls_last=True), "-number")


def subsets_of(phase: Phase, test_set: TestSetVersion | None) -> list[str]:
    """The subsets that the phase's board can show, in the order to show them."""
    baselines = Baseline.objects.filter(test_set=test_set).order_by("pk")
    return _subsets(phase, test_set, list(baselines[:1]))


def _subsets(
    phase: Phase, test_set: TestSetVersion | None, baselines: Sequence[Baseline]
) -> list[str]:
    """All scores on a test set have the same subsets, so any of them tells which."""
    if not feedback.has_breakdowns(phase) or test_set is None:
        return [OVERALL]
    known: Mapping[str, object] | None = baselines[0].scores if baselines else None
    if known is None:
        scored = BoardEntry.objects.filter(phase=phase, test_set=test_set)
        known = scored.values_list("scores", flat=True).first()
    return list(feedback.scores(phase, {OVERALL: None, **(known or {})}))


def _ranked(
    shown: QuerySet[BoardEntry], subset: str, metric: Metric, is_worst_first: bool
) -> QuerySet[BoardEntry]:
    """Entries with their numbers of the subset and their rank; ties share a rank."""
    scores = KeyTransform(subset, "scores")
    value = Cast(KeyTextTransform(0, KeyTransform(metric.key, scores)), FloatField())
    rising, falling = F("value").asc(nulls_last=True), F("value").desc(nulls_last=True)
    best_first = falling if metric.higher_is_better else rising
    worst_first = rising if metric.higher_is_better else falling
    return (
        shown.select_related("evaluation__submission__team")
        .defer("evaluation__table", "evaluation__trace", "scores", "errors")
        .annotate(
            numbers=scores,
            error_counts=KeyTransform(subset, "errors"),
            value=value,
        )
        .annotate(rank=Window(Rank(), order_by=best_first), total=Window(Count("*")))
        .order_by(worst_first if is_worst_first else best_first, "scored_at", "pk")
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
