"""Kitchen: how recipes are looked up (spec 5.2)."""

from collections.abc import Callable, Hashable

from evaluation.egobench.scenarios.base import Answer, error
from evaluation.egobench.scenarios.kitchen_pantry import Kitchen, Recipe, tools

__all__ = ["tools"]  # with recipes' tools declared too


def _recipe_getter(field: str) -> Callable[..., Answer]:
    def get(store: Kitchen, recipe_name: str) -> Answer:
        recipe = store.recipes.get(recipe_name.lower())
        if recipe is None:
            return error(f"There is no recipe {recipe_name!r}.")
        return {"recipe_name": recipe_name, field: dict(recipe)[field]}

    get.__doc__ = f"Get the {field.replace('_', ' ')} of a recipe."
    return get


for _tool, _field in {
    "get_cooking_steps": "steps",
    "get_recipe_allergens": "allergens",
    "get_recipe_taste": "taste",
    "get_recipe_ingredients": "ingredients",
    "get_recipe_nutritional_characteristics": "nutritional_characteristics",
}.items():
    tools.declare(_tool, _recipe_getter(_field), has_effect=False)


def _recipes(store: Kitchen, is_found: Callable[[Recipe], bool]) -> list[Hashable]:
    return [name for name, recipe in store.recipes.items() if is_found(recipe)]


@tools.reads
def find_recipes_by_allergen(store: Kitchen, allergen: str) -> Answer:
    """List the recipes with an allergen."""
    wanted = allergen.lower()
    found = _recipes(store, lambda recipe: wanted in recipe["allergens"])
    return {"allergen": allergen, "recipes": found}


@tools.reads
def find_recipes_by_taste(store: Kitchen, taste: str) -> Answer:
    """List the recipes with a taste."""
    wanted = taste.lower()
    found = _recipes(store, lambda recipe: wanted in recipe["taste"])
    return {"taste": taste, "recipes": found}


@tools.reads
def find_recipes_by_nutritional_characteristics(
    store: Kitchen, characteristic: str
) -> Answer:
    """List the recipes with a nutritional characteristic."""
    tag = characteristic.lower()
    found = _recipes(store, lambda r: tag in r["nutritional_characteristics"])
    return {"characteristic": characteristic, "recipes": found}


@tools.reads
def find_recipes_by_ingredient(store: Kitchen, ingredient_name: str) -> Answer:
    """List the recipes that use an ingredient."""
    wanted = ingredient_name.lower()
    found = _recipes(
        store,
        lambda recipe: any(
            p["ingredient_name"] == wanted for p in recipe["ingredients"]
        ),
    )
    return {"ingredient_name": ingredient_name, "recipes": found}


@tools.reads
def get_all_recipe_names(store: Kitchen) -> Answer:
    """List all recipes."""
    return {"recipes": [name for name, _ in store.recipes.items()]}
