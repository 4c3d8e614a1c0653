"""What a result must reach for the command to succeed."""

from collections.abc import Sequence
from dataclasses import dataclass

from leaderboard.client.answers import Phase, Scores
from leaderboard.client.faults import Misused, NotMet

OVERALL = "overall"


@dataclass(frozen=True, kw_only=True)
class Threshold:
    """A value that a metric of a subset must not be worse than."""

    subset: str
    metric: str
    value: float


def parse(text: str, phase: Phase) -> Threshold:
    """`gpa=40` or `type:O1/gpa=40`. Raises Misused for what the phase cannot have."""
    left, is_there, right = text.partition("=")
    subset, _, metric = left.strip().rpartition("/")
    try:
        value = float(right)
    except ValueError:
        is_there = ""
    if not is_there:
        raise Misused(f"{text!r} must look like metric=value, such as gpa=40")
    if phase.metric(metric) is None:
        known = ", ".join(one.key for one in phase.metrics)
        raise Misused(f"{metric!r} is no metric of this phase; there are: {known}")
    if (subset or OVERALL) not in phase.subsets:
        raise Misused(f"{subset!r} is no subset of this phase")
    return Threshold(subset=subset or OVERALL, metric=metric, value=value)


def of_submission(scores: Scores, phase: Phase) -> Threshold:
    """Another submission's headline number. Raises Misused when it has none here."""
    if (scores.track, scores.phase) != (phase.track, phase.slug):
        place = f"{scores.track}/{scores.phase}"
        raise Misused(f"submission {scores.submission} is of another phase: {place}")
    value = scores.value(OVERALL, scores.headline)
    if value is None:
        raise Misused(f"submission {scores.submission} has no {scores.headline}")
    return Threshold(subset=OVERALL, metric=scores.headline, value=value)


def check(scores: Scores, thresholds: Sequence[Threshold], phase: Phase) -> None:
    """Raises NotMet naming every threshold that was missed."""
    missed = [text for one in thresholds if (text := _missed(scores, one, phase))]
    if missed:
        raise NotMet("; ".join(missed))


def _missed(scores: Scores, wanted: Threshold, phase: Phase) -> str:
    value, metric = (
        scores.value(wanted.subset, wanted.metric),
        phase.metric(wanted.metric),
    )
    is_upwards = metric is None or metric.higher_is_better
    limit = "at least" if is_upwards else "at most"
    if value is not None:
        is_met = value >= wanted.value if is_upwards else value <= wanted.value
        if is_met:
            return ""
    name = f"{wanted.subset} {wanted.metric}"
    return f"{name} is {value}, must be {limit} {wanted.value}"
