"""Charts as numbers for SVG attributes; templates draw them, style sheets colour them.

Positions are texts in user units, so that no locale can change their form.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from evaluation.suite import AnySuite, ErrorType
from leaderboard.rows import Number

WIDTH = 160.0  # of a whisker plot; its marks stay PAD away from the edges
PAD = 2.0


@dataclass(frozen=True, kw_only=True)
class Share:
    """One error type's part of all labels, as a bar from 0 to 100."""

    error: ErrorType
    count: int
    percent: str
    width: str


@dataclass(frozen=True, kw_only=True)
class Whisker:
    """A value and its interval on a scale that all rows share."""

    x: str
    low: str = ""  # where the interval begins; "" without one
    width: str = ""


@dataclass(frozen=True, kw_only=True)
class Scale:
    """The ends of the axis, in the metric's unit."""

    low: float
    high: float

    def place(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return PAD + min(max(share, 0.0), 1.0) * (WIDTH - 2 * PAD)

    def whisker(self, number: Number | None) -> Whisker | None:
        if number is None or number.value is None:
            return None
        x = f"{self.place(number.value):.1f}"
        if number.low is None or number.high is None:
            return Whisker(x=x)
        low, high = self.place(number.low), self.place(number.high)
        return Whisker(x=x, low=f"{low:.1f}", width=f"{high - low:.1f}")


def scale(numbers: Iterable[Number | None]) -> Scale | None:
    """An axis with round ends around all values and intervals; None without any."""
    values = [
        value
        for number in numbers
        if number is not None
        for value in (number.value, number.low, number.high)
        if value is not None
    ]
    if not values:
        return None
    spread = max(values) - min(values)
    step = 10 ** math.floor(math.log10(spread)) if spread > 0 else 1.0
    low = math.floor(min(values) / step) * step
    high = math.ceil(max(values) / step) * step
    return Scale(low=low, high=high if high > low else low + step)


def shares(suite: AnySuite, errors: Mapping[str, int]) -> Sequence[Share]:
    """Every error type of the suite, in its order, with its part of the labels."""
    total = sum(errors.values())
    found = []
    for error in suite.errors:
        count = errors.get(error.key, 0)
        percent = 100 * count / total if total else 0.0
        found.append(
            Share(
                error=error,
                count=count,
                percent=f"{percent:.1f}",
                width=f"{percent:.2f}",
            )
        )
    return found
