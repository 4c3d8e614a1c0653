"""What warehouse and household share: things with a history, and action lists.

Names are exact and case-sensitive. A failed check raises Refused, so that the call
has no effect.
"""

import re
from collections.abc import Callable, Hashable, Iterable
from datetime import date, datetime
from typing import TypeVar

from evaluation.egobench.scenarios.base import Answer
from evaluation.egobench.state import Table

R = TypeVar("R")

Action = dict[str, str]  # the thing's name, required_action, due_date
FIRST_DAY, LAST_DAY = date(2016, 8, 20), date(2026, 8, 1)


class Refused(ValueError):
    """A check of a tool said no."""


def day(text: object) -> date:
    """A date as `strptime` reads YYYY-MM-DD. Raises Refused."""
    if not isinstance(text, str):
        raise Refused("a date must be a string like 2026-08-01")
    try:
        return datetime.strptime(text, "%Y-%m-%d").date()  # noqa: DTZ007
    except ValueError:
        raise Refused(f"{text!r} is not a date like 2026-08-01") from None


def date_range(start: object, end: object) -> tuple[date, date]:
    first, last = day(start), day(end)
    if first > last:
        raise Refused("start_date is after end_date")
    return first, last


def one_of(value: object, allowed: Iterable[str]) -> str:
    if not isinstance(value, str) or value not in allowed:
        raise Refused(f"must be one of {', '.join(sorted(allowed))}")
    return value


def user(user_id: object) -> str:
    if not isinstance(user_id, str) or not user_id.strip():
        raise Refused("user_id must be a non-blank string")
    return user_id


def known(things: Table[R], name: object) -> R:
    """The record of a thing. Raises Refused when there is none of that exact name."""
    found = things.get(name) if isinstance(name, str) else None
    if found is None:
        raise Refused(f"there is nothing named {name!r}")
    return found


def texts(things: Table[R], names: object, text: Callable[[R], str]) -> Answer:
    """The instructions of several things, by name."""
    if not isinstance(names, list) or not names:
        raise Refused("must be a non-empty array of names")
    return {str(name): text(known(things, name)) for name in names}


def prescribed(instructions: str, actions: Iterable[str], units: str) -> set[str]:
    """The periodic actions that instructions prescribe, like `clean every 2 months`."""
    pattern = rf"\b({'|'.join(actions)})\s+every\s+\d+\s+({units})"
    return {
        found[0].lower() for found in re.findall(pattern, instructions, re.IGNORECASE)
    }


def add_action(lists: Table[list[Action]], user_id: str, action: Action) -> Answer:
    """Append to a user's list, which is made if there is none."""
    lists.put(user_id, [*(lists.get(user_id) or []), action])
    return {"message": f"{action['required_action']!r} is on the list."}


def remove_action(lists: Table[list[Action]], user_id: str, action: Action) -> Answer:
    """Remove the first equal entry. Raises Refused when there is none."""
    entries = lists.get(user_id)
    if entries is None or action not in entries:
        raise Refused("this user's list has no such entry")
    place = entries.index(action)
    lists.put(user_id, entries[:place] + entries[place + 1 :])
    return {"message": f"{action['required_action']!r} is off the list."}


def listed(lists: Table[list[Action]], user_id: str) -> list[Action]:
    return [dict(action) for action in lists.get(user(user_id)) or []]


def as_bag(actions: list[Action]) -> object:
    """An action list without its order, which does not count."""
    return sorted(actions, key=lambda action: tuple(action.values()))


def names_where(things: Table[R], is_found: Callable[[R], bool]) -> list[Hashable]:
    return [name for name, thing in things.items() if is_found(thing)]
