"""Results for people: tables on the standard output, messages on the other."""

import sys
from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from leaderboard.client.answers import (
    Board,
    Metric,
    Number,
    Phase,
    Problem,
    Scores,
    Submission,
    Track,
    Validation,
)

WIDE = 200  # columns of what is not shown on a terminal
out = Console(highlight=False, width=None if sys.stdout.isatty() else WIDE)
err = Console(stderr=True, highlight=False, soft_wrap=True)


def plain(text: str) -> str:
    """Text from elsewhere, unable to steer the terminal or the layout."""
    return escape(
        "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
    )


def say(text: str) -> None:
    """A message that is no result."""
    err.print(plain(text))


def tracks(found: Sequence[Track]) -> None:
    table = Table("track", "phase", "title", "open", "closes")
    for track in found:
        for phase in track.phases:
            title = f"{track.title}: {phase.title}"
            is_open = "yes" if phase.is_open else "no"
            cells = (track.slug, phase.slug, title, is_open, phase.closes_at or "")
            table.add_row(*map(plain, cells))
    out.print(table)


def problems(listed: Sequence[Problem], total: int, what: str = "problem") -> None:
    """Each with its place, then how many there are beyond those listed."""
    for one in listed:
        say(f"{what}: {one}")
    if total > len(listed):
        say(f"… and {total - len(listed)} more")


def validation(found: Validation) -> None:
    problems(found.errors, found.problem_count)
    problems(found.notices, len(found.notices), "notice")
    if found.coverage:
        cover = found.coverage
        out.print(f"answered {cover.answered} of {cover.expected}")
    out.print("the file is sound" if found.is_valid else "the file would be rejected")


def submission(found: Submission) -> None:
    problems(found.problems, found.problem_count)
    problems(found.notices, len(found.notices), "notice")
    out.print(plain(f"{found.id}  {found.method}: {found.state}"))
    if found.queue_place:
        out.print(f"place in the queue: {found.queue_place}")
    if found.evaluation and found.evaluation.cause:
        out.print(plain(found.evaluation.cause))


def scores(found: Scores, phase: Phase) -> None:
    table = Table("subset", *(_title(metric) for metric in phase.metrics))
    for subset, numbers in found.scores.items():
        cells = [_cell(numbers.get(m.key), m) for m in phase.metrics]
        table.add_row(plain(subset), *cells)
    out.print(table)


def board(found: Board, phase: Phase) -> None:
    table = Table("rank", "method", "team", *(_title(m) for m in phase.metrics))
    for row in found.rows:
        rank = str(row.rank) if row.rank else row.kind
        cells = [_cell(row.numbers.get(m.key), m) for m in phase.metrics]
        table.add_row(rank, plain(row.method), plain(row.team), *cells)
    out.print(table)
    if found.pages > 1:
        say(f"page {found.page} of {found.pages}; --page shows another, --csv has all")


def _title(metric: Metric) -> str:
    return plain(metric.label)


def _cell(number: Number | None, metric: Metric) -> str:
    if number is None or number.value is None:
        return ""
    text = f"{number.value:.{metric.decimals}f}"
    if number.low is None or number.high is None:
        return text
    return plain(
        f"{text} [{number.low:.{metric.decimals}f}, {number.high:.{metric.decimals}f}]"
    )
