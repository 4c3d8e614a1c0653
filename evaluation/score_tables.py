"""Score tables for a terminal: what has no room is left out whole, never cut.

Metrics without any value are left out. What only informs comes last, and goes first
where there is no room; then intervals go; names of subsets and scores never do.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich import box
from rich.cells import cell_len
from rich.table import Table

from evaluation.problems import shown
from evaluation.suite import AnySuite, Metric

GAP = 2  # spaces between columns


@dataclass(frozen=True, kw_only=True)
class Cell:
    """A number, and what tells how sure it is."""

    value: str
    spread: str = ""

    def text(self, *, is_full: bool) -> str:
        return f"{self.value} {self.spread}" if is_full and self.spread else self.value


Cells = Mapping[str, Mapping[str, Cell | None]]  # by subset, then by metric


@dataclass(frozen=True, kw_only=True)
class Layout:
    """A choice of columns, and whether numbers come with their intervals."""

    metrics: Sequence[Metric]
    is_full: bool
    widths: Sequence[int]  # of the subsets' column and of each metric's

    @property
    def width(self) -> int:
        return sum(self.widths) + GAP * (len(self.widths) - 1)


def fitting(suite: AnySuite, cells: Cells, first: str, width: int) -> Layout:
    """The fullest layout that has room; the barest one where none has."""
    found = layouts(suite, cells, first)
    return next((one for one in found if one.width <= width), found[-1])


def layouts(suite: AnySuite, cells: Cells, first: str) -> list[Layout]:
    """From the fullest to the barest."""
    told = [
        metric
        for metric in suite.metrics
        if any(row.get(metric.key) is not None for row in cells.values())
    ]
    scores = [metric for metric in told if not metric.is_information]
    informing = [metric for metric in told if metric.is_information]
    choices = (([*scores, *informing], True), (scores, True), (scores, False))
    return [
        Layout(
            metrics=metrics,
            is_full=is_full,
            widths=[
                max(cell_len(text) for text in (first, *map(shown, cells))),
                *(_width(metric, cells, is_full=is_full) for metric in metrics),
            ],
        )
        for metrics, is_full in choices
    ]


def drawn(layout: Layout, cells: Cells, first: str) -> Table:
    """Subsets by metrics."""
    table = Table(
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=(0, GAP - 1, 0, 0),
    )
    table.add_column(first, width=layout.widths[0])
    for metric, width in zip(layout.metrics, layout.widths[1:], strict=True):
        table.add_column(_title(metric), justify="right", width=width)
    for subset, row in cells.items():
        found = [row.get(metric.key) for metric in layout.metrics]
        texts = [cell.text(is_full=layout.is_full) if cell else "-" for cell in found]
        table.add_row(shown(subset), *texts)
    return table


def left_out(layout: Layout, fullest: Layout) -> str:
    """What there was no room for, "" when there was for all."""
    parts = [] if layout.is_full else ["intervals"]
    parts += [m.label for m in fullest.metrics if m not in layout.metrics]
    return f"no room for {', '.join(parts)}; --json has all" if parts else ""


def _title(metric: Metric) -> str:
    return f"{metric.label} ({metric.unit})"


def _width(metric: Metric, cells: Cells, *, is_full: bool) -> int:
    """Room for every number on one line; headings may break between words."""
    found = [row.get(metric.key) for row in cells.values()]
    texts = [cell.text(is_full=is_full) for cell in found if cell]
    return max(cell_len(text) for text in (*texts, *_title(metric).split()))
