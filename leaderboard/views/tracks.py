"""The page of a track: what is measured, how, and the rules of its phases."""

from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone

from evaluation import SUITES
from leaderboard.boards import headline
from leaderboard.models import Phase, TestSetVersion, Track
from leaderboard.views.cards import current_phase, with_test_sets


@dataclass(frozen=True, kw_only=True)
class Period:
    """A phase and where it stands: open, closed or upcoming."""

    phase: Phase
    state: str
    test_set: TestSetVersion | None


def track(request: HttpRequest, track: str) -> HttpResponse:
    found = get_object_or_404(Track, slug=track)
    now, suite = timezone.now(), SUITES[found.suite]
    phases = list(with_test_sets(found.phases.all()))
    context = {
        "track": found,
        "suite": suite,
        "headline": headline(found),
        "periods": [_period(phase, now) for phase in phases],
        "current": current_phase(phases, now),
    }
    return render(request, "track.html", context)


def state(phase: Phase, now: datetime) -> str:
    if phase.is_open(now):
        return "open"
    return "closed" if phase.opens_at <= now else "upcoming"


def _period(phase: Phase, now: datetime) -> Period:
    active = next(iter(phase.test_sets.all()), None)
    return Period(phase=phase, state=state(phase, now), test_set=active)
