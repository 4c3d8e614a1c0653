"""What the released loaders demand of a warehouse or household database (spec 5.5)."""

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import date

from evaluation.egobench.scenarios.base import BadDatabase
from evaluation.egobench.scenarios.inventory import LAST_DAY, Refused, day

MINIMUM = 40  # rows: with fewer, an agent could guess


def check_names(names: Sequence[str], table: str) -> None:
    """Raise BadDatabase unless there are enough rows, each with its own name."""
    if len(names) < MINIMUM:
        raise BadDatabase(table, f"must hold at least {MINIMUM} rows")
    if len(set(names)) < len(names):
        raise BadDatabase(table, "must not hold a name twice")


def checked_day(text: object, place: str) -> date:
    """A date of the database. Raises BadDatabase."""
    try:
        return day(text)
    except Refused as problem:
        raise BadDatabase(place, str(problem)) from None


def check_history(
    records: Sequence[Mapping[str, str]],
    bought: date,
    actions: Collection[str],
    place: str,
) -> None:
    """Raise BadDatabase unless 3 to 7 sorted, prescribed records are in the time span."""
    days = [checked_day(record.get("date"), place) for record in records]
    if not 3 <= len(days) <= 7 or days != sorted(days):
        raise BadDatabase(place, "maintenance_history must hold 3 to 7 sorted records")
    if days[0] < bought or days[-1] > LAST_DAY:
        detail = f"maintenance must lie between the purchase and {LAST_DAY}"
        raise BadDatabase(place, detail)
    if any(record.get("action") not in actions for record in records):
        raise BadDatabase(place, "maintenance_history has an action not prescribed")


def check_instructions(text: str, place: str) -> None:
    """Raise BadDatabase unless it is one paragraph from `Usage:` to the service life."""
    if not text.startswith("Usage:") or "\n" in text.strip():
        raise BadDatabase(place, "instructions must be one paragraph from 'Usage:' on")
    ending = r"maximum service life is (\d+) years? from purchase\.\s*$"
    life = re.search(ending, text, re.IGNORECASE)
    if life is None or not 1 <= int(life[1]) <= 10:
        detail = "must end with a maximum service life of 1 to 10 years from purchase"
        raise BadDatabase(place, f"instructions {detail}")


def check_groups(
    groups: Sequence[str],
    counted: Sequence[bool],
    guarded: Sequence[bool],
    minimum: int,
    place: str,
) -> None:
    """Raise BadDatabase if a guarded row's group has fewer than `minimum` counted rows.

    The three sequences have one entry per row.
    """
    sizes: dict[str, int] = {}
    for group, is_counted in zip(groups, counted, strict=True):
        sizes[group] = sizes.get(group, 0) + is_counted
    for group, is_guarded in zip(groups, guarded, strict=True):
        if is_guarded and sizes[group] < minimum:
            raise BadDatabase(place, f"{group!r} needs at least {minimum} rows")


def check_lists(lists: Sequence[tuple[str, int]], prefix: str, table: str) -> None:
    """Raise BadDatabase unless 3 to 5 users `PREFIXNN` have lists of 3 to 5 actions."""
    if not 3 <= len(lists) <= 5:
        raise BadDatabase(table, "must hold 3 to 5 lists")
    for position, (user_id, length) in enumerate(lists):
        place = f"{table}[{position}]"
        if not re.fullmatch(rf"{prefix}\d\d", user_id):
            raise BadDatabase(place, f"user_id must look like {prefix}01")
        if not 3 <= length <= 5:
            raise BadDatabase(place, "must hold 3 to 5 actions")
