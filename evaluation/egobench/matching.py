"""Equality of parameters, and which ground-truth calls a trajectory covers (spec 2)."""

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.egobench.tidying import Parameters

MAX_POOLED = 4096  # names whose pool is remembered, if they are not too long
MAX_REMEMBERED = 256
SCALAR = (str, int, float)  # a bool is an int


class Names:
    """The name rule of a scenario over a catalogue (spec 2.4)."""

    def __init__(self, rule: str, catalogue: Sequence[str]) -> None:
        self._rule = rule
        self._catalogue = catalogue
        self._pools: dict[str, frozenset[str]] = {}

    def match(self, goal: str, given: object) -> bool:
        """Whether the given name stands for the goal's.

        A name that is no string matches nothing (P3): the released evaluator raises
        there, or answers no.
        """
        if not isinstance(given, str):
            return False
        if self._rule == "exact":
            return goal.strip().lower() == given.strip().lower()
        if self._rule == "pool":
            mine, theirs = self._pool(goal), self._pool(given)
            if mine and theirs:
                return not mine.isdisjoint(theirs)
        a, b = goal.lower(), given.lower()
        return bool(a and b) and (a in b or b in a)

    def _pool(self, name: str) -> frozenset[str]:
        part = name.lower()
        pool = self._pools.get(part)
        if pool is None:
            pool = frozenset(n for n in self._catalogue if part in n or n in part)
            if len(part) <= MAX_REMEMBERED:
                if len(self._pools) >= MAX_POOLED:
                    self._pools.clear()
                self._pools[part] = pool
        return pool


@dataclass(frozen=True, kw_only=True, slots=True)
class Equality:
    """Compares parameters. In all methods `goal` is the ground truth's side."""

    names: Names
    fuzzy: frozenset[str]

    def parameters(self, goal: Parameters, given: Parameters) -> bool:
        """Raises OverflowError where a number is too large to compare."""
        if goal.keys() != given.keys():
            return False
        for key, mine in goal.items():
            theirs = given[key]
            if key in self.fuzzy and isinstance(mine, str):
                if not self.names.match(mine, theirs):
                    return False
            elif not self._value(mine, theirs, key):
                return False
        return True

    def _value(self, goal: object, given: object, key: str) -> bool:
        if type(goal) is not type(given):
            return _same_number(goal, given)
        if isinstance(goal, dict) and isinstance(given, dict):
            return self.parameters(goal, given)
        if isinstance(goal, list) and isinstance(given, list):
            return self._strict_list(goal, given, key)
        return goal == given

    def _strict(self, goal: object, given: object, key: str) -> bool:
        if type(goal) is not type(given):
            return _same_number(goal, given)
        if isinstance(goal, dict) and isinstance(given, dict):
            return goal.keys() == given.keys() and all(
                self._strict(value, given[name], name) for name, value in goal.items()
            )
        if isinstance(goal, list) and isinstance(given, list):
            return self._strict_list(goal, given, key)
        if isinstance(goal, str) and isinstance(given, str) and key in self.fuzzy:
            return goal.strip().lower() == given.strip().lower()
        return goal == given

    def _strict_list(self, goal: list[object], given: list[object], key: str) -> bool:
        """Each element takes the first equal one left; order does not count."""
        if len(goal) != len(given):
            return False
        left = list(given)
        for mine in goal:
            for position, theirs in enumerate(left):
                if self._strict(mine, theirs, key):
                    del left[position]
                    break
            else:
                return False
        return True


def _same_number(goal: object, given: object) -> bool:
    """Values of two types are equal only as numbers: 2, 2.0, " 2.0 ", "2e0", true = 1."""
    if not isinstance(goal, SCALAR) or not isinstance(given, SCALAR):
        return False
    try:
        return float(goal) == float(given)
    except ValueError:
        return False


@dataclass(frozen=True, kw_only=True, slots=True)
class GoalCall:
    """A ground-truth call, tidied. Plain ones equal whatever Python calls equal."""

    tool: str
    parameters: Parameters
    is_plain: bool


def is_plain(value: object) -> bool:
    """Whether Python's equality implies ours: no blank text, which matches nothing."""
    if isinstance(value, dict):
        return all(is_plain(inner) for inner in value.values())
    return value != ""


Given = tuple[int, Parameters]  # position among the trajectory's calls, parameters


def covered(
    goals: Sequence[GoalCall], given: dict[str, list[Given]], equality: Equality
) -> list[int]:
    """Positions of the calls that ground-truth calls use up: greedy, in order.

    `given` holds the trajectory's calls by tool name and loses the used ones.
    """
    used = []
    for goal in goals:
        candidates = given.get(goal.tool)
        if candidates:
            for place, (position, parameters) in enumerate(candidates):
                if _equal(goal, parameters, equality):
                    used.append(position)
                    del candidates[place]
                    break
    return used


def _equal(goal: GoalCall, parameters: Parameters, equality: Equality) -> bool:
    if goal.is_plain and goal.parameters == parameters:
        return True
    try:
        return equality.parameters(goal.parameters, parameters)
    except OverflowError:
        return False  # P3: what cannot be compared does not match
