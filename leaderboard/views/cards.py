"""The listed tracks with their headline numbers, in five queries at most."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, FloatField, Max, Min, Prefetch, QuerySet
from django.db.models.fields.json import KeyTextTransform, KeyTransform
from django.db.models.functions import Cast

from evaluation.suite import Metric
from leaderboard import boards
from leaderboard.feedback import OVERALL
from leaderboard.models import Baseline, Phase, TestSetVersion, Track
from leaderboard.rows import Cells
from leaderboard.views.numbers import DASH, written


@dataclass(frozen=True, kw_only=True)
class Card:
    """A listed track with its headline numbers, as text."""

    track: Track
    phase: Phase | None
    metric: Metric
    measured: int = 0
    best: str = DASH
    floor: str = DASH


def track_cards(now: datetime) -> list[Card]:
    """One card per listed track, for the phase that matters most now."""
    tracks = Track.objects.filter(is_listed=True).prefetch_related(
        Prefetch("phases", with_test_sets(Phase.objects.all()))
    )
    current = {track: current_phase(track.phases.all(), now) for track in tracks}
    phases = [phase for phase in current.values() if phase]
    best, floors = _best(phases, now), _floors(phases)
    return [
        _card(track, phase, *best[phase], floors[phase])
        if phase
        else _card(track, None, 0, None, [])
        for track, phase in current.items()
    ]


def current_phase(phases: Iterable[Phase], now: datetime) -> Phase | None:
    """The first open phase with an active test set, or else the first with one.

    Without any, the open phase that opened last, then any that has, then the first to
    open. The phases must come `with_test_sets`.
    """
    phases = sorted(phases, key=lambda phase: (phase.opens_at, phase.pk))
    ready = [phase for phase in phases if phase.test_sets.all()]
    opened = [phase for phase in phases if phase.opens_at <= now]
    candidates = (
        *(phase for phase in ready if phase.is_open(now)),
        *ready,
        *(phase for phase in reversed(opened) if phase.is_open(now)),
        *reversed(opened),
        *phases,
    )
    return next(iter(candidates), None)


def with_test_sets(phases: QuerySet[Phase]) -> QuerySet[Phase]:
    """Phases whose `test_sets` is the active one, or empty; one more query."""
    active = TestSetVersion.objects.filter(status=TestSetVersion.Status.ACTIVE)
    return phases.select_related("track", "judge_profile").prefetch_related(
        Prefetch("test_sets", active)
    )


def _card(
    track: Track,
    phase: Phase | None,
    measured: int,
    best: float | None,
    baselines: Sequence[Cells],
) -> Card:
    metric = boards.headline(track)
    known = [
        value
        for cells in baselines
        if metric.key in cells and (value := cells[metric.key][0]) is not None
    ]
    pick = max if metric.higher_is_better else min
    return Card(
        track=track,
        phase=phase,
        metric=metric,
        measured=measured,
        best=written(best, metric),
        floor=written(pick(known, default=None), metric),
    )


def _best(
    phases: Sequence[Phase], now: datetime
) -> dict[Phase, tuple[int, float | None]]:
    """How many submissions each board shows, and the best of them; one query."""
    queries = []
    for phase in phases:
        metric = boards.headline(phase.track)
        cell = KeyTransform(metric.key, KeyTransform(OVERALL, "scores"))
        best = Max if metric.higher_is_better else Min
        queries.append(
            boards.entries(phase, now)
            .order_by()
            .annotate(value=Cast(KeyTextTransform(0, cell), FloatField()))
            .values("phase")
            .annotate(total=Count("pk"), best=best("value"))
            .values_list("phase", "total", "best")
        )
    rows = queries[0].union(*queries[1:], all=True) if queries else ()
    found = {key: (total, value) for key, total, value in rows}
    return {phase: found.get(phase.pk, (0, None)) for phase in phases}


def _floors(phases: Sequence[Phase]) -> dict[Phase, list[Cells]]:
    by_key = {phase.pk: phase for phase in phases}
    found: dict[Phase, list[Cells]] = {phase: [] for phase in phases}
    rows = Baseline.objects.filter(
        test_set__phase__in=phases, test_set__status=TestSetVersion.Status.ACTIVE
    ).annotate(overall=KeyTransform(OVERALL, "scores"))
    for key, overall in rows.values_list("test_set__phase", "overall"):
        found[by_key[key]].append(overall or {})
    return found
