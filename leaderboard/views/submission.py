"""One submission: how far it is, what is wrong with it, what it scored."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.views.decorators.vary import vary_on_headers

from evaluation import SUITES
from leaderboard.evaluations import place_in_queue
from leaderboard.models import BoardEntry, Evaluation, Phase, Submission
from leaderboard.views import scopes
from leaderboard.views.evaluations import current, with_shards
from leaderboard.views.progress import fingerprint, progress
from leaderboard.views.reports import Report, report
from leaderboard.views.submissions import live

SCORED = Evaluation.Status.SCORED


@vary_on_headers("HX-Request")
def submission(request: HttpRequest, pk: UUID) -> HttpResponse:
    found, is_own = scopes.seen(request.user, pk)
    evaluations = list(with_shards(found.evaluations.all()))
    evaluation = current(evaluations, found)
    state = progress(found, evaluation, _place(evaluation))
    context = {
        **_facts(found, evaluation),
        "progress": state,
        "is_own": is_own,
        "is_live": state.is_open,
        "seen": fingerprint([state]),
        "earlier": [one for one in evaluations if one != evaluation] if is_own else [],
        "trace": _trace(evaluation) if request.user.is_staff else "",
    }
    return live(request, "submission.html", context)


def has_instances(found: Submission, evaluation: Evaluation | None) -> bool:
    """Whether the phase tells the results of every instance, and there are some."""
    is_told = found.phase.feedback == Phase.Feedback.INSTANCES
    return is_told and evaluation is not None and evaluation.status == SCORED


def _facts(found: Submission, evaluation: Evaluation | None) -> dict[str, object]:
    return {
        "submission": found,
        "phase": found.phase,
        "track": found.phase.track,
        "suite": SUITES[found.phase.track.suite],
        "evaluation": evaluation,
        "report": _report(found, evaluation),
        "has_instances": has_instances(found, evaluation),
    }


def _place(evaluation: Evaluation | None) -> int | None:
    if evaluation is None or evaluation.status != Evaluation.Status.QUEUED:
        return None
    return place_in_queue(evaluation)


def _report(found: Submission, evaluation: Evaluation | None) -> Report | None:
    entry = BoardEntry.objects.filter(evaluation=evaluation).first()
    if entry is None:
        return None
    return report(SUITES[found.phase.track.suite], entry, found.phase)


def _trace(evaluation: Evaluation | None) -> str:
    """Where our code failed; for the operator's eyes only."""
    if evaluation is None:
        return ""
    return Evaluation.objects.values_list("trace", flat=True).get(pk=evaluation.pk)
