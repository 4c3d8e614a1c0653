"""Scoring through the suite's door: policy P1 to P8, states, causes (spec 1, 3, 4, 6)."""

from pathlib import Path
from typing import Any

import pytest

from tests.evaluation.egobench.building import entry, outcome, scored, task

USER = "mira_204"
DROPS, TEA = "Marble Cocoa Drops", "Blue Kettle Ginger Tea"


def add(
    name: str = DROPS, qty: Any = 1, user: Any = USER
) -> tuple[str, dict[str, Any]]:
    terms = {"category": "sweets", "price": 12, "tax_rate": 0.12, "discount": 0.7}
    return "add_to_cart", {"user_id": user, "product_name": name, "qty": qty, **terms}


def remove(name: str = DROPS, qty: Any = 1) -> tuple[str, dict[str, Any]]:
    given = {"user_id": USER, "product_name": name, "qty": qty}
    return "remove_from_cart", given


ASK = ("get_price", {"product_name": DROPS})
TOTAL = (
    "compute_total_tax",
    {"user_id": USER, "products": [{"product_name": DROPS, "quantity": 1}]},
)
GOAL = (add(), TOTAL)


def result(folder: Path, entries: Any, *goal: Any, **more: Any) -> dict[str, Any]:
    table = scored(folder, "retail", [task(*(goal or GOAL), **more)], entries)
    return outcome(table)


def test_the_ground_truth_is_correct_in_any_order_with_reads_between(
    tmp_path: Path,
) -> None:
    got = result(tmp_path, [entry(TOTAL, ASK, add())])
    assert got == {
        "matches": 2,
        "total_gt_calls": 2,
        "total_calls": 3,
        "tool_success": True,
        "result_success": True,
        "joint_success": True,
        "sub_error": "",
        "reason": "",
        "error": "correct",
    }


@pytest.mark.parametrize(
    "entries", [[], [None], ["timeout"], [5], [entry(task_id=None)]]
)
def test_a_task_without_an_entry_is_missing_and_counts(
    tmp_path: Path, entries: list[Any]
) -> None:
    table = scored(tmp_path, "retail", [task(*GOAL)], entries)
    assert outcome(table)["error"] == "missing"
    assert table.denominators["micro_acc"].tolist() == [2]
    assert table.denominators["joint_succ"].tolist() == [1]


@pytest.mark.parametrize("calls", [None, {}, "none", 5, True])
def test_calls_that_are_no_array_are_a_syntax_error(tmp_path: Path, calls: Any) -> None:
    got = result(tmp_path, [{"task_id": 1, "tool_calls": calls}])
    assert (got["error"], got["total_gt_calls"], got["total_calls"]) == ("syntax", 2, 0)


@pytest.mark.parametrize(
    ("number", "is_found"),
    [(1, True), (1.0, True), ("1", False), (2, False), (True, False), (None, False)],
)
def test_entries_are_paired_by_id(tmp_path: Path, number: Any, is_found: bool) -> None:
    got = result(tmp_path, [entry(*GOAL, task_id=number)])
    assert got["joint_success"] is is_found


def test_scenario_id_goes_first_and_position_last(tmp_path: Path) -> None:
    both = entry(*GOAL, scenario_id=1, task_id=7)
    assert result(tmp_path / "a", [both])["joint_success"]
    none = {"tool_calls": entry(*GOAL)["tool_calls"]}
    assert result(tmp_path / "b", [none])["joint_success"]


def test_a_later_entry_replaces_an_earlier_one(tmp_path: Path) -> None:
    assert not result(tmp_path / "a", [entry(*GOAL), entry()])["joint_success"]
    assert result(tmp_path / "b", [entry(), entry(*GOAL)])["joint_success"]


def turns(*turns: Any) -> list[Any]:
    return [{"task_id": 1, "tool_calls": list(turns)}]


def call(tool: tuple[str, Any], **changed: Any) -> dict[str, Any]:
    made = {"tool_name": tool[0], "parameters": tool[1], **changed}
    return {key: value for key, value in made.items() if value != "absent"}


@pytest.mark.parametrize(
    "shape",
    [
        [{"calls": [call(add()), call(TOTAL)]}],
        [{"call": call(add())}, {"calls": [call(TOTAL)], "call": "ignored"}],
        [{"calls": [call(add(), tool_name="absent", name="add_to_cart"), call(TOTAL)]}],
        [{"calls": [call(add(), tool_name="", name="add_to_cart"), call(TOTAL)]}],
        [{"calls": [call(add()), call(TOTAL)]}, {"calls": []}],
        ["junk", {}, None, {"calls": [call(add()), call(TOTAL)]}],
        [{"calls": "odd", "call": call(add())}, {"call": call(TOTAL)}],
    ],
)
def test_both_shapes_of_turns_count_and_junk_does_no_harm(
    tmp_path: Path, shape: list[Any]
) -> None:
    assert result(tmp_path, turns(*shape))["error"] == "correct"


@pytest.mark.parametrize(
    "shape",
    [
        [],
        [{"calls": []}, "junk"],
        [{"calls": {}}],
        [{"turn": 1}],
        [{"calls": [call(add(), parameters="absent")]}],
        [{"calls": [call(add(), tool_name="absent")]}],
        [{"calls": ["add_to_cart"]}],
        [{"call": None}],
        [{"calls": [call(add(), parameters="absent", arguments={})]}],
    ],
)
def test_malformed_entries_are_syntax_errors(tmp_path: Path, shape: list[Any]) -> None:
    got = result(tmp_path, turns(*shape), key="product_name", value=[DROPS])
    assert got["error"] == "syntax"
    assert got["reason"].startswith("Malformed: ")


def test_missing_parameters_count_as_none_given(tmp_path: Path) -> None:
    bare = {"tool_name": "list_discounted_products"}
    goal = ("list_discounted_products", {})
    assert result(tmp_path, turns({"call": bare}), goal)["error"] == "correct"


@pytest.mark.parametrize("name", [None, 5, "", ["get_price"], {"a": 1}, True])
def test_a_call_without_a_name_fails_the_tools_but_is_not_executed(
    tmp_path: Path, name: Any
) -> None:
    odd = {"tool_name": name, "parameters": {}}
    got = result(tmp_path, turns({"calls": [call(add()), call(TOTAL), odd]}))
    assert (got["matches"], got["total_calls"]) == (2, 3)
    assert (got["tool_success"], got["result_success"]) == (False, True)
    assert got["error"] == "syntax"


@pytest.mark.parametrize("junk", [None, "call", 5, []])
def test_a_call_that_is_no_object_fails_both(tmp_path: Path, junk: Any) -> None:
    got = result(tmp_path, turns({"calls": [call(add()), call(TOTAL), junk]}))
    assert (got["matches"], got["total_calls"]) == (2, 3)
    assert (got["tool_success"], got["result_success"]) == (False, False)


@pytest.mark.parametrize("parameters", [None, [], "user_id", 5])
def test_parameters_that_are_no_object_only_matter_when_the_task_fails(
    tmp_path: Path, parameters: Any
) -> None:
    odd = {"tool_name": "add_to_cart", "parameters": parameters}
    calls = [call(add()), call(TOTAL), odd]
    assert result(tmp_path / "a", turns({"calls": calls}))["error"] == "correct"
    got = result(tmp_path / "b", turns({"calls": calls[1:]}))
    assert (got["error"], got["matches"]) == ("syntax", 1)


def test_calls_that_cannot_be_compared_cost_only_themselves(tmp_path: Path) -> None:
    odd = ("get_price", {"product_name": {"n": 1}})
    assert result(tmp_path / "a", [entry(odd, *GOAL)])["error"] == "correct"
    got = result(tmp_path / "b", [entry(add(qty=10**400), *GOAL)])
    assert (got["matches"], got["total_gt_calls"], got["error"]) == (2, 2, "correct")


@pytest.mark.parametrize("name", ["init_from_json", "__init__", "view", "drop", "fly"])
def test_only_declared_tools_are_called(tmp_path: Path, name: str) -> None:
    hidden = (name, {"data": {}})
    assert result(tmp_path / "a", [entry(*GOAL, hidden)])["error"] == "correct"
    got = result(tmp_path / "b", [entry(add(TEA), hidden, *GOAL)])
    assert (got["tool_success"], got["result_success"]) == (True, False)


# End states.


def test_what_is_written_and_undone_leaves_no_trace_in_a_cart(tmp_path: Path) -> None:
    undone = entry(add(TEA), remove(TEA), *GOAL)
    assert result(tmp_path, [undone])["error"] == "correct"


def test_present_but_empty_differs_from_absent(tmp_path: Path) -> None:
    """Emptying a cart that existed empty deletes it (Q12)."""
    user = {"user_id": "ines_077"}
    calls = [(n, {**p, **user}) for n, p in (add(TEA), remove(TEA))]
    got = result(tmp_path, [entry(*calls, *GOAL)])
    assert (got["tool_success"], got["result_success"]) == (True, False)


def test_numbers_as_text_match_but_are_not_executed_in_retail(tmp_path: Path) -> None:
    got = result(tmp_path, [entry(add(qty="1"), TOTAL)])
    assert (got["tool_success"], got["result_success"]) == (True, False)
    assert got["error"] == "over_operation"


def test_floats_are_integers_where_integral_but_sums_are_not_rounded(
    tmp_path: Path,
) -> None:
    assert result(tmp_path / "a", [entry(add(qty=1.0), TOTAL)])["joint_success"]
    goal = (add(qty=0.1), add(qty=0.2), add(qty=0.3))
    got = result(tmp_path / "b", [entry(*reversed(goal))], *goal)
    assert (got["tool_success"], got["result_success"]) == (True, False)


def test_true_is_not_one_in_an_order(tmp_path: Path) -> None:
    def order(quantity: Any) -> tuple[str, dict[str, Any]]:
        given = {"user_id": "guest_11", "dish_name": "Pear Frangipane"}
        return "add_dish_to_order", {**given, "quantity": quantity}

    tasks = [task(order(1))]
    for quantity, is_same in ((True, False), (1.0, True), ("1", False)):
        where = tmp_path / str(quantity)
        got = outcome(scored(where, "restaurant", tasks, [entry(order(quantity))]))
        assert (got["tool_success"], got["result_success"]) == (True, is_same)


@pytest.mark.parametrize("user", [None, 5, True])
def test_a_user_that_is_no_text_fails_the_state_if_it_is_left_there(
    tmp_path: Path, user: Any
) -> None:
    got = result(tmp_path / "a", [entry(add(TEA, user=user), *GOAL)])
    assert (got["result_success"], got["error"]) == (False, "hallucination")
    cleared = ("clear_cart", {"user_id": user})
    got = result(tmp_path / "b", [entry(add(TEA, user=user), cleared, *GOAL)])
    assert got["error"] == "correct", "nothing of it is left"


def test_allergens_and_sell_type_are_not_compared(tmp_path: Path) -> None:
    product = {
        "product_name": "Pine Honey",
        "category": "honey",
        "price": 4,
        "tax_rate": 0,
        "discount": 1,
        "nutritional_characteristics": ["a", "b"],
        "taste": ["sweet"],
        "country_of_origin": "Greece",
        "nutrition": {"basis": "PER_100G"},
    }
    goal = ("add_product", product)
    other = ("add_product", product | {"allergens": ["nut"], "sell_type": "x"})
    got = result(tmp_path / "a", [entry(goal, other)], goal)
    assert got["error"] == "correct"
    swapped = product | {"nutritional_characteristics": ["b", "a"]}
    got = result(tmp_path / "b", [entry(goal, ("add_product", swapped))], goal)
    assert not got["result_success"], "tag lists are ordered"


def test_menus_are_compared_in_order(tmp_path: Path) -> None:
    def menu(name: str) -> tuple[str, dict[str, Any]]:
        return "add_recipe_to_menu", {"user_id": "cook_cho", "recipe_name": name}

    goal = [menu("Lentil Lime Soup"), menu("Green Lime Smoothie")]
    table = scored(tmp_path, "kitchen", [task(*goal)], [entry(*reversed(goal))])
    got = outcome(table)
    assert (got["tool_success"], got["result_success"]) == (True, False)


def test_action_lists_are_compared_without_order(tmp_path: Path) -> None:
    def act(verb: str, action: str) -> tuple[str, dict[str, Any]]:
        given = {"user_id": "warehouse_user_01", "equipment": "Hammer 0"}
        due = {"required_action": action, "due_date": "2026-08-20"}
        return f"{verb}_equipment_action_list", {**given, **due}

    goal = [act("add_to", "repair"), act("add_to", "replace")]
    table = scored(tmp_path, "warehouse", [task(*goal)], [entry(*reversed(goal))])
    assert outcome(table)["error"] == "correct"


# Causes.

KEYED = {"key": "product_name", "value": [DROPS, TEA]}


@pytest.mark.parametrize(
    ("queries", "error"),
    [
        ([], "perception"),
        ([DROPS], "perception"),
        ([DROPS, TEA], "logic"),
        ([[DROPS, 5, TEA]], "logic"),
        (["the cocoa thing", "GINGER"], "logic"),
        ([""], "logic"),
    ],
)
def test_every_value_must_be_seen_in_a_query(
    tmp_path: Path, queries: list[Any], error: str
) -> None:
    calls = [("get_price", {"product_name": query}) for query in queries]
    assert result(tmp_path, [entry(add(), *calls)], **KEYED)["error"] == error


def test_other_tools_and_lists_of_objects_show_nothing(tmp_path: Path) -> None:
    cart = ("get_cart", {"product_name": DROPS})
    got = result(tmp_path, [entry(add(), cart)], key="product_name", value=[DROPS])
    assert got["error"] == "perception"


def test_a_user_who_is_not_the_ground_truths_is_a_hallucination(tmp_path: Path) -> None:
    for number, user in enumerate(("MIRA_204", USER + " ", None, ["mira"])):
        got = result(tmp_path / str(number), [entry(add(user=user), TOTAL)])
        assert got["error"] == "hallucination"
        assert got["reason"].startswith("Call 1 (add_to_cart)")
    goal = ("list_discounted_products", {})
    got = result(tmp_path / "none", [entry(add())], goal)
    assert got["error"] == "logic", "a ground truth without users tells nothing"


def test_one_call_lacking_is_memory_and_more_is_logic(tmp_path: Path) -> None:
    got = result(tmp_path / "a", [entry(add())])
    assert (got["error"], got["sub_error"]) == ("logic", "memory")
    got = result(tmp_path / "b", [entry(ASK)])
    assert (got["error"], got["sub_error"]) == ("logic", "")
    assert got["reason"].endswith("these did not: call 1 (get_price).")


def test_one_write_too_many_is_over_operation(tmp_path: Path) -> None:
    got = result(tmp_path, [entry(*GOAL, add())])
    assert (got["error"], got["sub_error"]) == ("over_operation", "")
    assert "call 3 (add_to_cart)" in got["reason"]


def test_success_goes_before_everything(tmp_path: Path) -> None:
    """A junk turn, an unseen entity: a correct task stays correct (Q17)."""
    entries = turns("junk", {"calls": [call(add()), call(TOTAL)]})
    assert result(tmp_path, entries, **KEYED)["error"] == "correct"


@pytest.mark.parametrize(
    ("variant", "error"), [("restaurant6", "perception"), ("restaurant91", "logic")]
)
def test_the_last_restaurant_named_must_be_the_expected_one(
    tmp_path: Path, variant: str, error: str
) -> None:
    where = {"restaurant_name": "Copper Lantern"}
    goal = (
        "add_dish_to_order",
        {**where, "user_id": "u", "dish_name": "Mint Cooler", "quantity": 1},
    )
    ask_there = ("list_all_discounted_dishes", where)
    table = scored(tmp_path, "order", [task(goal)], [entry(ask_there)], variant)
    assert outcome(table)["error"] == error
    assert table.tags["scenario"] == ("restaurant",)


def test_reasons_never_quote_the_ground_truth(tmp_path: Path) -> None:
    for number, entries in enumerate(([entry()], [entry(ASK)], [entry(add(TEA))], [])):
        got = result(
            tmp_path / str(number), entries, add("Lemon Dune Shortbread"), **KEYED
        )
        assert got["reason"]
        assert "lemon" not in got["reason"].lower()
        assert "drops" not in got["reason"].lower()


# The table.


def test_the_table_tells_what_entries_report_about_their_runs(tmp_path: Path) -> None:
    sound = {
        "role_consistency": True,
        "instruction_following": 1,
        "resilience": [1, True],
        "contextual_robustness": 1.0,
    }
    entries = [
        entry(*GOAL, rounds_count=4, tokens_consumed=900, user_performance=sound),
        entry(
            task_id=2,
            rounds_count="many",
            tokens_consumed="lots",
            input_tokens=5,
            output_tokens=6,
            user_performance=sound | {"resilience": [1, 0]},
        ),
        entry(*GOAL, task_id=3, user_performance="good", rounds_count=-1),
    ]
    tasks = [task(*GOAL, task_id=number) for number in (1, 2, 3, 4)]
    table = scored(tmp_path, "retail", tasks, entries)

    def values(metric: str) -> list[float | None]:
        return [table.value(metric, row) for row in range(4)]

    assert values("joint_succ") == [100, 0, 100, 0]
    assert values("rounds") == [4, None, None, None]
    assert values("tokens") == [900, 11, None, None]
    assert values("calls") == [2, 0, 2, None]
    assert values("user_role") == [100, 100, None, None]
    assert values("user_resilience") == [100, 50, None, None]
    assert values("user_all") == [100, 0, None, None]
    assert values("joint_succ_sound_user") == [100, None, 100, 0]
    assert table.clusters == tuple(f"retail91/{number}" for number in (1, 2, 3, 4))
    assert table.subsets(0) == [
        "mode:easy",
        "scenario:retail",
        "scenario_mode:retail/easy",
        "variant:retail91",
    ]
