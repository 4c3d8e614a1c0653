"""A board as the template draws it: columns, sections of lines, whiskers, shares."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.http import QueryDict

from evaluation.suite import Metric
from leaderboard.boards import Board
from leaderboard.rows import Row
from leaderboard.views import board_filters, charts, numbers

SCORES, INFORMATION, ERRORS = "scores", "information", "errors"  # what a table shows


@dataclass(frozen=True, kw_only=True)
class Column:
    """A metric's heading. `order` is what its link asks for: None = best first."""

    metric: Metric
    has_link: bool
    order: str | None
    sorted_as: str  # for aria-sort: ascending, descending or ""


@dataclass(frozen=True, kw_only=True)
class Line:
    row: Row
    cells: Sequence[numbers.Cell]
    sorted: numbers.Cell
    n: int | None
    whisker: charts.Whisker | None
    shares: Sequence[charts.Share]  # empty where no errors are counted
    tags: Sequence[board_filters.Tag]
    reference: int | None  # the number of its source


@dataclass(frozen=True, kw_only=True)
class Section:
    key: str
    title: str
    lines: Sequence[Line]


@dataclass(frozen=True, kw_only=True)
class Source:
    number: int
    title: str
    url: str


@dataclass(frozen=True, kw_only=True)
class BoardTable:
    columns: Sequence[Column]
    sections: Sequence[Section]
    sources: Sequence[Source]
    left_out: int  # published results with nothing to show here
    scale: charts.Scale | None
    scale_ends: tuple[str, str]
    floor: str  # where the best baseline lies on the scale; "" without one
    width: int  # columns in all


def table(board: Board, view: str, asked: QueryDict) -> BoardTable:
    """Everything but the measured rows is kept apart, under its own heading."""
    baselines, published = (
        [row for row in rows if _has_any(row, board, view)]
        for rows in (board.baselines, board.published)
    )
    rows = [*board.measured, *baselines, *published]
    columns = [_column(board, metric) for metric in _metrics(board, view, rows)]
    scale = charts.scale(row.numbers.get(board.metric.key) for row in rows)
    sources = _sources(published)
    lines = _liner(board, columns, scale, sources, asked)
    ends = (scale.low, scale.high) if scale else (0.0, 0.0)
    sections = (
        ("measured", "Measured here", board.measured),
        ("baseline", "Baselines (no model)", baselines),
        ("published", "Published elsewhere, not measured here", published),
    )
    return BoardTable(
        columns=columns,
        sections=[
            Section(key=key, title=title, lines=lines(found))
            for key, title, found in sections
        ],
        sources=list(sources.values()),
        left_out=board.left_out + len(board.published) - len(published),
        scale=scale,
        scale_ends=(f"{ends[0]:g}", f"{ends[1]:g}"),
        floor=_floor(board, scale),
        width=2 + _width(board, view, columns),
    )


def _metrics(board: Board, view: str, rows: Sequence[Row]) -> list[Metric]:
    """The sorted metric, and those of the view for which any row has a value."""
    if view == ERRORS:
        return [board.metric]
    told = {
        metric
        for row in rows
        for metric, number in row.numbers.items()
        if number.value is not None
    }
    return [
        metric
        for metric in board.suite.metrics
        if metric == board.metric
        or (metric.key in told and metric.is_information == (view == INFORMATION))
    ]


def _has_any(row: Row, board: Board, view: str) -> bool:
    """Whether a row has anything to show in a view."""
    if view == ERRORS:
        return bool(row.errors)
    if view == SCORES:
        return True
    return any(
        metric.is_information
        and (number := row.numbers.get(metric.key)) is not None
        and number.value is not None
        for metric in board.suite.metrics
    )


def _width(board: Board, view: str, columns: Sequence[Column]) -> int:
    beside = {SCORES: 2, INFORMATION: 0, ERRORS: len(board.suite.errors)}
    return len(columns) + beside[view]


def _sources(published: Iterable[Row]) -> Mapping[tuple[str, str], Source]:
    """Each source once, numbered as the rows name them."""
    found: dict[tuple[str, str], Source] = {}
    for row in published:
        key = (row.source, row.source_url)
        if key not in found:
            found[key] = Source(
                number=len(found) + 1, title=row.source, url=row.source_url
            )
    return found


def _floor(board: Board, scale: charts.Scale | None) -> str:
    found = [row.numbers.get(board.metric.key) for row in board.baselines]
    values = [n.value for n in found if n is not None and n.value is not None]
    if not scale or not values:
        return ""
    best = max(values) if board.metric.higher_is_better else min(values)
    return f"{scale.place(best):.1f}"


def _liner(
    board: Board,
    columns: Sequence[Column],
    scale: charts.Scale | None,
    sources: Mapping[tuple[str, str], Source],
    asked: QueryDict,
) -> Callable[[Sequence[Row]], list[Line]]:
    def line(row: Row) -> Line:
        number = row.numbers.get(board.metric.key)
        source = sources.get((row.source, row.source_url))
        return Line(
            row=row,
            cells=[_cell(row, column.metric, board) for column in columns],
            sorted=numbers.cell(number, board.metric, is_sorted=True),
            n=number.n if number else None,
            whisker=scale.whisker(number) if scale else None,
            shares=charts.shares(board.suite, row.errors) if row.errors else (),
            tags=board_filters.tags(board, row.card, asked),
            reference=source.number if source and row.kind == "published" else None,
        )

    return lambda rows: [line(row) for row in rows]


def _cell(row: Row, metric: Metric, board: Board) -> numbers.Cell:
    number = row.numbers.get(metric.key)
    return numbers.cell(number, metric, is_sorted=metric == board.metric)


def _column(board: Board, metric: Metric) -> Column:
    has_link = not metric.is_information
    if metric != board.metric:
        return Column(metric=metric, has_link=has_link, order=None, sorted_as="")
    is_falling = metric.higher_is_better != board.is_worst_first
    return Column(
        metric=metric,
        has_link=has_link,
        order=None if board.is_worst_first else "worst_first",
        sorted_as="descending" if is_falling else "ascending",
    )
