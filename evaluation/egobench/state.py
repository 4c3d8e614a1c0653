"""Copy-on-write state: what a trajectory changed, over a database that all share.

Records are replaced, never changed in place, so a view costs nothing to open and
only what a side touched needs comparing (spec section 3).
"""

import dataclasses
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Generic, Self, TypeVar

R = TypeVar("R")
TableId = tuple[str, ...]
Changes = Mapping[TableId, Mapping[Hashable, object]]  # a record of None: deleted


def _whole(record: object) -> object:
    return record


class Table(Generic[R]):
    """A mapping from key to record. `compared` gives the part of one that counts."""

    __slots__ = ("changed", "compared", "initial")

    def __init__(
        self,
        initial: Mapping[str, R],
        compared: Callable[[R], object] = _whole,
    ) -> None:
        self.initial = initial
        self.compared = compared
        self.changed: dict[Hashable, R | None] = {}

    def view(self) -> "Table[R]":
        """The same initial records, unchanged so far."""
        return Table(self.initial, self.compared)

    def get(self, key: Hashable) -> R | None:
        """The record, None if there is none. Raises TypeError for an unhashable key."""
        if key in self.changed:
            return self.changed[key]
        return self.initial.get(key)  # type: ignore[call-overload,no-any-return]

    def put(self, key: Hashable, record: R) -> None:
        self.changed[key] = record

    def drop(self, key: Hashable) -> None:
        self.changed[key] = None

    def items(self) -> Iterator[tuple[Hashable, R]]:
        """Keys and records: first the initial ones in order, then the new ones."""
        changed = self.changed
        for key, record in self.initial.items():
            kept = changed.get(key, record) if changed else record
            if kept is not None:
                yield key, kept
        for new, added in changed.items():
            if added is not None and new not in self.initial:
                yield new, added


@dataclasses.dataclass(slots=True)
class Store:
    """The tables of one scenario; a subclass names them as fields."""

    def view(self) -> Self:
        """A fresh copy-on-write view of the same database."""
        return type(self)(*(table.view() for _, table in self.tables()))

    def names(self) -> list[str]:
        """The names of the initial catalogue, as stored."""
        raise NotImplementedError

    def tables(self) -> Iterable[tuple[TableId, Table[object]]]:
        """Every table that may differ from the initial state, by name."""
        names: tuple[str, ...] = self.__slots__
        return [((name,), getattr(self, name)) for name in names]

    def table(self, name: TableId) -> Table[object]:
        """The table of that name, opened if need be."""
        table: Table[object] = getattr(self, name[0])
        return table


def changes(store: Store) -> dict[TableId, dict[Hashable, object]]:
    """What the calls replayed on this view have changed."""
    return {name: dict(t.changed) for name, t in store.tables() if t.changed}


def differing(goal: Changes, store: Store) -> list[tuple[TableId, Hashable]]:
    """Where the reached state differs from the goal; empty when they are equal."""
    found: list[tuple[TableId, Hashable]] = []
    names = [name for name, _ in store.tables()]
    for name in dict.fromkeys([*names, *goal]):
        table, wanted = store.table(name), goal.get(name, {})
        if table.changed or wanted:
            keys = dict.fromkeys([*table.changed, *wanted])
            found += [(name, k) for k in keys if not _same(table, k, wanted)]
    return found


def _same(
    table: Table[object], key: Hashable, wanted: Mapping[Hashable, object]
) -> bool:
    reached = table.get(key)
    goal = wanted[key] if key in wanted else table.initial.get(key)  # type: ignore[call-overload]
    if reached is None or goal is None:
        return reached is goal
    if not isinstance(key, str):
        return False  # the released evaluator cannot serialise such a key (Q24)
    return identical(table.compared(reached), table.compared(goal))


def identical(a: object, b: object) -> bool:
    """Equal JSON values: 5.0 is 5, but true is not 1 and "5" is not 5."""
    if a is b:
        return True
    if isinstance(a, dict):
        return (
            isinstance(b, dict)
            and a.keys() == b.keys()
            and all(identical(value, b[key]) for key, value in a.items())
        )
    if isinstance(a, list):
        return (
            isinstance(b, list)
            and len(a) == len(b)
            and all(identical(x, y) for x, y in zip(a, b, strict=True))
        )
    return isinstance(a, bool) == isinstance(b, bool) and a == b
