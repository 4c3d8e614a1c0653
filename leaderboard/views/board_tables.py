"""A board as the template draws it: columns, sections of lines, whiskers, shares."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evaluation.suite import Metric
from leaderboard.boards import Board, Row
from leaderboard.views import charts, numbers


@dataclass(frozen=True, kw_only=True)
class Column:
    """A metric's heading. `order` is what its link asks for, "" when it is no link."""

    metric: Metric
    order: str
    sorted_as: str  # for aria-sort: ascending, descending or ""


@dataclass(frozen=True, kw_only=True)
class Line:
    row: Row
    cells: Sequence[numbers.Cell]
    sorted: numbers.Cell
    n: int | None
    whisker: charts.Whisker | None
    shares: Sequence[charts.Share]  # empty where no errors are counted


@dataclass(frozen=True, kw_only=True)
class Section:
    key: str
    title: str
    lines: Sequence[Line]


@dataclass(frozen=True, kw_only=True)
class BoardTable:
    columns: Sequence[Column]
    sections: Sequence[Section]
    scale: charts.Scale | None
    scale_ends: tuple[str, str]
    floor: str  # where the best baseline lies on the scale; "" without one
    width: int  # columns in all, of the scores view


def table(board: Board) -> BoardTable:
    """Everything but the measured rows is kept apart, under its own heading."""
    rows = [*board.measured, *board.baselines, *board.published]
    scale = charts.scale(row.numbers.get(board.metric.key) for row in rows)
    lines = _liner(board, scale)
    columns = [_column(board, metric) for metric in board.suite.metrics]
    ends = (scale.low, scale.high) if scale else (0.0, 0.0)
    return BoardTable(
        columns=columns,
        sections=[
            Section(key="measured", title="Measured here", lines=lines(board.measured)),
            Section(
                key="baseline",
                title="Baselines (no model)",
                lines=lines(board.baselines),
            ),
            Section(
                key="published",
                title="Published elsewhere, not measured here",
                lines=lines(board.published),
            ),
        ],
        scale=scale,
        scale_ends=(f"{ends[0]:g}", f"{ends[1]:g}"),
        floor=_floor(board, scale),
        width=len(columns) + 5,
    )


def _floor(board: Board, scale: charts.Scale | None) -> str:
    found = [row.numbers.get(board.metric.key) for row in board.baselines]
    values = [n.value for n in found if n is not None and n.value is not None]
    if not scale or not values:
        return ""
    best = max(values) if board.metric.higher_is_better else min(values)
    return f"{scale.place(best):.1f}"


def _liner(
    board: Board, scale: charts.Scale | None
) -> Callable[[Sequence[Row]], list[Line]]:
    def line(row: Row) -> Line:
        number = row.numbers.get(board.metric.key)
        return Line(
            row=row,
            cells=[
                numbers.cell(
                    row.numbers.get(metric.key),
                    metric,
                    is_sorted=metric == board.metric,
                )
                for metric in board.suite.metrics
            ],
            sorted=numbers.cell(number, board.metric, is_sorted=True),
            n=number.n if number else None,
            whisker=scale.whisker(number) if scale else None,
            shares=charts.shares(board.suite, row.errors) if row.errors else (),
        )

    return lambda rows: [line(row) for row in rows]


def _column(board: Board, metric: Metric) -> Column:
    best_first = "desc" if metric.higher_is_better else "asc"
    if metric != board.metric:
        order = "" if metric.is_information else best_first
        return Column(metric=metric, order=order, sorted_as="")
    is_best_first = not board.is_ascending  # what boards.board calls ascending
    is_falling = is_best_first == metric.higher_is_better
    return Column(
        metric=metric,
        order="asc" if is_falling else "desc",
        sorted_as="descending" if is_falling else "ascending",
    )
