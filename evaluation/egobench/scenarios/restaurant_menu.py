"""Restaurant: the menu card of dishes, and how it is searched and changed (spec 5.3)."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TypedDict

import msgspec

from evaluation.egobench.scenarios import catalogue
from evaluation.egobench.scenarios.base import (
    Answer,
    Database,
    ToolSet,
    error,
    rows,
    success,
)
from evaluation.egobench.scenarios.catalogue import Goods
from evaluation.egobench.state import Store, Table

Items = list[dict[str, object]]
Order = dict[str, object]  # dish or set meal -> quantity, of whatever type was given


class SetMeal(TypedDict):
    name: str
    included_dishes: Items
    price: float
    discount: float


class Line(msgspec.Struct):
    dish_name: str
    quantity: object = 1


class DishRow(catalogue.GoodsRow):
    restaurant_name: str | None = None


class SetMealRow(msgspec.Struct):
    name: str
    included_dishes: list[Line] = []
    set_meal_price: int | float = 0
    set_meal_discount: int | float = 1
    restaurant_name: str | None = None


class OrderRow(msgspec.Struct):
    user_id: str
    items: list[Line] = []
    restaurant_name: str | None = None


@dataclass(slots=True)
class Menu(Store):
    """One restaurant: what it offers and what its guests have ordered."""

    dishes: Table[Goods]
    set_meals: Table[SetMeal]
    orders: Table[Order]

    def names(self) -> list[str]:
        return [*self.dishes.initial, *self.set_meals.initial]


tools = ToolSet()


def load(database: Database) -> Menu:
    """The store of a database file; items that are not on the menu are dropped."""
    dishes = {row.name.lower(): dish(row) for row in rows(database, "dishes", DishRow)}
    set_meals = {
        row.name.lower(): set_meal(row, dishes)
        for row in rows(database, "set_meals", SetMealRow)
    }
    orders = {
        row.user_id: {
            line.dish_name.lower(): line.quantity
            for line in row.items
            if line.dish_name.lower() in dishes or line.dish_name.lower() in set_meals
        }
        for row in rows(database, "user_orders", OrderRow)
    }
    return Menu(Table(dishes), Table(set_meals), Table(orders))


def dish(row: DishRow) -> Goods:
    """A row as a dish: unlike a shop's product, its allergens are lower-cased too."""
    item = catalogue.goods(row)
    return Goods(**{**item, "allergens": catalogue.lowered(row.allergens)})


def set_meal(row: SetMealRow, dishes: dict[str, Goods]) -> SetMeal:
    """A row as a set meal; dishes that are not on the menu are left out."""
    return SetMeal(
        name=row.name.lower(),
        included_dishes=[
            {"dish_name": line.dish_name.lower(), "quantity": line.quantity}
            for line in row.included_dishes
            if line.dish_name.lower() in dishes
        ],
        price=row.set_meal_price,
        discount=row.set_meal_discount,
    )


@tools.writes
def add_dish_to_catalog(
    store: Menu,
    dish_name: str,
    category: str,
    price: float,
    tax_rate: float,
    discount: float,
    nutritional_characteristics: list[str],
    taste: list[str],
    allergens: list[str],
    nutrition: dict[str, object],
) -> Answer:
    """Add a dish to the menu, or replace the one of that name."""
    dish = Goods(
        name=dish_name.lower(),
        category=category.lower(),
        price=price,
        tax_rate=tax_rate,
        discount=discount,
        nutritional_characteristics=catalogue.lowered(nutritional_characteristics),
        taste=catalogue.lowered(taste),
        allergens=catalogue.lowered(allergens),
        nutrition=catalogue.facts(nutrition),
    )
    store.dishes.put(dish["name"], dish)
    return success(f"{dish['name']!r} is on the menu.")


@tools.writes
def remove_dish_from_catalog(store: Menu, dish_name: str) -> Answer:
    """Take a dish off the menu and out of every order."""
    name = dish_name.lower()
    if store.dishes.get(name) is None:
        return error(f"There is no dish {dish_name!r}.")
    store.dishes.drop(name)
    for user, order in list(store.orders.items()):
        if name in order:
            store.orders.put(user, {k: v for k, v in order.items() if k != name})
    return success(f"{name!r} is off the menu.")


def _update(store: Menu, dish_name: str, changed: dict[str, object]) -> Answer:
    name = dish_name.lower()
    dish = store.dishes.get(name)
    if dish is None:
        return error(f"There is no dish {dish_name!r}.")
    store.dishes.put(name, Goods(**{**dish, **changed}))  # type: ignore[typeddict-item]
    return success(f"{name!r} is changed.", **changed)


@tools.writes
def update_dish_price(store: Menu, dish_name: str, new_price: float) -> Answer:
    """Change the price of a dish."""
    return _update(store, dish_name, {"price": new_price})


@tools.writes
def update_dish_discount(store: Menu, dish_name: str, new_discount: float) -> Answer:
    """Change the discount factor of a dish."""
    return _update(store, dish_name, {"discount": new_discount})


def _getter(field: str) -> Callable[..., Answer]:
    def get(store: Menu, dish_name: str) -> Answer:
        found = catalogue.named_like(store.dishes, dish_name)
        if not found:
            return error(f"No dish is named like {dish_name!r}.")
        values = {name: dict(dish)[field] for name, dish in found}
        return {"status": "success", "matching_dishes": values}

    get.__doc__ = (
        f"Get the {field.replace('_', ' ')} of all dishes with a similar name."
    )
    return get


for _tool, _field in {
    "get_dish_nutrition": "nutrition",
    "get_dish_allergens": "allergens",
    "get_tax_rate": "tax_rate",
    "get_dish_taste_profile": "taste",
    "get_dish_price": "price",
    "get_dish_discount": "discount",
}.items():
    tools.declare(_tool, _getter(_field), has_effect=False)


def _dishes(found: list[Hashable]) -> Answer:
    return {"status": "success", "dishes": found}


@tools.reads
def find_dishes_by_category(store: Menu, category: str) -> Answer:
    """List the dishes of a category."""
    wanted = category.lower()
    return _dishes([n for n, d in store.dishes.items() if d["category"] == wanted])


@tools.reads
def find_dishes_by_nutritional_tag(store: Menu, tag: str) -> Answer:
    """List the dishes with a nutritional characteristic."""
    return _dishes(catalogue.tagged(store.dishes, tag))


@tools.reads
def find_dishes_by_taste(store: Menu, taste: str) -> Answer:
    """List the dishes with a taste."""
    return _dishes(catalogue.tasting(store.dishes, taste))


@tools.reads
def list_all_discounted_dishes(store: Menu) -> Answer:
    """List the dishes with a discount."""
    found = catalogue.discounted(store.dishes)
    return {"status": "success", "discounted_dishes": found}


@tools.reads
def filter_dishes_by_price_range(
    store: Menu, min_price: float, max_price: float
) -> Answer:
    """List the dishes with a price in a range, bounds included."""
    return _dishes(catalogue.priced(store.dishes, min_price, max_price))
