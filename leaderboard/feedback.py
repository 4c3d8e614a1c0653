"""What a phase lets people see of scores: which subsets, and error types or not.

Where a phase gives aggregate feedback, subsets and error types would tell more about
the hidden answers than its host wants, on the board as much as to the submitter.
"""

import re
from collections.abc import Iterable, Mapping
from typing import TypeVar

from evaluation import SUITES
from evaluation.suite import AnySuite
from leaderboard.models import Phase

OVERALL = "overall"
DIGITS = re.compile(r"([0-9]+)")
T = TypeVar("T")


def has_breakdowns(phase: Phase) -> bool:
    """Whether the phase tells more than overall scores."""
    return phase.feedback != Phase.Feedback.AGGREGATE


def has_instances(phase: Phase) -> bool:
    """Whether the phase tells the result of every instance."""
    return phase.feedback == Phase.Feedback.INSTANCES


def scores(phase: Phase, recorded: Mapping[str, T]) -> dict[str, T]:
    """What may be told of {subset: numbers}, in the order to show."""
    return {
        subset: recorded[subset]
        for subset in in_order(SUITES[phase.track.suite], recorded)
        if subset == OVERALL or has_breakdowns(phase)
    }


def errors(phase: Phase, recorded: Mapping[str, T]) -> dict[str, T]:
    """What may be told of {subset: error counts}, in the order to show."""
    return scores(phase, recorded) if has_breakdowns(phase) else {}


def in_order(suite: AnySuite, subsets: Iterable[str]) -> list[str]:
    """Overall first, then by family, by its own order of values, then naturally.

    JSON columns keep no order, and numbers in names count as numbers: `retail2`
    stands before `retail10`.
    """
    families = [family.key for family in suite.families]
    orders = {family.key: family.order for family in suite.families}

    def place(subset: str) -> tuple[object, ...]:
        key, _, value = subset.partition(":")
        if subset == OVERALL:
            return (-1,)
        order = orders.get(key, ())
        return (
            families.index(key) if key in orders else len(families),
            order.index(value) if value in order else len(order),
            _naturally(subset),
        )

    return sorted(subsets, key=place)


def _naturally(text: str) -> list[tuple[str, int, str, str]]:
    """A key that sorts by letters, and by value where there are digits."""
    parts = DIGITS.split(text)  # letters and digits in turn, letters first and last
    numbers = [digits.lstrip("0") for digits in (*parts[1::2], "")]
    return [
        (letters.lower(), len(digits), digits, letters)
        for letters, digits in zip(parts[::2], numbers, strict=True)
    ]
