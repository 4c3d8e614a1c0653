"""A submission's scores as tables and charts, as far as the phase tells them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaluation.suite import AnySuite, Metric
from leaderboard import feedback
from leaderboard.feedback import OVERALL
from leaderboard.models import BoardEntry, Phase
from leaderboard.rows import Cells, numbers_of
from leaderboard.views import charts, numbers

Scores = Mapping[str, Cells]
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
    information: Sequence[ScoreLine]  # of the metrics that only inform
    errors: Sequence[ErrorLine]


@dataclass(frozen=True, kw_only=True)
class Report:
    suite: AnySuite
    overall: Sequence[Figure]
    information: Sequence[Figure]
    families: Sequence[Family]  # empty where the phase tells overall scores only
    shares: Sequence[charts.Share]  # likewise


def report(suite: AnySuite, entry: BoardEntry, phase: Phase) -> Report:
    """The numbers of a scored evaluation under the phase's feedback policy."""
    scores = feedback.scores(phase, entry.scores)
    errors = feedback.errors(phase, entry.errors)
    overall = numbers_of(scores.get(OVERALL))
    figures = [
        Figure(metric=metric, cell=numbers.cell(overall.get(metric.key), metric))
        for metric in suite.metrics
        if _is_told(metric, scores)
    ]
    groups = numbers.groups(suite, list(scores))
    return Report(
        suite=suite,
        overall=[one for one in figures if not one.metric.is_information],
        information=[one for one in figures if one.metric.is_information],
        families=[_family(suite, figures, group, scores, errors) for group in groups],
        shares=charts.shares(suite, errors[OVERALL]) if errors else (),
    )


def _is_told(metric: Metric, scores: Scores) -> bool:
    """Whether the metric has a value anywhere."""
    return any(
        (cell := cells.get(metric.key)) is not None and cell[0] is not None
        for cells in scores.values()
    )


def _family(
    suite: AnySuite,
    figures: Sequence[Figure],
    group: numbers.Group,
    scores: Scores,
    errors: Errors,
) -> Family:
    ranking = [one.metric for one in figures if not one.metric.is_information]
    informing = [one.metric for one in figures if one.metric.is_information]
    return Family(
        key=group.key,
        label=group.label,
        scores=[_scores(subset, scores, ranking) for subset in group.subsets],
        information=[_scores(subset, scores, informing) for subset in group.subsets]
        if informing
        else (),
        errors=[
            ErrorLine(
                label=subset.label,
                total=sum(errors.get(subset.key, {}).values()),
                shares=charts.shares(suite, errors.get(subset.key, {})),
            )
            for subset in group.subsets
        ],
    )


def _scores(
    subset: numbers.Subset, scores: Scores, metrics: Sequence[Metric]
) -> ScoreLine:
    found = numbers_of(scores[subset.key])
    return ScoreLine(
        label=subset.label,
        n=max((number.n or 0 for number in found.values()), default=0),
        cells=[numbers.cell(found.get(m.key), m) for m in metrics],
    )
