"""The cascade of causes, rule by rule, where one rule hides another (spec 3, 4)."""

from pathlib import Path
from typing import Any

import pytest

from tests.evaluation.egobench.building import (
    entry,
    outcome,
    play,
    scored,
    task,
)

ASK = ("get_price", {"product_name": "Marble Cocoa Drops"})
CART = ("get_cart", {"user_id": "mira_204"})
HUGE = 10**400


def result(
    folder: Path, goal: list[Any], turns: list[Any], slug: str = "retail", **more: Any
) -> dict[str, Any]:
    entries = [{"task_id": 1, "tool_calls": turns}]
    return outcome(scored(folder, slug, [task(*goal, **more)], entries))


def turn(*calls: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    return {"calls": [{"tool_name": name, "parameters": p} for name, p in calls]}


def test_a_turn_without_calls_is_no_syntax_error(tmp_path: Path) -> None:
    """And with no calls at all nothing can be misperceived."""
    keyed = {"key": "product_name", "value": ["Marble"]}
    got = result(tmp_path, [ASK], [{"calls": []}], **keyed)
    assert (got["error"], got["sub_error"], got["total_calls"]) == (
        "logic",
        "memory",
        0,
    )


def test_calls_that_are_no_array_are_a_fault_but_call_counts(tmp_path: Path) -> None:
    odd = {"calls": 5, "call": {"tool_name": ASK[0], "parameters": ASK[1]}}
    assert result(tmp_path / "a", [ASK], [odd])["error"] == "correct"
    got = result(tmp_path / "b", [ASK, CART], [odd])
    assert (got["error"], got["matches"]) == ("syntax", 1)


def test_perception_goes_before_hallucination_and_that_before_logic(
    tmp_path: Path,
) -> None:
    other = ("get_cart", {"user_id": "somebody"})
    keyed = {"key": "product_name", "value": ["Marble"]}
    goal = [ASK, CART]
    assert result(tmp_path / "a", goal, [turn(other)], **keyed)["error"] == "perception"
    got = result(tmp_path / "b", goal, [turn(ASK, other)], **keyed)
    assert (got["error"], got["matches"]) == ("hallucination", 1)
    assert result(tmp_path / "c", goal, [turn(ASK)], **keyed)["error"] == "logic"


@pytest.mark.parametrize(
    ("value", "text", "is_seen"),
    [
        ("app", "pineapple", True),
        ("pineapple", "APP ", True),
        ("red apple", "green apple", True),  # a word in common
        ("red apple", "green pear", False),
        ("red apple", "", True),
        ("", "pear", True),
    ],
)
def test_a_value_is_seen_where_one_contains_the_other_or_a_word_is_shared(
    tmp_path: Path, value: str, text: str, is_seen: bool
) -> None:
    query = ("get_price", {"product_name": text})
    keyed = {"key": "product_name", "value": [value]}
    got = result(tmp_path, [CART], [turn(query)], **keyed)
    assert got["error"] == ("logic" if is_seen else "perception")


@pytest.mark.parametrize(
    ("query", "is_seen"),
    [
        (("get_item_category", {"item_name": "Chair 1"}), True),
        (("get_item_category", {"name": "Chair 1"}), True),
        (("get_item_category", {"name": "Lamp 1", "item_name": "Chair 1"}), False),
        (("get_item_category", {"item_name": "Lamp 1", "name": "Chair 1"}), True),
        (
            (
                "get_item_maintenance_and_usage_instructions",
                {"item_name": ["Lamp", "Chair 1"]},
            ),
            True,
        ),
        (("find_items_by_category", {"category": "Chair 1"}), False),
    ],
)
def test_in_a_household_the_first_of_name_and_item_name_shows_the_key(
    tmp_path: Path, query: tuple[str, dict[str, Any]], is_seen: bool
) -> None:
    goal = ("get_household_action_list", {"user_id": "household_user_01"})
    keyed = {"key": "name", "value": ["Chair"]}
    got = result(tmp_path, [goal], [turn(query)], "household", **keyed)
    assert got["error"] == ("logic" if is_seen else "perception")


def test_in_other_scenarios_keys_have_no_second_name(tmp_path: Path) -> None:
    query = ("get_price", {"product_name": "Chair"})
    keyed = {"key": "name", "value": ["Chair"]}
    assert result(tmp_path, [CART], [turn(query)], **keyed)["error"] == "perception"


@pytest.mark.parametrize(
    ("variant", "expected"),
    [
        ("order1", "Annie Italian Restaurant"),
        ("order2", "Mediterranean Greek Restaurant"),
        ("restaurant6", "Mediterranean Greek Restaurant"),
    ],
)
def test_the_last_restaurant_that_is_named_counts(
    tmp_path: Path, variant: str, expected: str
) -> None:
    def ask(name: str) -> tuple[str, dict[str, Any]]:
        return "list_all_discounted_dishes", {"restaurant_name": name}

    def cause(folder: str, *names: Any) -> str:
        calls = [ask(name) for name in names]
        goal = ask("Copper Lantern")
        where = tmp_path / folder
        table = scored(where, "order", [task(goal, goal)], [entry(*calls)], variant)
        return str(outcome(table)["error"])

    assert cause("a", "Elsewhere", expected) == "logic"
    assert cause("b", expected, "Elsewhere") == "perception"
    assert cause("c", expected.lower()) == "perception", "spelled exactly"
    assert cause("d", expected, 5, None) == "logic", "what is no text names none"


def test_quantities_too_large_to_add_cost_only_their_call(tmp_path: Path) -> None:
    def ask(*quantities: int) -> tuple[str, dict[str, Any]]:
        products = [{"product_name": "tea", "quantity": n} for n in quantities]
        return "compute_total_tax", {"user_id": "mira_204", "products": products}

    given = [turn(ask(HUGE, HUGE), ask(HUGE), ask(1, 1))]
    got = result(tmp_path, [ask(2)], given)
    assert (got["error"], got["matches"], got["total_calls"]) == ("correct", 1, 3)


def test_an_id_with_a_fraction_is_no_id(tmp_path: Path) -> None:
    for number, error in ((1.0, "correct"), (1.5, "missing")):
        made = {"scenario_id": number, "tool_calls": [turn(ASK)]}
        table = scored(tmp_path / str(number), "retail", [task(ASK)], [made])
        assert outcome(table)["error"] == error


def test_a_task_goes_by_its_scenario_id_first(tmp_path: Path) -> None:
    made = task(ASK, scenario_id=7, task_id=1)
    table = scored(tmp_path, "retail", [made], [entry(ASK) | {"task_id": 7}])
    assert table.ids == ("retail91_easy/7",)
    assert outcome(table)["error"] == "correct"


PRODUCT = {
    "product_name": "Plum",
    "category": "Fruit",
    "price": 2,
    "tax_rate": 0.1,
    "discount": 1,
    "nutritional_characteristics": ["vegan", "raw"],
    "taste": ["sour", "sweet"],
    "country_of_origin": "Spain",
    "nutrition": {"basis": "PER_100G", "fat_g": 1},
    "allergens": [],
    "sell_type": "bulk",
}


@pytest.mark.parametrize(
    ("changed", "is_same"),
    [
        ({"product_name": "PLUM", "category": "fruit"}, True),
        ({"price": 2.0}, True),
        ({"allergens": ["nuts"], "sell_type": "single_item"}, True),
        ({"category": "veg"}, False),
        ({"price": 3}, False),
        ({"tax_rate": 0.2}, False),
        ({"discount": 0.9}, False),
        ({"nutritional_characteristics": ["raw", "vegan"]}, False),
        ({"taste": ["sweet", "sour"]}, False),
        ({"country_of_origin": "Italy"}, False),
        ({"nutrition": {"basis": "PER_100G", "fat_g": 2}}, False),
        ({"nutrition": {"basis": "PER_100G"}}, False),
    ],
)
def test_what_of_a_product_is_compared(
    tmp_path: Path, changed: dict[str, Any], is_same: bool
) -> None:
    goal, made = ("add_product", PRODUCT), ("add_product", PRODUCT | changed)
    assert result(tmp_path, [goal], [turn(made)])["result_success"] is is_same


def test_a_price_of_nothing_is_no_fault_in_a_cart() -> None:
    terms = {"category": "x", "price": 0, "tax_rate": 0, "discount": 0}
    given = {"user_id": "u", "product_name": "Plum", "qty": 1, **terms}
    _, store = play("retail", ("add_to_cart", given))
    assert store.carts.get("u")["plum"]["price"] == 0  # type: ignore[attr-defined]


def test_true_stays_true_on_a_kitchen_shopping_list() -> None:
    given = {"user_id": "u", "ingredient_name": "Lime", "quantity": True}
    _, store = play("kitchen", ("add_to_shopping_list", given))
    assert store.lists.get("u") == {"lime": True}  # type: ignore[attr-defined]
    assert store.lists.get("u")["lime"] is True  # type: ignore[attr-defined]


def test_actions_of_a_household_are_compared_without_order(tmp_path: Path) -> None:
    def act(action: str) -> tuple[str, dict[str, Any]]:
        given = {"user_id": "household_user_09", "name": "Chair 1"}
        more = {"required_action": action, "due_date": "2026-08-20"}
        return "add_to_household_action_list", given | more

    got = result(
        tmp_path,
        [act("clean"), act("iron")],
        [turn(act("iron"), act("clean"))],
        "household",
    )
    assert got["error"] == "correct"
