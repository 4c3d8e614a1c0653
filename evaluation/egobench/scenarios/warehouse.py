"""Warehouse: tools over equipment and action lists; the store is in warehouse_stock (spec 5.5)."""

from collections.abc import Callable, Hashable

from evaluation.egobench.scenarios import inventory
from evaluation.egobench.scenarios.base import Answer, Scenario, ToolSet
from evaluation.egobench.scenarios.inventory import Action
from evaluation.egobench.scenarios.warehouse_stock import (
    ACTIONS,
    CATEGORIES,
    LOCATIONS,
    PERIODIC,
    Warehouse,
    load,
)

tools = ToolSet()


@tools.reads
def get_all_equipment(store: Warehouse) -> list[Hashable]:
    """List all equipment."""
    return [name for name, _ in store.equipment.items()]


def _getter(field: str) -> Callable[..., object]:
    def get(store: Warehouse, equipment: str) -> object:
        found = inventory.known(store.equipment, equipment)
        return dict(found)[field]

    get.__doc__ = f"Get the {field.replace('_', ' ')} of a piece of equipment."
    return get


for _field in (
    "category",
    "brand",
    "country_of_origin",
    "purchase_date",
    "ideal_storage_location",
    "usage_history",
    "maintenance_history",
):
    tools.declare(f"get_equipment_{_field}", _getter(_field), has_effect=False)


@tools.reads
def find_equipment_by_category(store: Warehouse, category: str) -> list[Hashable]:
    """List the equipment of a category."""
    inventory.one_of(category, CATEGORIES)
    return inventory.names_where(store.equipment, lambda e: e["category"] == category)


@tools.reads
def find_equipment_by_ideal_storage_location(
    store: Warehouse, location: str
) -> list[Hashable]:
    """List the equipment that belongs in a place."""
    inventory.one_of(location, LOCATIONS)
    return inventory.names_where(
        store.equipment, lambda e: e["ideal_storage_location"] == location
    )


@tools.reads
def find_equipment_by_brand(store: Warehouse, brand: str) -> list[Hashable]:
    """List the equipment of a brand, spelled exactly."""
    return inventory.names_where(store.equipment, lambda e: e["brand"] == brand)


@tools.reads
def find_equipment_by_country_of_origin(
    store: Warehouse, country: str
) -> list[Hashable]:
    """List the equipment from a country, spelled exactly."""
    return inventory.names_where(
        store.equipment, lambda e: e["country_of_origin"] == country
    )


@tools.reads
def find_equipment_by_purchase_date_range(
    store: Warehouse, start_date: str, end_date: str
) -> list[Hashable]:
    """List the equipment bought in a span of days, bounds included."""
    first, last = inventory.date_range(start_date, end_date)
    return inventory.names_where(
        store.equipment, lambda e: first <= inventory.day(e["purchase_date"]) <= last
    )


@tools.reads
def get_equipment_maintenance_and_usage_instructions(
    store: Warehouse, equipment: list[str]
) -> Answer:
    """Get the instructions of several pieces of equipment, by name."""
    return inventory.texts(
        store.equipment, equipment, lambda e: e["maintenance_and_usage_instructions"]
    )


@tools.writes
def add_to_equipment_action_list(
    store: Warehouse, user_id: str, equipment: str, required_action: str, due_date: str
) -> Answer:
    """Put an action on a user's list; a periodic one must be prescribed."""
    inventory.user(user_id)
    item = inventory.known(store.equipment, equipment)
    action = _action(equipment, required_action, due_date)
    text = item["maintenance_and_usage_instructions"]
    allowed = inventory.prescribed(text, PERIODIC, "month")
    if required_action in PERIODIC and required_action not in allowed:
        raise inventory.Refused(f"{required_action!r} is not prescribed for it")
    return inventory.add_action(store.actions, user_id, action)


def _action(equipment: str, required_action: str, due_date: str) -> Action:
    inventory.one_of(required_action, ACTIONS)
    inventory.day(due_date)
    return {
        "equipment": equipment,
        "required_action": required_action,
        "due_date": due_date,
    }


@tools.writes
def remove_from_equipment_action_list(
    store: Warehouse, user_id: str, equipment: str, required_action: str, due_date: str
) -> Answer:
    """Take the first equal action off a user's list."""
    action = _action(equipment, required_action, due_date)
    return inventory.remove_action(store.actions, user_id, action)


@tools.reads
def get_equipment_action_list(store: Warehouse, user_id: str) -> list[Action]:
    """List the actions on a user's list."""
    return inventory.listed(store.actions, user_id)


WAREHOUSE = Scenario(
    slug="warehouse",
    tools=tools,
    load=load,
    name_rule="part",
    fuzzy_keys=frozenset({"equipment"}),
    query_tools=tools.reading(),
    key_aliases={},
)
