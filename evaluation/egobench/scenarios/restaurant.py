"""Restaurant: set meals, orders and totals; the dishes are in restaurant_menu (spec 5.3)."""

from collections.abc import Callable
from typing import TypeVar

from evaluation.egobench.scenarios import catalogue
from evaluation.egobench.scenarios.base import Answer, Scenario, error, success
from evaluation.egobench.scenarios.catalogue import NUTRIENTS, Goods
from evaluation.egobench.scenarios.restaurant_menu import (
    Items,
    Menu,
    SetMeal,
    load,
    tools,
)
from evaluation.egobench.state import Table

R = TypeVar("R")


@tools.writes
def create_set_meal(
    store: Menu,
    set_meal_name: str,
    included_dishes: Items,
    set_meal_price: float,
    set_meal_discount: float,
) -> Answer:
    """Create a set meal from dishes on the menu, or replace the one of that name."""
    for item in included_dishes:
        if store.dishes.get(str_name(item["dish_name"])) is None:
            return error(f"There is no dish {item['dish_name']!r}.")
    name = set_meal_name.lower()
    meal = SetMeal(
        name=name,
        included_dishes=[dict(item) for item in included_dishes],
        price=set_meal_price,
        discount=set_meal_discount,
    )
    store.set_meals.put(name, meal)
    return success(f"The set meal {name!r} is offered.")


def str_name(name: object) -> str:
    """A name as stored. Raises TypeError if it is no string."""
    if not isinstance(name, str):
        raise TypeError("a name must be a string")
    return name.lower()


@tools.reads
def get_set_meal_details(store: Menu, set_meal_name: str) -> Answer:
    """Get the dishes, price and discount of a set meal."""
    meal = store.set_meals.get(set_meal_name.lower())
    if meal is None:
        return error(f"There is no set meal {set_meal_name!r}.")
    return {"status": "success", **meal}


@tools.reads
def find_set_meals_containing_dish(store: Menu, dish_name: str) -> Answer:
    """List the set meals that include a dish."""
    wanted = dish_name.lower()
    found = [
        name
        for name, meal in store.set_meals.items()
        if any(str_name(i["dish_name"]) == wanted for i in meal["included_dishes"])
    ]
    return {"status": "success", "set_meals": found}


def _add(
    store: Menu, offered: Table[R], user_id: str, name: str, quantity: object
) -> Answer:
    wanted = name.lower()
    if offered.get(wanted) is None:
        return error(f"{name!r} is not offered.")
    order = store.orders.get(user_id) or {}
    total = order[wanted] + quantity if wanted in order else quantity  # type: ignore[operator]
    store.orders.put(user_id, {**order, wanted: total})
    return success(f"{wanted!r} is ordered.")


def _remove(store: Menu, user_id: str, name: str, quantity: float) -> Answer:
    wanted, order = name.lower(), store.orders.get(user_id)
    if order is None or wanted not in order:
        return error(f"{name!r} is not in the order of this user.")
    left = order[wanted] - quantity  # type: ignore[operator]
    rest = {k: v for k, v in order.items() if k != wanted}
    store.orders.put(user_id, rest if left <= 0 else {**rest, wanted: left})
    return success(f"{wanted!r} is taken out of the order.")


@tools.writes
def add_dish_to_order(
    store: Menu, user_id: str, dish_name: str, quantity: float
) -> Answer:
    """Order a quantity of a dish."""
    return _add(store, store.dishes, user_id, dish_name, quantity)


@tools.writes
def remove_dish_from_order(
    store: Menu, user_id: str, dish_name: str, quantity: float
) -> Answer:
    """Take a quantity of a dish out of an order."""
    return _remove(store, user_id, dish_name, quantity)


@tools.writes
def add_set_meal_to_order(
    store: Menu, user_id: str, set_meal_name: str, quantity: float
) -> Answer:
    """Order a quantity of a set meal."""
    return _add(store, store.set_meals, user_id, set_meal_name, quantity)


@tools.writes
def remove_set_meal_from_order(
    store: Menu, user_id: str, set_meal_name: str, quantity: float
) -> Answer:
    """Take a quantity of a set meal out of an order."""
    return _remove(store, user_id, set_meal_name, quantity)


@tools.writes
def clear_user_order(store: Menu, user_id: str) -> Answer:
    """Empty the order of a user."""
    if store.orders.get(user_id) is not None:
        store.orders.put(user_id, {})
    return success("The order is empty.")


@tools.reads
def get_user_order_summary(store: Menu, user_id: str) -> Answer:
    """List the items of a user's order."""
    order = store.orders.get(user_id) or {}
    items = [{"dish_name": n, "quantity": q} for n, q in order.items()]
    return {"user_id": user_id, "items": items, "total_items": len(items)}


def _sum(
    store: Menu, dishes: Items, value: Callable[[Goods], float], *, is_paid: bool
) -> float:
    """Sum `value` over dishes and set meals; a set meal's own price goes first."""
    total = 0.0
    for item in dishes:
        name, quantity = str_name(item["dish_name"]), number(item.get("quantity", 0))
        dish, meal = store.dishes.get(name), store.set_meals.get(name)
        if dish is not None:
            total += value(dish) * quantity
        elif meal is not None:
            factor = meal["discount"] * quantity if is_paid else quantity
            if is_paid and meal["price"] > 0:
                total += meal["price"] * factor
            else:
                total += factor * sum(value(d) * n for d, n in _parts(store, meal))
    return round(total, 2)


def number(value: object) -> float:
    """A quantity for a total. Raises TypeError if it is no number."""
    if not isinstance(value, int | float):
        raise TypeError("a quantity must be a number")
    return value


def _parts(store: Menu, meal: SetMeal) -> list[tuple[Goods, float]]:
    """The dishes of a set meal that are still on the menu, with their quantities."""
    found = [
        (store.dishes.get(str_name(i["dish_name"])), number(i.get("quantity", 1)))
        for i in meal["included_dishes"]
    ]
    return [(dish, quantity) for dish, quantity in found if dish is not None]


@tools.reads
def compute_total_payment(store: Menu, user_id: str, dishes: Items) -> Answer:
    """Sum price times discount over dishes and set meals."""
    total = _sum(store, dishes, catalogue.payment, is_paid=True)
    return {"user_id": user_id, "total": total}


@tools.reads
def compute_total_tax(store: Menu, user_id: str, dishes: Items) -> Answer:
    """Sum the tax inside the prices; a set meal's discount is not applied."""
    total = _sum(store, dishes, catalogue.tax, is_paid=False)
    return {"user_id": user_id, "total_tax": total}


@tools.reads
def compute_total_nutrition(store: Menu, user_id: str, dishes: Items) -> Answer:
    """Sum the nutrition of dishes and of the dishes in set meals."""
    total = dict.fromkeys(NUTRIENTS, 0.0) if dishes else {}
    for item in dishes:
        name, quantity = str_name(item["dish_name"]), number(item.get("quantity", 0))
        dish, meal = store.dishes.get(name), store.set_meals.get(name)
        parts = [(dish, 1.0)] if dish else _parts(store, meal) if meal else []
        for part, pieces in parts:
            facts = part["nutrition"]
            factor = quantity * pieces
            factor = factor / 100 if facts["basis"] == "PER_100G" else factor
            catalogue.add_facts(total, facts, factor, NUTRIENTS)
    return {"user_id": user_id, "total_nutrition": catalogue.rounded(total)}


RESTAURANT = Scenario(
    slug="restaurant",
    tools=tools,
    load=load,
    name_rule="pool",
    fuzzy_keys=frozenset({"dish_name", "set_meal_name", "restaurant_name"}),
    query_tools=frozenset(
        {
            "get_dish_price",
            "get_dish_discount",
            "get_dish_nutrition",
            "get_dish_allergens",
            "get_tax_rate",
            "get_dish_taste_profile",
            "get_user_order_summary",
            "get_set_meal_details",
            "find_dishes_by_category",
            "find_dishes_by_nutritional_tag",
            "find_dishes_by_taste",
            "find_set_meals_containing_dish",
            "list_all_discounted_dishes",
            "filter_dishes_by_price_range",
            "compute_total_payment",
            "compute_total_tax",
            "compute_total_nutrition",
        }
    ),
    key_aliases={},
)
