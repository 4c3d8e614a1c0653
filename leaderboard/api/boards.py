"""Boards and scores as the API asks for them: exactly those, or an error."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.core.exceptions import ValidationError as Unsound
from django.utils import timezone
from rest_framework.exceptions import NotFound, ValidationError

from evaluation import SUITES
from leaderboard import feedback, method_cards, progress
from leaderboard.boards import (
    PAGE_SIZE,
    Board,
    board,
    headline,
    ranking_metrics,
)
from leaderboard.models import BoardEntry, Evaluation, Phase, Submission
from leaderboard.refusals import Refused
from leaderboard.rows import Number, numbers_of

WHOLE = 100_000  # rows of an export: all of them


@dataclass(frozen=True, kw_only=True)
class Scores:
    """The numbers of one scored evaluation."""

    submission: UUID
    track: str
    phase: str
    test_set: int
    protocol: str
    judge: str
    scored_at: datetime
    feedback: str
    headline: str
    coverage: Mapping[str, int]
    scores: Mapping[str, Mapping[str, Number]]
    errors: Mapping[str, Mapping[str, int]]


def board_of(
    phase: Phase,
    wanted: Mapping[str, object],
    *,
    card: Mapping[str, str],
    whole: bool,
) -> Board:
    """The board that a valid BoardQuery asks for; never another one in its place."""
    subset, sort, page = str(wanted["subset"]), str(wanted["sort"]), wanted["page"]
    suite = SUITES[phase.track.suite]
    _refuse_unknown("sort", sort, ["", *(m.key for m in ranking_metrics(suite))])
    _refuse_unsound(phase, card)
    found = board(
        phase,
        timezone.now(),
        subset=subset,
        sort=sort,
        is_worst_first=wanted["order"] == "worst_first",
        card=card,
        page=1 if whole or not isinstance(page, int) else page,
        page_size=WHOLE if whole else PAGE_SIZE,
    )
    _refuse_unknown("subset", subset, found.subsets)
    if not whole and found.page != page:
        raise NotFound(f"This board has {found.pages} pages.")
    return found


def scores_of(submission: Submission) -> Scores:
    """Raises Refused while there are none."""
    evaluation = scored_evaluation(submission)
    entry, phase = BoardEntry.objects.get(evaluation=evaluation), submission.phase
    return Scores(
        submission=submission.pk,
        track=phase.track.slug,
        phase=phase.slug,
        test_set=evaluation.test_set.number,
        protocol=evaluation.protocol,
        judge=evaluation.judge,
        scored_at=entry.scored_at,
        feedback=phase.feedback,
        headline=headline(phase.track).key,
        coverage=submission.coverage,
        scores={
            subset: numbers_of(cells)
            for subset, cells in feedback.scores(phase, entry.scores).items()
        },
        errors=feedback.errors(phase, entry.errors),
    )


def scored_evaluation(submission: Submission) -> Evaluation:
    """The evaluation whose numbers count. Raises Refused when it is not scored."""
    evaluation = progress.evaluation_of(submission)
    if evaluation is None:
        state = submission.get_status_display()
        raise Refused("not_scored", f"There are no scores: the submission is {state}.")
    if evaluation.status != Evaluation.Status.SCORED:
        state, cause = evaluation.get_status_display(), evaluation.cause
        because = f": {cause}" if cause else ""
        raise Refused("not_scored", f"There are no scores: it is {state}{because}.")
    return evaluation


def _refuse_unsound(phase: Phase, card: Mapping[str, str]) -> None:
    try:
        method_cards.checked(SUITES[phase.track.suite], card)
    except Unsound as error:
        wrong = {
            method_cards.PREFIX + key: messages
            for key, messages in error.message_dict.items()
        }
        raise ValidationError(wrong, code="unknown") from error


def _refuse_unknown(name: str, value: str, known: Sequence[str]) -> None:
    if value not in known:
        listed = ", ".join(word for word in known if word)
        raise ValidationError(
            {name: [f"is not known here; there are: {listed}"]}, code="unknown"
        )
