"""Boards and scores as a phase's feedback policy lets them be seen.

Where a phase gives aggregate feedback, subsets and error types would tell more about
the hidden answers than its host wants, on the board as much as to the submitter.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from django.utils import timezone
from rest_framework.exceptions import NotFound, ValidationError

from evaluation import SUITES
from evaluation.suite import Metric
from leaderboard.api import progress
from leaderboard.boards import OVERALL, PAGE_SIZE, Board, Number, Row, board
from leaderboard.models import (
    Baseline,
    BoardEntry,
    Evaluation,
    Phase,
    Submission,
    TestSetVersion,
)
from leaderboard.refusals import Refused

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


def metrics_of(phase: Phase) -> Sequence[Metric]:
    return SUITES[phase.track.suite].metrics


def headline_of(phase: Phase) -> str:
    """The metric that the board ranks by."""
    return phase.track.headline or SUITES[phase.track.suite].headline


def subsets_of(phase: Phase) -> Sequence[str]:
    """The subsets that the phase's board can show."""
    if phase.feedback == Phase.Feedback.AGGREGATE:
        return [OVERALL]
    first = (
        Baseline.objects.filter(
            test_set__phase=phase, test_set__status=TestSetVersion.Status.ACTIVE
        )
        .order_by("pk")
        .first()
    )
    return _in_order(phase, first.scores) if first else [OVERALL]


def board_of(phase: Phase, wanted: Mapping[str, object], *, whole: bool) -> Board:
    """The board that a valid BoardQuery asks for; never another one in its place."""
    subset, sort, page = str(wanted["subset"]), str(wanted["sort"]), wanted["page"]
    _refuse_unknown("sort", sort, ["", *(metric.key for metric in metrics_of(phase))])
    if phase.feedback == Phase.Feedback.AGGREGATE:
        _refuse_unknown("subset", subset, [OVERALL])
    found = board(
        phase,
        timezone.now(),
        subset=subset,
        sort=sort,
        is_ascending=wanted["order"] == "worst_first",
        page=1 if whole or not isinstance(page, int) else page,
        page_size=WHOLE if whole else PAGE_SIZE,
    )
    _refuse_unknown("subset", subset, found.subsets)
    if not whole and found.page != page:
        raise NotFound(f"This board has {found.pages} pages.")
    return _as_allowed(found)


def scores_of(submission: Submission) -> Scores:
    """Raises Refused while there are none."""
    evaluation = scored_evaluation(submission)
    entry, phase = BoardEntry.objects.get(evaluation=evaluation), submission.phase
    is_aggregate = phase.feedback == Phase.Feedback.AGGREGATE
    return Scores(
        submission=submission.pk,
        track=phase.track.slug,
        phase=phase.slug,
        test_set=evaluation.test_set.number,
        protocol=evaluation.protocol,
        judge=evaluation.judge,
        scored_at=entry.scored_at,
        feedback=phase.feedback,
        headline=headline_of(phase),
        coverage=submission.coverage,
        scores={
            subset: {key: _number(cell) for key, cell in entry.scores[subset].items()}
            for subset in _in_order(phase, entry.scores)
            if subset == OVERALL or not is_aggregate
        },
        errors={
            subset: entry.errors[subset]
            for subset in _in_order(phase, entry.errors)
            if not is_aggregate
        },
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


def _in_order(phase: Phase, subsets: Iterable[str]) -> list[str]:
    """Subsets in the suite's order of families and values; JSON columns keep none."""
    families = SUITES[phase.track.suite].families
    places = {OVERALL: -1}
    for family in families:
        for value in (*family.order, ""):
            places[f"{family.key}:{value}"] = len(places)

    def place(subset: str) -> tuple[int, str]:
        others = f"{subset.partition(':')[0]}:"  # values without a place of their own
        return places.get(subset, places.get(others, len(places))), subset

    return sorted(subsets, key=place)


def _as_allowed(found: Board) -> Board:
    if found.phase.feedback != Phase.Feedback.AGGREGATE:
        return found
    return replace(
        found,
        subsets=[OVERALL],
        measured=_without_errors(found.measured),
        baselines=_without_errors(found.baselines),
    )


def _without_errors(rows: Sequence[Row]) -> list[Row]:
    return [replace(row, errors={}) for row in rows]


def _refuse_unknown(name: str, value: str, known: Sequence[str]) -> None:
    if value not in known:
        listed = ", ".join(word for word in known if word)
        raise ValidationError(
            {name: [f"is not known here; there are: {listed}"]}, code="unknown"
        )


def _number(cell: Sequence[float | None]) -> Number:
    value, low, high, n = cell
    return Number(value=value, low=low, high=high, n=int(n or 0))
