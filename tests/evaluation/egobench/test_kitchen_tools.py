"""Kitchen: every tool's effect, checks and answer (spec 5.2)."""

from typing import Any

import pytest

from tests.evaluation.egobench.building import changed, play

SOUP, SALAD, SMOOTHIE = (
    "lentil lime soup",
    "beetroot walnut salad",
    "green lime smoothie",
)


def ask(tool: str, **given: Any) -> Any:
    return play("kitchen", (tool, given))[0]


def menu(tool: str, name: Any, user: str = "cook_ben") -> tuple:
    return f"{tool}_menu", {"user_id": user, "recipe_name": name}


def shop(name: Any, quantity: Any, user: Any = "cook_ada") -> tuple:
    given = {"user_id": user, "ingredient_name": name, "quantity": quantity}
    return "add_to_shopping_list", given


def unshop(name: Any, user: str = "cook_ada") -> tuple:
    given = {"user_id": user, "ingredient_name": name}
    return "remove_from_shopping_list", given


@pytest.mark.parametrize(
    ("call", "after"),
    [
        (menu("add_recipe_to", SOUP.upper()), [SALAD, SMOOTHIE, SOUP]),
        (menu("add_recipe_to", SALAD), [SALAD, SMOOTHIE]),
        (menu("remove_recipe_from", SALAD), [SMOOTHIE]),
    ],
)
def test_menus_keep_their_order(call: tuple, after: list[str]) -> None:
    told, store = play("kitchen", call)
    assert changed(store) == {"menus/cook_ben": after}
    assert told["menu"] == after


def test_a_menu_is_made_for_a_new_user_and_stays_when_empty() -> None:
    calls = [menu(t, SOUP, "new") for t in ("add_recipe_to", "remove_recipe_from")]
    _, store = play("kitchen", *calls)
    assert changed(store) == {"menus/new": []}


@pytest.mark.parametrize(
    "call",
    [
        menu("add_recipe_to", "soup"),
        menu("add_recipe_to", 5),
        menu("remove_recipe_from", SOUP),
        menu("remove_recipe_from", SOUP, "nobody"),
        shop("Lime", 0),
        shop("Lime", -1),
        shop("Lime", "many"),
        shop("Lime", None),
        shop("Lime", 1, ["u"]),
        unshop("Feta"),
        unshop("Lime", "nobody"),
    ],
)
def test_refused_writes_change_nothing(call: tuple) -> None:
    told, store = play("kitchen", call)
    assert (told["status"], changed(store)) == ("error", {})


@pytest.mark.parametrize(
    ("calls", "after"),
    [
        ([shop("LIME", 3)], {"lime": 5}),
        ([shop("Moon Dust", 3)], {"lime": 2, "moon dust": 3}),
        ([shop("Lime", " 1.5 ")], {"lime": 3.5}),
        ([unshop("LIME")], {}),
    ],
)
def test_shopping_lists_add_up_and_drop_whole_entries(
    calls: list, after: dict[str, float]
) -> None:
    _, store = play("kitchen", *calls)
    assert changed(store) == {"lists/cook_ada": after}


def test_menus_and_lists_are_told() -> None:
    assert ask("get_current_menu", user_id="cook_ben")["recipes"] == [SALAD, SMOOTHIE]
    assert ask("get_current_menu", user_id="nobody")["recipes"] == []
    items = ask("get_current_shopping_list", user_id="cook_ada")["items"]
    assert items == [{"ingredient_name": "lime", "quantity": 2}]


def test_tallies_are_sorted_unions_of_known_recipes() -> None:
    recipes = [SOUP, "nothing", SMOOTHIE.upper()]
    told = ask("tally_total_tastes", user_id="u", recipes=recipes)
    assert told["tastes"] == ["creamy", "mild", "sour"]
    tool = "tally_total_nutritional_characteristics"
    told = ask(tool, user_id="u", recipes=recipes)
    assert told["nutritional_characteristics"] == ["high_protein", "low_fat", "vegan"]


def test_nutrition_is_summed_with_strings_as_numbers() -> None:
    listed = [
        {"ingredient_name": "Lime", "quantity": "2"},
        {"ingredient_name": "Feta", "quantity": -1},
        {"ingredient_name": "Feta", "quantity": "some"},
        {"ingredient_name": "nothing", "quantity": 5},
    ]
    told = ask("compute_total_nutritions", user_id="u", ingredients=listed)
    assert told["total_nutrition"]["calories_kcal"] == 60 - 265
    assert len(told["total_nutrition"]) == 7


@pytest.mark.parametrize(
    ("tool", "field", "value"),
    [
        ("get_recipe_allergens", "allergens", ["nut", "milk"]),
        ("get_recipe_taste", "taste", ["sweet", "nutty"]),
        (
            "get_recipe_nutritional_characteristics",
            "nutritional_characteristics",
            ["high_fiber"],
        ),
    ],
)
def test_recipes_are_told(tool: str, field: str, value: Any) -> None:
    told = ask(tool, recipe_name=SALAD.title())
    assert told == {"recipe_name": SALAD.title(), field: value}
    assert ask(tool, recipe_name="salad")["status"] == "error"


def test_steps_and_ingredients_are_told() -> None:
    assert len(ask("get_cooking_steps", recipe_name=SALAD)["steps"]) == 3
    told = ask("get_recipe_ingredients", recipe_name=SALAD)["ingredients"]
    assert told[0] == {"ingredient_name": "beetroot", "quantity": 2}
    assert ask("get_cooking_steps", recipe_name="x")["status"] == "error"
    assert ask("get_recipe_ingredients", recipe_name="x")["status"] == "error"


@pytest.mark.parametrize(
    ("tool", "given", "found"),
    [
        ("find_recipes_by_allergen", {"allergen": "NUT"}, [SALAD]),
        ("find_recipes_by_taste", {"taste": "Creamy"}, [SOUP]),
        (
            "find_recipes_by_nutritional_characteristics",
            {"characteristic": "low_fat"},
            [SMOOTHIE],
        ),
        ("find_recipes_by_ingredient", {"ingredient_name": "LIME"}, [SOUP, SMOOTHIE]),
    ],
)
def test_recipes_are_found(tool: str, given: dict[str, str], found: list[str]) -> None:
    assert ask(tool, **given) == {**given, "recipes": found}


@pytest.mark.parametrize(
    ("tool", "field", "value"),
    [
        ("get_ingredient_shelf_life", "expiry_date", "2026-12-10"),
        ("get_ingredient_location", "storage_location", "fridge"),
        ("get_ingredient_quantity", "quantity", 5),
        ("find_ingredient_category", "category", "fruit"),
    ],
)
def test_ingredients_are_told(tool: str, field: str, value: Any) -> None:
    assert ask(tool, ingredient_name="LIME") == {
        "ingredient_name": "LIME",
        field: value,
    }
    assert ask(tool, ingredient_name="lim")["status"] == "error"


def test_ingredient_nutrition_is_told() -> None:
    told = ask("get_ingredient_nutrition", ingredient_name="lime")
    assert told["nutrition"]["calories_kcal"] == 30
    assert ask("get_ingredient_nutrition", ingredient_name="x")["status"] == "error"


def test_ingredients_are_found() -> None:
    late = ask("find_ingredients_by_expiry_date", date="2027-03-10")["ingredients"]
    assert late == ["coconut cream", "walnuts"]
    fridge = ask("find_ingredients_by_location", location="FRIDGE")["ingredients"]
    assert fridge == ["spinach", "feta", "lime"]
    nuts = ask("get_ingredients_by_category", category="Nut")["ingredients"]
    assert nuts == ["walnuts"]
    assert len(ask("get_all_ingredient_names")["ingredients"]) == 8
    assert len(ask("get_all_recipe_names")["recipes"]) == 4
