"""The listed tracks with their headline numbers, in five queries at most."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, FloatField, Max, Min, Prefetch
from django.db.models.fields.json import KeyTextTransform, KeyTransform
from django.db.models.functions import Cast

from evaluation import SUITES
from evaluation.suite import Metric
from leaderboard import boards
from leaderboard.models import Baseline, Phase, TestSetVersion, Track
from leaderboard.views.numbers import DASH, written

Cells = Mapping[str, Sequence[float | None]]  # metric -> [value, low, high, n]


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
    active = TestSetVersion.objects.filter(status=TestSetVersion.Status.ACTIVE)
    tracks = Track.objects.filter(is_listed=True).prefetch_related(
        Prefetch(
            "phases",
            Phase.objects.select_related("track").prefetch_related(
                Prefetch("test_sets", active.only("pk", "phase"))
            ),
        )
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
    """The open phase that opened last (one with a test set before one without).

    Without an open one, the phase that opened last, or else the first to open.
    """
    phases = list(phases)
    opened = [phase for phase in phases if phase.opens_at <= now]
    is_open = [phase for phase in opened if phase.is_open(now)]
    with_test_set = [phase for phase in is_open if phase.test_sets.all()]
    for candidates in (with_test_set, is_open, opened):
        if candidates:
            return max(candidates, key=lambda phase: phase.opens_at)
    return min(phases, key=lambda phase: phase.opens_at, default=None)


def headline(track: Track) -> Metric:
    """The metric that the track's board is sorted by at first."""
    suite = SUITES[track.suite]
    return suite.metric(track.headline or suite.headline)


def _card(
    track: Track,
    phase: Phase | None,
    measured: int,
    best: float | None,
    baselines: Sequence[Cells],
) -> Card:
    metric = headline(track)
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
        metric = headline(phase.track)
        cell = KeyTransform(metric.key, KeyTransform(boards.OVERALL, "scores"))
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
    ).annotate(overall=KeyTransform(boards.OVERALL, "scores"))
    for key, overall in rows.values_list("test_set__phase", "overall"):
        found[by_key[key]].append(overall or {})
    return found
