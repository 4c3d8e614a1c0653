"""Kitchen: menus, shopping lists and totals; kitchen_pantry has the store (spec 5.2)."""

from collections.abc import Callable, Iterable

from evaluation.egobench.scenarios import catalogue
from evaluation.egobench.scenarios.base import Answer, Scenario, error, success
from evaluation.egobench.scenarios.kitchen_pantry import Kitchen, Recipe, load
from evaluation.egobench.scenarios.kitchen_recipes import tools

Items = list[dict[str, object]]


@tools.writes
def add_recipe_to_menu(store: Kitchen, user_id: str, recipe_name: str) -> Answer:
    """Add a recipe to a user's menu, once."""
    name = recipe_name.lower()
    if store.recipes.get(name) is None:
        return error(f"There is no recipe {recipe_name!r}.")
    menu = store.menus.get(user_id) or []
    if name not in menu:
        menu = [*menu, name]
    store.menus.put(user_id, menu)
    return success(f"{name!r} is on the menu.", menu=list(menu))


@tools.writes
def remove_recipe_from_menu(store: Kitchen, user_id: str, recipe_name: str) -> Answer:
    """Take a recipe off a user's menu."""
    name, menu = recipe_name.lower(), store.menus.get(user_id)
    if menu is None or name not in menu:
        return error(f"{recipe_name!r} is not on the menu of this user.")
    place = menu.index(name)
    rest = menu[:place] + menu[place + 1 :]
    store.menus.put(user_id, rest)
    return success(f"{name!r} is off the menu.", menu=list(rest))


@tools.reads
def get_current_menu(store: Kitchen, user_id: str) -> Answer:
    """List the recipes on a user's menu."""
    return {"user_id": user_id, "recipes": list(store.menus.get(user_id) or [])}


def _union(
    store: Kitchen, names: list[str], tags: Callable[[Recipe], Iterable[str]]
) -> list[str]:
    known = [store.recipes.get(name.lower()) for name in names]
    return sorted({tag for recipe in known if recipe for tag in tags(recipe) if tag})


@tools.reads
def tally_total_nutritional_characteristics(
    store: Kitchen, user_id: str, recipes: list[str]
) -> Answer:
    """List all nutritional characteristics of some recipes."""
    found = _union(store, recipes, lambda recipe: recipe["nutritional_characteristics"])
    answer: Answer = {"user_id": user_id, "recipes": recipes}
    return {**answer, "nutritional_characteristics": found}


@tools.reads
def tally_total_tastes(store: Kitchen, user_id: str, recipes: list[str]) -> Answer:
    """List all tastes of some recipes."""
    tastes = _union(store, recipes, lambda recipe: recipe["taste"])
    return {"user_id": user_id, "recipes": recipes, "tastes": tastes}


@tools.writes
def add_to_shopping_list(
    store: Kitchen, user_id: str, ingredient_name: str, quantity: float
) -> Answer:
    """Add a quantity of an ingredient, known or not, to a user's shopping list."""
    name = ingredient_name.lower()
    given: object = quantity  # declared a number, but strings count too
    amount = float(given) if isinstance(given, str) else quantity
    if amount <= 0:
        return error("quantity must be positive.")
    entries = store.lists.get(user_id) or {}
    before = entries.get(name)
    total = amount if before is None else before + amount  # type: ignore[operator]
    store.lists.put(user_id, {**entries, name: total})
    return success(f"{name!r} is on the shopping list.")


@tools.writes
def remove_from_shopping_list(
    store: Kitchen, user_id: str, ingredient_name: str
) -> Answer:
    """Take an ingredient off a user's shopping list, whatever its quantity."""
    name, entries = ingredient_name.lower(), store.lists.get(user_id)
    if entries is None or name not in entries:
        return error(f"{ingredient_name!r} is not on the list of this user.")
    store.lists.put(user_id, {k: v for k, v in entries.items() if k != name})
    return success(f"{name!r} is off the shopping list.")


@tools.reads
def get_current_shopping_list(store: Kitchen, user_id: str) -> Answer:
    """List the entries of a user's shopping list."""
    entries = store.lists.get(user_id) or {}
    items = [{"ingredient_name": n, "quantity": q} for n, q in entries.items()]
    return {"user_id": user_id, "items": items}


def _amount(quantity: object) -> float | None:
    """A quantity as a number; None for a string that is none."""
    if isinstance(quantity, str):
        try:
            return float(quantity)
        except ValueError:
            return None
    if not isinstance(quantity, int | float):
        raise TypeError("quantity must be a number")
    return quantity


@tools.reads
def compute_total_nutritions(
    store: Kitchen, user_id: str, ingredients: Items
) -> Answer:
    """Sum the nutrition of ingredients and quantities; unknown ones are ignored."""
    total = dict.fromkeys(catalogue.NUTRIENTS, 0.0)
    for item in ingredients:
        known = store.ingredients.get(str(item["ingredient_name"]).lower())
        amount = _amount(item.get("quantity", 0))
        if known is not None and amount is not None:
            facts = known["nutrition"]
            catalogue.add_facts(total, facts, amount, catalogue.NUTRIENTS)
    return {"user_id": user_id, "total_nutrition": catalogue.rounded(total)}


KITCHEN = Scenario(
    slug="kitchen",
    tools=tools,
    load=load,
    name_rule="exact",
    fuzzy_keys=frozenset({"ingredient_name", "recipe_name", "recipes"}),
    query_tools=tools.reading(),
    key_aliases={},
)
