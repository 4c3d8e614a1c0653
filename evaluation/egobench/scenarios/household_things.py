"""Household: the items of a database file, and what is checked on loading (spec 5.6)."""

from dataclasses import dataclass
from datetime import date
from typing import TypedDict

import msgspec

from evaluation.egobench.scenarios import inventory
from evaluation.egobench.scenarios import inventory_checks as checks
from evaluation.egobench.scenarios.base import (
    BadDatabase,
    Database,
    rows,
)
from evaluation.egobench.scenarios.inventory import Action, Refused
from evaluation.egobench.state import Store, Table

CATEGORIES = {
    "furniture",
    "tableware",
    "cookware",
    "bedding",
    "clothing",
    "footwear",
    "home_textile",
    "storage_item",
    "home_appliance",
    "electronics",
    "lighting",
    "decoration",
    "cleaning_item",
    "daily_supply",
    "other",
}
LOCATIONS = {
    "living_room",
    "dining_room",
    "bedroom",
    "study",
    "wardrobe",
    "linen_closet",
    "shoe_cabinet",
    "kitchen_cabinet",
    "pantry",
    "bathroom_cabinet",
    "laundry_area",
    "storage_room",
    "bookshelf",
    "display_shelf",
    "balcony",
    "garage",
}
PERIODIC = ("clean", "condition", "disinfect", "wash", "inspect")
ACTIONS = {*PERIODIC, "repair", "relocate", "dry", "iron", "replace", "dispose"}
# The released tool asks the clock what PRESENT means; answers must not depend on it
# (Q25), so it is the last day that a database may speak of.
PRESENT = inventory.LAST_DAY


class Item(TypedDict):
    appears_in_video: bool
    category: str
    ideal_storage_location: str
    purchase_date: str | None
    purchase_price: float
    usage_history: list[str]
    maintenance_history: list[dict[str, str]]
    care_and_usage_instructions: str


class ItemRow(msgspec.Struct):
    name: str
    appears_in_video: bool
    category: str
    ideal_storage_location: str
    purchase_date: str | None
    purchase_price: float
    usage_history: list[str]
    maintenance_history: list[dict[str, str]]
    care_and_usage_instructions: str


class ActionRow(msgspec.Struct):
    name: str
    required_action: str
    due_date: str


class ListRow(msgspec.Struct):
    user_id: str
    actions: list[ActionRow]


@dataclass(slots=True)
class Household(Store):
    things: Table[Item]
    actions: Table[list[Action]]

    def names(self) -> list[str]:
        return list(self.things.initial)


def load(database: Database) -> Household:
    """The store of a database file. Raises BadDatabase where a loading check fails."""
    found = rows(database, "items", ItemRow)
    things: dict[str, Item] = {}
    for position, row in enumerate(found):
        _check(row, f"items[{position}]")
        record = msgspec.to_builtins(row)
        things[record.pop("name")] = record
    checks.check_names([row.name for row in found], "items")
    unseen = [not row.appears_in_video for row in found]
    categories = [row.category for row in found]
    checks.check_groups(categories, unseen, unseen, 5, "items[].category")
    locations = [row.ideal_storage_location for row in found]
    place = "items[].ideal_storage_location"
    checks.check_groups(locations, unseen, unseen, 3, place)
    lists = rows(database, "household_action_lists", ListRow)
    checks.check_lists(
        [(owner.user_id, len(owner.actions)) for owner in lists],
        "household_user_",
        "household_action_lists",
    )
    actions: dict[str, list[Action]] = {
        owner.user_id: [msgspec.to_builtins(action) for action in owner.actions]
        for owner in lists
    }
    return Household(Table(things), Table(actions, inventory.as_bag))


def _check(row: ItemRow, place: str) -> None:
    if row.category not in CATEGORIES or row.ideal_storage_location not in LOCATIONS:
        raise BadDatabase(place, "category or ideal_storage_location is not allowed")
    if row.purchase_price < 0:
        raise BadDatabase(place, "purchase_price must not be negative")
    text = row.care_and_usage_instructions
    checks.check_instructions(text, place)
    periodic = inventory.prescribed(text, PERIODIC, "day|month")
    if len(periodic) < 2:
        raise BadDatabase(place, "instructions must prescribe two periodic actions")
    bought = inventory.FIRST_DAY
    if row.purchase_date is not None:
        bought = checks.checked_day(row.purchase_date, place)
    if not inventory.FIRST_DAY <= bought <= inventory.LAST_DAY:
        raise BadDatabase(place, "purchase_date is out of range")
    _check_usage(row, bought, place)
    checks.check_history(row.maintenance_history, bought, periodic, place)


def _check_usage(row: ItemRow, bought: date, place: str) -> None:
    try:
        ranges = [span(text, row.purchase_date) for text in row.usage_history]
    except Refused as problem:
        raise BadDatabase(place, f"usage_history: {problem}") from None
    days = [day for span in ranges for day in span]
    if len(ranges) > 7 or days != sorted(days) or (days and days[0] < bought):
        raise BadDatabase(place, "usage_history must be up to 7 ordered ranges")


def span(text: str, bought: str | None) -> tuple[date, date]:
    """A range `START/END`; unknown dates of purchase are the first day of all."""
    start, slash, end = text.partition("/")
    if not slash:
        raise Refused(f"{text!r} is not a range like START/END")
    first = (
        (bought or inventory.FIRST_DAY.isoformat())
        if start == "PURCHASE_DATE"
        else start
    )
    last = PRESENT.isoformat() if end == "PRESENT" else end
    return inventory.date_range(first, last)
