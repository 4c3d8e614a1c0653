"""Boards as files. Every line of a CSV says by itself what it is a number of."""

import csv
import io

from leaderboard.boards import Board
from leaderboard.rows import Row

COLUMNS = (
    "track",
    "phase",
    "test_set",
    "subset",
    "kind",
    "rank",
    "method",
    "team",
    "submission",
    "submitted_at",
    "source",
    "source_url",
    "note",
    "organisation",
    "is_human",
    "is_open_weights",
    "is_subset",
)
# Full-width signs too: some spreadsheets read them as the plain ones.
FORMULA = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")


def as_csv(board: Board) -> str:
    """The board's rows in rank order, then baselines and published results.

    Per metric: the value in its unit, its 95 % interval (`_low`, `_high`) and the
    instances behind it (`_n`); per error type its count. Empty = does not apply.
    """
    text = io.StringIO()
    metrics = [metric.key for metric in board.suite.metrics]
    errors = [error.key for error in board.suite.errors]
    fields = [field.key for field in board.suite.card_fields]
    titles = [f"{key}{end}" for key in metrics for end in ("", "_low", "_high", "_n")]
    writer = csv.writer(text)
    cards = [f"card_{key}" for key in fields]
    counted = [f"errors_{key}" for key in errors]
    writer.writerow([*COLUMNS, *cards, *titles, *counted])
    for row in (*board.measured, *board.baselines, *board.published):
        numbers = [cell for key in metrics for cell in _numbers(row, key)]
        said = [_inert(row.card.get(key, "")) for key in fields]
        counts = [row.errors.get(key) for key in errors]
        writer.writerow([*_about(board, row), *said, *numbers, *counts])
    return text.getvalue()


def _about(board: Board, row: Row) -> list[object]:
    submission = row.entry.evaluation.submission if row.entry else None
    return [
        board.phase.track.slug,
        board.phase.slug,
        board.test_set.number if board.test_set else None,
        board.subset,
        row.kind,
        row.rank,
        _inert(row.method),
        _inert(row.team),
        submission.pk if submission else None,
        submission.created_at.isoformat() if submission else None,
        _inert(row.source),
        _inert(row.source_url),
        _inert(row.note),
        _inert(row.organisation),
        row.is_human,
        row.is_open_weights,
        row.is_subset,
    ]


def _numbers(row: Row, metric: str) -> tuple[float | None, ...]:
    number = row.numbers.get(metric)
    if number is None:
        return (None, None, None, None)
    return (number.value, number.low, number.high, number.n)


def _inert(text: str) -> str:
    """Text that a spreadsheet does not take for a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text
