"""Reading one prediction: an integer, or the reason why it is none.

The rules are those of Python's `int(x)`, as the released script uses it, less its
surprises: booleans are no counts, and neither is a number too large for a double.
"""

from collections.abc import Sequence
from enum import StrEnum

import numpy as np

from evaluation.tables import Counts

LIMIT = 2**53 - 1


class Unreadable(StrEnum):
    """Why a prediction is none."""

    NULL = "null"
    BOOLEAN = "boolean"
    WRONG_TYPE = "wrong_type"
    UNPARSEABLE = "unparseable"
    OUT_OF_RANGE = "out_of_range"
    NOT_FINITE = "not_finite"


MEANING = {
    Unreadable.NULL: "null or absent",
    Unreadable.BOOLEAN: "true or false",
    Unreadable.WRONG_TYPE: "a list or an object",
    Unreadable.UNPARSEABLE: "text that is not an integer",
    Unreadable.OUT_OF_RANGE: "beyond 2^53-1",
    Unreadable.NOT_FINITE: "a number too large for a double",
}


def read_count(value: object) -> int | Unreadable:
    """One JSON value as a count. Fractions are cut off; text must be an integer."""
    if isinstance(value, bool):
        return Unreadable.BOOLEAN
    if isinstance(value, int):
        return _bounded(value)
    if isinstance(value, float):
        return _bounded(int(value)) if abs(value) < np.inf else Unreadable.NOT_FINITE
    if isinstance(value, str):
        return _from_text(value)
    return Unreadable.NULL if value is None else Unreadable.WRONG_TYPE


def read_counts(values: Sequence[object]) -> tuple[Counts, dict[int, Unreadable]]:
    """Many JSON values: counts of shape (len(values),), and reasons by position.

    The count at an unreadable position is 0 and means nothing.
    """
    if set(map(type, values)) <= {int}:
        try:
            counts = np.array(values, np.int64)
        except OverflowError:
            pass
        else:
            if not len(counts) or (counts.min() >= -LIMIT and counts.max() <= LIMIT):
                return counts, {}
    found = [read_count(value) for value in values]
    reasons = {i: v for i, v in enumerate(found) if isinstance(v, Unreadable)}
    readable = [0 if isinstance(v, Unreadable) else v for v in found]
    return np.array(readable, np.int64), reasons


def _from_text(text: str) -> int | Unreadable:
    try:
        return _bounded(int(text))
    except ValueError:
        return Unreadable.UNPARSEABLE


def _bounded(value: int) -> int | Unreadable:
    return value if -LIMIT <= value <= LIMIT else Unreadable.OUT_OF_RANGE
