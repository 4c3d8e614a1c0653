"""What the command line prints: problems with their places, tables, progress."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from evaluation.comparison import Comparison, Difference
from evaluation.problems import InvalidUpload, Problem, shown
from evaluation.report import encode
from evaluation.score_tables import Cell, Cells, drawn, fitting, layouts, left_out
from evaluation.statistics import Interval
from evaluation.suite import AnySuite, Coverage, Finding, Metric

LINE = 500  # characters of one problem
NARROWEST = 120  # where output goes to a file or pipe, tables may be wide

Move = Callable[[str, int, int], None]


def say(text: str) -> None:
    """A line for people, on standard output."""
    _console().print(shown(text, LINE), markup=False, highlight=False, soft_wrap=True)


def complain(text: str) -> None:
    """A line about what is wrong, on standard error. Hostile names are made harmless."""
    console = Console(stderr=True)
    console.print(shown(text, LINE), markup=False, highlight=False, soft_wrap=True)


def complain_about(error: InvalidUpload) -> None:
    """Every problem listed, one a line, and how many there are in all."""
    for problem in error.problems:
        complain(f"{problem} [{problem.code}]")
    hidden = error.total - len(error.problems)
    more = f", of which {len(error.problems)} are shown" if hidden > 0 else ""
    complain(f"{error.total} problem{'' if error.total == 1 else 's'}{more}")


def mention(notices: Sequence[Problem]) -> None:
    """What was accepted, but is worth knowing."""
    for notice in notices:
        complain(f"note: {notice}")


def write(value: Mapping[str, object], out: str) -> None:
    """JSON to a file, or to standard output for `-`."""
    data = encode(value)
    if out == "-":
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        Path(out).write_bytes(data)


@contextmanager
def progress(*, is_wanted: bool) -> Iterator[Move]:
    """A bar on standard error, if that is a terminal; it goes when done."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    is_shown = is_wanted and console.is_terminal
    with Progress(
        *columns, console=console, transient=True, disable=not is_shown
    ) as bar:
        task = bar.add_task("", total=None)

        def move(step: str, done: int, total: int) -> None:
            bar.update(task, description=step, completed=done, total=total)

        yield move


def show_suites(suites: Sequence[AnySuite]) -> None:
    """One row per suite."""
    table = Table("suite", "name", "protocols", "metrics", "upload formats")
    for suite in suites:
        table.add_row(
            suite.slug,
            suite.name,
            ", ".join(suite.protocols),
            ", ".join(metric.key for metric in suite.metrics),
            ", ".join(form.name for form in suite.formats),
        )
    _console().print(table)


def show_coverage(coverage: Coverage) -> None:
    """One line: what is answered of what is expected."""
    parts = [f"{coverage.answered} of {coverage.expected} answered"]
    for name in ("missing", "invalid", "unknown", "duplicate"):
        count = getattr(coverage, name)
        if count:
            parts.append(f"{count} {name}")
    say(", ".join(parts))


def show_findings(findings: Sequence[Finding]) -> None:
    """One line per finding, and how many there are."""
    for one in findings:
        say(f"{one.severity}: {one.place}: {one.detail} [{one.code}]")
    say(f"{len(findings)} finding{'' if len(findings) == 1 else 's'}")


def show_scores(
    suite: AnySuite,
    scores: Mapping[str, Mapping[str, float | None]],
    spread: Mapping[str, Mapping[str, Interval | None]],
) -> None:
    """Subsets by metrics, each with its 95 % interval, as far as there is room."""
    cells = {
        subset: {
            metric.key: _score(values[metric.key], spread[subset][metric.key], metric)
            for metric in suite.metrics
        }
        for subset, values in scores.items()
    }
    _show(suite, cells, "subset")


def show_comparison(suite: AnySuite, comparison: Comparison) -> None:
    """Subsets by metrics: B minus A, its 95 % interval and p-value."""
    cells = {
        subset: {
            metric.key: _difference(values[metric.key], metric)
            for metric in suite.metrics
        }
        for subset, values in comparison.differences.items()
    }
    _show(suite, cells, "B minus A")


def _show(suite: AnySuite, cells: Cells, first: str) -> None:
    """A table as wide as the terminal lets it be."""
    console = Console()
    fullest, with_intervals, _ = layouts(suite, cells, first)
    width = console.width
    if not console.is_terminal:  # a file has room for intervals
        width = max(width, NARROWEST, with_intervals.width)
    layout = fitting(suite, cells, first, width)
    table = drawn(layout, cells, first)
    Console(width=max(width, layout.width)).print(table, markup=False, highlight=False)
    if missed := left_out(layout, fullest):
        complain(missed)


def _score(value: float | None, spread: Interval | None, metric: Metric) -> Cell | None:
    if value is None:
        return None
    text = f"{value:.{metric.decimals}f}"
    return Cell(value=text, spread=_interval(spread, metric.decimals))


def _difference(found: Difference | None, metric: Metric) -> Cell | None:
    if found is None:
        return None
    parts = [_interval(found.interval, metric.decimals)]
    if found.p_value is not None:
        parts.append(f"p={found.p_value:.3f}")
    value = f"{found.value:+.{metric.decimals}f}"
    return Cell(value=value, spread=" ".join(part for part in parts if part))


def _interval(spread: Interval | None, decimals: int) -> str:
    if spread is None:
        return ""
    return f"[{spread[0]:.{decimals}f}, {spread[1]:.{decimals}f}]"


def _console() -> Console:
    console = Console()
    if console.is_terminal:
        return console
    return Console(width=max(console.width, NARROWEST))
