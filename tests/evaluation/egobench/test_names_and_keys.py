"""Names, keys and sorting that no reference submission can tell apart (spec 2)."""

from typing import Any

import pytest

from evaluation.egobench.compiled import Stage
from evaluation.egobench.matching import GoalCall, Names, covered, is_plain
from evaluation.egobench.scenarios import SCENARIOS
from evaluation.egobench.tidying import tidied
from tests.evaluation.egobench.building import database

IDENTITIES = (
    "product_name",
    "ingredient_name",
    "equipment",
    "item_name",
    "dish_name",
    "set_meal_name",
    "restaurant_name",
    "recipe_name",
    "name",
)


def tidy(*elements: dict[str, Any]) -> Any:
    return tidied({"list": list(elements)})["list"]


def match(slug: str, goal: dict[str, Any], given: dict[str, Any]) -> bool:
    stage = Stage(SCENARIOS[slug], SCENARIOS[slug].load(database(slug)))
    goal, given = tidied(goal), tidied(given)
    call = GoalCall(tool="x", parameters=goal, is_plain=is_plain(goal))
    return bool(covered([call], {"x": [(0, given)]}, stage.equality))


@pytest.mark.parametrize("key", IDENTITIES)
def test_elements_of_one_name_are_merged_under_every_identity_key(key: str) -> None:
    found = tidy({key: "A", "quantity": 1}, {key: " a ", "quantity": 2})
    assert found == [{key: "A", "quantity": 3}]


def test_no_other_key_is_an_identity() -> None:
    assert len(tidy({"user_id": "a", "quantity": 1}, {"user_id": "a"})) == 2


@pytest.mark.parametrize("position", range(len(IDENTITIES) - 1))
def test_the_first_identity_key_that_is_present_decides(position: int) -> None:
    first, second = IDENTITIES[position : position + 2]
    assert len(tidy({second: "s", first: "a"}, {second: "s", first: "b"})) == 2
    assert len(tidy({second: "s", first: "a"}, {second: "t", first: "a"})) == 1


def test_an_identity_key_that_is_null_is_absent() -> None:
    elements = [{"product_name": None, "name": "a", "quantity": n} for n in (1, 2)]
    assert tidy(*elements) == [{"product_name": None, "name": "a", "quantity": 3}]
    other = {"product_name": None, "name": "b"}
    assert len(tidy(elements[0], other)) == 2


def test_a_group_keeps_what_it_has_unless_that_is_null_or_blank() -> None:
    first = {"name": "A", "x": None, "y": " ", "z": 0, "quantity": None}
    more = {"name": "a", "x": 1, "y": 2, "z": 3, "w": 4, "quantity": "5"}
    merged = {"name": "A", "x": 1, "y": 2, "z": 0, "w": 4, "quantity": "5"}
    assert tidy(first, more) == [merged]


def test_an_integral_sum_is_an_integer() -> None:
    half = {"name": "a", "quantity": 1.5}
    assert repr(tidy(half, half)[0]["quantity"]) == "3"
    assert tidy(half, {"name": "a", "quantity": "x"})[0]["quantity"] == 1.5


def test_elements_without_a_name_sort_by_their_canonical_json() -> None:
    """As text, in which 5.0 is written 5: a bracket comes after a point."""
    elements = [{"q": 6}, {"q": 5.5}, {"q": 5.0}, {"b": 1, "a": 2}]
    assert tidy(*elements) == [{"b": 1, "a": 2}, {"q": 5.5}, {"q": 5.0}, {"q": 6}]


def test_named_elements_sort_by_trimmed_lower_cased_name() -> None:
    found = tidy({"name": " b"}, {"name": "C"}, {"name": "a"})
    assert [element["name"] for element in found] == ["a", " b", "C"]


def test_a_pool_is_of_names_around_and_inside_the_name() -> None:
    names = Names("pool", ["oat crackers", "oatmeal"])
    assert names.match("oat crackers large", "oat crackers xl"), "a name inside both"
    assert names.match("oat", "oat milk"), "no pool on one side: containment decides"
    assert not names.match("oat ", "oatmeal"), "names are not trimmed for pools"
    assert names.match("OATMEAL", "oatmeal")


@pytest.mark.parametrize(
    ("slug", "key", "goal", "given", "expected"),
    [
        ("retail", "product_name", "Cocoa Drops", "marble cocoa", True),
        ("retail", "category", "sweets", "Sweets", False),
        ("kitchen", "ingredient_name", "Lime", " lime ", True),
        ("kitchen", "ingredient_name", "Lime", "lim", False),
        ("kitchen", "recipe_name", "Soup", "SOUP", True),
        ("kitchen", "recipes", "Soup", "SOUP", True),
        ("restaurant", "dish_name", "Pear Frangipane", "pear", True),
        ("restaurant", "set_meal_name", "Orchard Evening", "orchard", True),
        ("order", "restaurant_name", "Copper Lantern", "copper", True),
        ("warehouse", "equipment", "Hammer 1", "hammer 1", True),
        ("warehouse", "equipment", "Hammer 1", "Hammer 12", True),
        ("warehouse", "name", "Hammer 1", "hammer 1", False),
        ("household", "item_name", "Chair 1", "chair", True),
        ("household", "name", "Chair 1", "CHAIR 1", True),
        # The parts of two names that share a catalogue row are no match without pools.
        ("household", "name", "Chair 1", "air 19", False),
        ("retail", "user_id", "mira_204", "Mira_204", False),
    ],
)
def test_each_scenario_has_its_own_fuzzy_keys_and_rule(
    slug: str, key: str, goal: str, given: str, expected: bool
) -> None:
    assert match(slug, {key: goal}, {key: given}) is expected


def test_only_scenarios_with_a_matcher_look_names_up_in_the_catalogue() -> None:
    rules = {slug: scenario.name_rule for slug, scenario in SCENARIOS.items()}
    pools = dict.fromkeys(("retail", "restaurant", "order"), "pool")
    assert rules == pools | {
        "kitchen": "exact",
        "warehouse": "part",
        "household": "part",
    }


def test_names_inside_an_object_are_fuzzy_and_inside_a_list_spelled_out() -> None:
    drops, part = {"product_name": "Marble Cocoa Drops"}, {"product_name": "cocoa"}
    assert match("retail", {"of": drops}, {"of": part})
    assert not match("retail", {"of": [drops]}, {"of": [part]})
    spelled = {"product_name": " marble cocoa DROPS"}
    assert match("retail", {"of": [drops]}, {"of": [spelled]})
    assert not match("retail", {"of": [{"taste": "a"}]}, {"of": [{"taste": "A"}]})


QUERIES = {
    "retail": (
        "get_price get_tax_rate get_category get_discount get_nutrition "
        "find_products_by_nutritional_characteristic find_products_by_taste "
        "find_products_by_country_of_origin find_products_by_price_range "
        "list_discounted_products"
    ),
    "restaurant": (
        "get_dish_price get_dish_discount get_dish_nutrition get_dish_allergens "
        "get_tax_rate get_dish_taste_profile get_user_order_summary "
        "get_set_meal_details find_dishes_by_category find_dishes_by_nutritional_tag "
        "find_dishes_by_taste find_set_meals_containing_dish "
        "list_all_discounted_dishes filter_dishes_by_price_range "
        "compute_total_payment compute_total_tax compute_total_nutrition"
    ),
}
QUERIES["order"] = QUERIES["restaurant"]
WRITES = {
    "kitchen": (
        "add_recipe_to_menu remove_recipe_from_menu add_to_shopping_list "
        "remove_from_shopping_list"
    ),
    "warehouse": "add_to_equipment_action_list remove_from_equipment_action_list",
    "household": "add_to_household_action_list remove_from_household_action_list",
}


@pytest.mark.parametrize("slug", list(SCENARIOS))
def test_the_calls_that_show_perception_are_those_of_the_protocol(slug: str) -> None:
    scenario = SCENARIOS[slug]
    if slug in QUERIES:
        assert scenario.query_tools == set(QUERIES[slug].split())
    else:
        assert scenario.query_tools == scenario.tools.keys() - set(WRITES[slug].split())
