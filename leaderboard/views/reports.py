"""A submission's scores as tables and charts, as far as the phase tells them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaluation.suite import AnySuite, Metric
from leaderboard.boards import OVERALL
from leaderboard.models import BoardEntry, Phase
from leaderboard.views import charts, numbers

Scores = Mapping[str, Mapping[str, Sequence[float | None]]]
Errors = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One overall number, with what it means."""

    metric: Metric
    cell: numbers.Cell


@dataclass(frozen=True, kw_only=True)
class ScoreLine:
    label: str
    n: int
    cells: Sequence[numbers.Cell]


@dataclass(frozen=True, kw_only=True)
class ErrorLine:
    label: str
    total: int
    shares: Sequence[charts.Share]


@dataclass(frozen=True, kw_only=True)
class Family:
    """One way to divide the test set."""

    key: str
    label: str
    scores: Sequence[ScoreLine]
    errors: Sequence[ErrorLine]


@dataclass(frozen=True, kw_only=True)
class Report:
    suite: AnySuite
    overall: Sequence[Figure]
    families: Sequence[Family]  # empty where the phase tells overall scores only
    shares: Sequence[charts.Share]  # likewise


def report(suite: AnySuite, entry: BoardEntry, phase: Phase) -> Report:
    """The numbers of a scored evaluation under the phase's feedback policy."""
    overall = numbers.numbers_of(entry.scores.get(OVERALL, {}))
    figures = [
        Figure(metric=metric, cell=numbers.cell(overall.get(metric.key), metric))
        for metric in suite.metrics
    ]
    if phase.feedback == Phase.Feedback.AGGREGATE:
        return Report(suite=suite, overall=figures, families=(), shares=())
    return Report(
        suite=suite,
        overall=figures,
        families=[
            _family(suite, group, entry.scores, entry.errors)
            for group in numbers.groups(suite, list(entry.scores))
        ],
        shares=charts.shares(suite, entry.errors.get(OVERALL, {})),
    )


def _family(
    suite: AnySuite, group: numbers.Group, scores: Scores, errors: Errors
) -> Family:
    return Family(
        key=group.key,
        label=group.label,
        scores=[_scores(suite, subset, scores) for subset in group.subsets],
        errors=[
            ErrorLine(
                label=subset.label,
                total=sum(errors.get(subset.key, {}).values()),
                shares=charts.shares(suite, errors.get(subset.key, {})),
            )
            for subset in group.subsets
        ],
    )


def _scores(suite: AnySuite, subset: numbers.Subset, scores: Scores) -> ScoreLine:
    found = numbers.numbers_of(scores[subset.key])
    return ScoreLine(
        label=subset.label,
        n=max((number.n or 0 for number in found.values()), default=0),
        cells=[numbers.cell(found.get(m.key), m) for m in suite.metrics],
    )
