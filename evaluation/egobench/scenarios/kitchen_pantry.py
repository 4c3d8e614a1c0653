"""Kitchen: ingredients and recipes, which are only looked up (spec 5.2)."""

from collections.abc import Callable
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
)
from evaluation.egobench.state import Store, Table


class Ingredient(TypedDict):
    quantity: object
    category: str
    storage_location: str | None
    expiry_date: str | None
    nutrition: dict[str, object]


class IngredientRow(msgspec.Struct):
    name: str
    category: str = ""
    quantity: object = 0
    storage_location: str | None = None
    expiry_date: str | None = None
    nutrition: dict[str, object] = {}


class Part(msgspec.Struct):
    """An ingredient of a recipe, or an entry of a shopping list."""

    ingredient_name: str
    quantity: object = 0


class RecipeRow(msgspec.Struct):
    name: str
    ingredients: list[Part] = []
    steps: list[object] = []
    allergens: list[str] = []
    taste: list[str] = []
    nutritional_characteristics: list[str] = []


class MenuRow(msgspec.Struct):
    user_id: str
    recipes: list[str] = []


class ListRow(msgspec.Struct):
    user_id: str
    items: list[Part] = []


class Recipe(TypedDict):
    steps: list[object]
    ingredients: list[dict[str, object]]
    allergens: list[str]
    taste: list[str]
    nutritional_characteristics: list[str]


@dataclass(slots=True)
class Kitchen(Store):
    ingredients: Table[Ingredient]
    recipes: Table[Recipe]
    menus: Table[list[str]]
    lists: Table[dict[str, object]]

    def names(self) -> list[str]:
        return [*self.ingredients.initial, *self.recipes.initial]


tools = ToolSet()


def load(database: Database) -> Kitchen:
    """The store of a database file; rows without a name are skipped."""
    ingredients = {
        row.name.lower(): Ingredient(
            quantity=row.quantity,
            category=row.category.lower(),
            storage_location=row.storage_location,
            expiry_date=row.expiry_date,
            nutrition=row.nutrition,
        )
        for row in rows(database, "ingredients", IngredientRow)
        if row.name
    }
    recipes = {
        row.name.lower(): _recipe(row)
        for row in rows(database, "recipes", RecipeRow)
        if row.name
    }
    menus = {
        row.user_id: catalogue.lowered(row.recipes)
        for row in rows(database, "user_menus", MenuRow)
    }
    lists = {
        row.user_id: {i.ingredient_name.lower(): i.quantity for i in row.items}
        for row in rows(database, "user_shopping_lists", ListRow)
    }
    return Kitchen(Table(ingredients), Table(recipes), Table(menus), Table(lists))


def _recipe(row: RecipeRow) -> Recipe:
    return Recipe(
        steps=row.steps,
        ingredients=[
            {"ingredient_name": p.ingredient_name.lower(), "quantity": p.quantity}
            for p in row.ingredients
        ],
        allergens=catalogue.lowered(row.allergens),
        taste=catalogue.lowered(row.taste),
        nutritional_characteristics=catalogue.lowered(row.nutritional_characteristics),
    )


@tools.reads
def get_all_ingredient_names(store: Kitchen) -> Answer:
    """List all ingredients."""
    return {"ingredients": [name for name, _ in store.ingredients.items()]}


def _ingredient_getter(field: str) -> Callable[..., Answer]:
    def get(store: Kitchen, ingredient_name: str) -> Answer:
        ingredient = store.ingredients.get(ingredient_name.lower())
        if ingredient is None:
            return error(f"There is no ingredient {ingredient_name!r}.")
        return {"ingredient_name": ingredient_name, field: dict(ingredient)[field]}

    get.__doc__ = f"Get the {field.replace('_', ' ')} of an ingredient."
    return get


for _tool, _field in {
    "get_ingredient_shelf_life": "expiry_date",
    "get_ingredient_location": "storage_location",
    "get_ingredient_nutrition": "nutrition",
    "get_ingredient_quantity": "quantity",
    "find_ingredient_category": "category",
}.items():
    tools.declare(_tool, _ingredient_getter(_field), has_effect=False)


@tools.reads
def find_ingredients_by_expiry_date(store: Kitchen, date: str) -> Answer:
    """List the ingredients that keep until a date, compared as texts."""
    found = []
    for name, ingredient in store.ingredients.items():
        expiry = ingredient["expiry_date"]
        if expiry is not None and expiry >= date:
            found.append(name)
    return {"date": date, "ingredients": found}


@tools.reads
def find_ingredients_by_location(store: Kitchen, location: str) -> Answer:
    """List the ingredients kept in a place."""
    wanted, found = location.lower(), []
    for name, ingredient in store.ingredients.items():
        place = ingredient["storage_location"]
        if place is not None and place.lower() == wanted:
            found.append(name)
    return {"location": location, "ingredients": found}


@tools.reads
def get_ingredients_by_category(store: Kitchen, category: str) -> Answer:
    """List the ingredients of a category."""
    wanted = category.lower()
    found = [n for n, i in store.ingredients.items() if i["category"] == wanted]
    return {"category": category, "ingredients": found}
