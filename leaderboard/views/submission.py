"""One submission: how far it is, what is wrong with it, what it scored."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.views.decorators.vary import vary_on_headers

from evaluation import SUITES
from leaderboard import feedback, method_cards, progress
from leaderboard.models import BoardEntry, Evaluation, JudgeProfile, Submission
from leaderboard.views import scopes
from leaderboard.views.reports import Report, report
from leaderboard.views.standing import fingerprint, standing
from leaderboard.views.submissions import live

SCORED = Evaluation.Status.SCORED


@vary_on_headers("HX-Request")
def submission(request: HttpRequest, pk: UUID) -> HttpResponse:
    found, is_own = scopes.seen(request.user, pk)
    evaluation = progress.evaluation_of(found)
    state = standing(found, progress.queue_place(found))
    context = {
        **_facts(found, evaluation),
        "standing": state,
        "is_own": is_own,
        "is_live": state.is_open,
        "seen": fingerprint([state]),
        "earlier": list(found.evaluations.all())[1:] if is_own else [],
        "trace": _trace(evaluation) if request.user.is_staff else "",
        "flags": found.flags if request.user.is_staff else [],
    }
    return live(request, "submission.html", context)


def has_instances(found: Submission, evaluation: Evaluation | None) -> bool:
    """Whether the phase tells the results of every instance, and there are some."""
    is_scored = evaluation is not None and evaluation.status == SCORED
    return is_scored and feedback.has_instances(found.phase)


def _facts(found: Submission, evaluation: Evaluation | None) -> dict[str, object]:
    suite = SUITES[found.phase.track.suite]
    return {
        "submission": found,
        "card": method_cards.said(suite, found.card),
        "phase": found.phase,
        "track": found.phase.track,
        "suite": suite,
        "judge": _judge(found, evaluation),
        "evaluation": evaluation,
        "counters": _counters(found, evaluation),
        "report": _report(found, evaluation),
        "has_instances": has_instances(found, evaluation),
    }


def _judge(found: Submission, evaluation: Evaluation | None) -> JudgeProfile | None:
    """The phase's judge, if it is the one that judged."""
    is_its_own = evaluation is not None and evaluation.judge == found.phase.judge
    return found.phase.judge_profile if is_its_own else None


def _counters(found: Submission, evaluation: Evaluation | None) -> dict[str, int]:
    """What scoring counted by the way: questions to the judge, models used.

    How much there is to ask tells of the answers, so it is held back with them.
    """
    if evaluation is None or not feedback.has_breakdowns(found.phase):
        return {}
    counted = evaluation.counters.items()
    return {key.replace("_", " ", 1).capitalize(): n for key, n in counted}


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
