"""Household: tools over items and action lists; the store is in household_things (spec 5.6)."""

from collections.abc import Callable, Hashable

from evaluation.egobench.scenarios import inventory
from evaluation.egobench.scenarios.base import Answer, Scenario, ToolSet
from evaluation.egobench.scenarios.household_things import (
    ACTIONS,
    CATEGORIES,
    LOCATIONS,
    Household,
    Item,
    load,
    span,
)
from evaluation.egobench.scenarios.inventory import Action, Refused

tools = ToolSet()


@tools.reads
def get_all_item_names(store: Household) -> list[Hashable]:
    """List all items."""
    return [name for name, _ in store.things.items()]


def _getter(field: str) -> Callable[..., object]:
    def get(store: Household, item_name: str) -> object:
        found = inventory.known(store.things, item_name)
        return dict(found)[field]

    get.__doc__ = f"Get the {field.replace('_', ' ')} of an item."
    return get


for _field in (
    "category",
    "ideal_storage_location",
    "purchase_date",
    "purchase_price",
    "usage_history",
    "maintenance_history",
):
    tools.declare(f"get_item_{_field}", _getter(_field), has_effect=False)


@tools.reads
def find_items_by_category(store: Household, category: str) -> list[Hashable]:
    """List the items of a category."""
    inventory.one_of(category, CATEGORIES)
    return inventory.names_where(store.things, lambda i: i["category"] == category)


@tools.reads
def find_items_by_ideal_storage_location(
    store: Household, location: str
) -> list[Hashable]:
    """List the items that belong in a place."""
    inventory.one_of(location, LOCATIONS)
    return inventory.names_where(
        store.things, lambda i: i["ideal_storage_location"] == location
    )


@tools.reads
def find_items_by_purchase_date_range(
    store: Household, start_date: str, end_date: str
) -> list[Hashable]:
    """List the items bought in a span of days, bounds included."""
    first, last = inventory.date_range(start_date, end_date)

    def is_found(item: Item) -> bool:
        bought = item["purchase_date"]
        return bought is not None and first <= inventory.day(bought) <= last

    return inventory.names_where(store.things, is_found)


@tools.reads
def find_items_by_purchase_price_range(
    store: Household, min_price: float, max_price: float
) -> list[Hashable]:
    """List the items with a price in a range, bounds included."""
    if min_price < 0 or max_price < 0 or min_price > max_price:
        raise Refused("prices must not be negative, nor min_price above max_price")
    return inventory.names_where(
        store.things, lambda i: min_price <= i["purchase_price"] <= max_price
    )


@tools.reads
def find_items_used_during_date_range(
    store: Household, start_date: str, end_date: str
) -> list[Hashable]:
    """List the items in use on some day of a span."""
    first, last = inventory.date_range(start_date, end_date)

    def is_found(item: Item) -> bool:
        spans = [span(text, item["purchase_date"]) for text in item["usage_history"]]
        return any(start <= last and end >= first for start, end in spans)

    return inventory.names_where(store.things, is_found)


@tools.reads
def get_item_maintenance_and_usage_instructions(
    store: Household, item_name: list[str]
) -> Answer:
    """Get the instructions of several items, by name."""
    return inventory.texts(
        store.things, item_name, lambda i: i["care_and_usage_instructions"]
    )


@tools.writes
def add_to_household_action_list(
    store: Household, user_id: str, name: str, required_action: str, due_date: str
) -> Answer:
    """Put an action on a user's list."""
    inventory.user(user_id)
    inventory.known(store.things, name)
    action = _action(name, required_action, due_date)
    return inventory.add_action(store.actions, user_id, action)


def _action(name: str, required_action: str, due_date: str) -> Action:
    inventory.one_of(required_action, ACTIONS)
    inventory.day(due_date)
    return {"name": name, "required_action": required_action, "due_date": due_date}


@tools.writes
def remove_from_household_action_list(
    store: Household, user_id: str, name: str, required_action: str, due_date: str
) -> Answer:
    """Take the first equal action off a user's list."""
    action = _action(name, required_action, due_date)
    return inventory.remove_action(store.actions, user_id, action)


@tools.reads
def get_household_action_list(store: Household, user_id: str) -> list[Action]:
    """List the actions on a user's list."""
    return inventory.listed(store.actions, user_id)


HOUSEHOLD = Scenario(
    slug="household",
    tools=tools,
    load=load,
    name_rule="part",
    fuzzy_keys=frozenset({"item_name", "name"}),
    query_tools=tools.reading(),
    key_aliases={"name": ("name", "item_name")},
)
