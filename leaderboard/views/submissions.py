"""My submissions, followed live."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.vary import vary_on_headers

from evaluation.suite import Metric
from leaderboard import progress, teams
from leaderboard.boards import headline
from leaderboard.feedback import OVERALL
from leaderboard.models import Evaluation, Score, Submission
from leaderboard.rows import Number
from leaderboard.views import scopes
from leaderboard.views.numbers import Cell, cell
from leaderboard.views.standing import Standing, fingerprint, standing

PAGE_SIZE = 50


@dataclass(frozen=True, kw_only=True)
class Item:
    """A line of the list: where a submission stands, and its headline score."""

    submission: Submission
    standing: Standing
    metric: Metric
    score: Cell


@login_required
@vary_on_headers("HX-Request")
def submissions(request: HttpRequest) -> HttpResponse:
    own = teams.teams_of(scopes.member(request))
    rows = progress.with_evaluations(Submission.objects.filter(team__in=own))
    page = Paginator(rows, PAGE_SIZE).get_page(request.GET.get("page"))
    items = _items(list(page))
    states = [item.standing for item in items]
    context: dict[str, object] = {
        "page": page,
        "items": items,
        "is_live": any(state.is_open for state in states),
        "seen": fingerprint(states),
    }
    return live(request, "submissions.html", context)


def live(
    request: HttpRequest, template: str, context: dict[str, object]
) -> HttpResponse:
    """The page; or for htmx its part `live`, or nothing (204) when nothing is new."""
    if not request.headers.get("HX-Request"):
        return render(request, template, context)
    if request.GET.get("seen") == context["seen"]:
        return HttpResponse(status=204)
    return render(request, f"{template}#live", context)


def _items(found: Sequence[Submission]) -> list[Item]:
    evaluations = {one: progress.evaluation_of(one) for one in found}
    rows = Score.objects.filter(
        evaluation__in=[one for one in evaluations.values() if one], subset=OVERALL
    )
    scores = {(score.evaluation_id, score.metric): score for score in rows}
    return [_item(one, evaluation, scores) for one, evaluation in evaluations.items()]


def _item(
    submission: Submission,
    evaluation: Evaluation | None,
    scores: dict[tuple[UUID, str], Score],
) -> Item:
    metric = headline(submission.phase.track)
    score = scores.get((evaluation.pk, metric.key)) if evaluation else None
    number = (
        Number(value=score.value, low=score.low, high=score.high) if score else None
    )
    return Item(
        submission=submission,
        standing=standing(submission),
        metric=metric,
        score=cell(number, metric),
    )
