"""Warehouse: the equipment of a database file, and what is checked on loading (spec 5.5)."""

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
from evaluation.egobench.scenarios.inventory import Action
from evaluation.egobench.state import Store, Table

CATEGORIES = {
    "manual_equipment",
    "power_equipment",
    "measuring_and_testing_equipment",
    "lifting_and_moving_equipment",
    "access_equipment",
    "safety_equipment",
    "cleaning_equipment",
    "storage_equipment",
    "consumable",
    "other",
}
LOCATIONS = {
    "dry_equipment_cabinet",
    "locked_equipment_cabinet",
    "wall_rack",
    "pegboard",
    "drawer_unit",
    "parts_bin",
    "shelving_unit",
    "floor_storage_area",
    "charging_station",
    "safety_equipment_cabinet",
    "chemical_storage_cabinet",
    "outdoor_storage_shed",
}
PERIODIC = ("clean", "inspect", "lubricate", "calibrate", "sharpen", "condition")
ACTIONS = {*PERIODIC, "replace", "repair", "relocate", "dispose"}


class Equipment(TypedDict):
    appears_in_video: bool
    category: str
    brand: str
    country_of_origin: str
    purchase_date: str
    ideal_storage_location: str
    usage_history: list[str]
    maintenance_history: list[dict[str, str]]
    maintenance_and_usage_instructions: str


class EquipmentRow(msgspec.Struct):
    equipment: str
    appears_in_video: bool
    category: str
    brand: str
    country_of_origin: str
    purchase_date: str
    ideal_storage_location: str
    usage_history: list[str]
    maintenance_history: list[dict[str, str]]
    maintenance_and_usage_instructions: str


class ActionRow(msgspec.Struct):
    equipment: str
    required_action: str
    due_date: str


class ListRow(msgspec.Struct):
    user_id: str
    actions: list[ActionRow]


@dataclass(slots=True)
class Warehouse(Store):
    equipment: Table[Equipment]
    actions: Table[list[Action]]

    def names(self) -> list[str]:
        return list(self.equipment.initial)


def load(database: Database) -> Warehouse:
    """The store of a database file. Raises BadDatabase where a loading check fails."""
    found = rows(database, "equipment", EquipmentRow)
    equipment: dict[str, Equipment] = {}
    for position, row in enumerate(found):
        _check(row, f"equipment[{position}]")
        record = msgspec.to_builtins(row)
        equipment[record.pop("equipment")] = record
    checks.check_names([row.equipment for row in found], "equipment")
    _check_groups(found)
    lists = rows(database, "equipment_action_lists", ListRow)
    checks.check_lists(
        [(owner.user_id, len(owner.actions)) for owner in lists],
        "warehouse_user_",
        "equipment_action_lists",
    )
    actions: dict[str, list[Action]] = {
        owner.user_id: [msgspec.to_builtins(action) for action in owner.actions]
        for owner in lists
    }
    return Warehouse(Table(equipment), Table(actions, inventory.as_bag))


def _check(row: EquipmentRow, place: str) -> None:
    if row.category not in CATEGORIES or row.ideal_storage_location not in LOCATIONS:
        raise BadDatabase(place, "category or ideal_storage_location is not allowed")
    text = row.maintenance_and_usage_instructions
    checks.check_instructions(text, place)
    periodic = inventory.prescribed(text, PERIODIC, "month")
    if len(periodic) < 2:
        raise BadDatabase(place, "instructions must prescribe two periodic actions")
    bought = checks.checked_day(row.purchase_date, place)
    if not inventory.FIRST_DAY <= bought <= inventory.LAST_DAY:
        raise BadDatabase(place, "purchase_date is out of range")
    used = [checks.checked_day(text, place) for text in row.usage_history]
    if len(used) > 7 or used != sorted(set(used)) or not _within(used, bought):
        raise BadDatabase(place, "usage_history must be up to 7 sorted, distinct dates")
    history = row.maintenance_history
    checks.check_history(history, bought, periodic, place)


def _within(days: list[date], bought: date) -> bool:
    return not days or (bought <= days[0] and days[-1] <= inventory.LAST_DAY)


def _check_groups(found: list[EquipmentRow]) -> None:
    everything, unseen = [True] * len(found), [not r.appears_in_video for r in found]
    categories = [row.category for row in found]
    checks.check_groups(categories, everything, unseen, 5, "equipment[].category")
    locations = [row.ideal_storage_location for row in found]
    place = "equipment[].ideal_storage_location"
    checks.check_groups(locations, everything, unseen, 3, place)
    brands = [row.brand for row in found]
    checks.check_groups(brands, everything, everything, 3, "equipment[].brand")
    if len({(r.brand, r.country_of_origin) for r in found}) > len(set(brands)):
        raise BadDatabase("equipment", "a brand must have one country_of_origin")
