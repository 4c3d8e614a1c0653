"""Warehouse and household: effects, checks, answers, loading (spec 5.5, 5.6)."""

import copy
from typing import Any

import pytest

from evaluation.egobench.scenarios import SCENARIOS
from evaluation.egobench.scenarios.base import BadDatabase
from tests.evaluation.egobench.building import changed, database, history, play

CASES = [
    ("warehouse", "equipment", "Hammer 0", "warehouse_user_01"),
    ("household", "name", "Chair 0", "household_user_01"),
]
DAY = "2026-08-20"


def listing(slug: str) -> str:
    return "equipment_action_list" if slug == "warehouse" else "household_action_list"


def act(
    verb: str,
    slug: str,
    name: Any,
    action: Any = "clean",
    due: Any = DAY,
    user: Any = None,
) -> tuple:
    key = "equipment" if slug == "warehouse" else "name"
    given = {
        "user_id": f"{slug}_user_01" if user is None else user,
        key: name,
        "required_action": action,
        "due_date": due,
    }
    return f"{verb}_{listing(slug)}", given


@pytest.mark.parametrize(("slug", "key", "name", "user"), CASES)
def test_actions_are_appended_and_the_first_equal_one_removed(
    slug: str, key: str, name: str, user: str
) -> None:
    _, store = play(slug, act("add_to", slug, name, "repair", "2026-8-1"))
    added = changed(store)[f"actions/{user}"]
    assert added[-1] == {key: name, "required_action": "repair", "due_date": "2026-8-1"}
    assert len(added) == 4
    _, store = play(slug, act("remove_from", slug, name))
    left = changed(store)[f"actions/{user}"]
    assert [entry["required_action"] for entry in left] == ["inspect", "clean"]


@pytest.mark.parametrize(("slug", "key", "name", "user"), CASES)
def test_a_new_user_gets_a_list_that_stays_when_empty(
    slug: str, key: str, name: str, user: str
) -> None:
    calls = [act(verb, slug, name, user="new") for verb in ("add_to", "remove_from")]
    assert changed(play(slug, *calls)[1]) == {"actions/new": []}


@pytest.mark.parametrize("slug", ["warehouse", "household"])
@pytest.mark.parametrize(
    "odd",
    [
        {"user": " "},
        {"user": 5},
        {"name": "hammer 0"},
        {"name": "Nothing"},
        {"name": None},
        {"action": "paint"},
        {"action": None},
        {"due": "2026-13-01"},
        {"due": "20 August"},
        {"due": 20260820},
    ],
)
def test_odd_actions_are_refused(slug: str, odd: dict[str, Any]) -> None:
    name = "Hammer 0" if slug == "warehouse" else "Chair 0"
    for verb in ("add_to", "remove_from"):
        told, store = play(slug, act(verb, slug, **{"name": name, **odd}))
        assert (told["status"], changed(store)) == ("error", {})


@pytest.mark.parametrize("slug", ["warehouse", "household"])
def test_only_equal_entries_can_be_removed(slug: str) -> None:
    name = "Hammer 0" if slug == "warehouse" else "Chair 0"
    for odd in ({"action": "inspect", "due": "2026-08-21"}, {"user": "nobody"}):
        told, store = play(slug, act("remove_from", slug, name, **odd))
        assert (told["status"], changed(store)) == ("error", {})


def test_a_periodic_action_must_be_prescribed_in_the_warehouse_only() -> None:
    told, store = play("warehouse", act("add_to", "warehouse", "Hammer 0", "sharpen"))
    assert (told["status"], changed(store)) == ("error", {})
    _, store = play("household", act("add_to", "household", "Chair 0", "wash"))
    assert changed(store)


def ask(slug: str, tool: str, **given: Any) -> Any:
    return play(slug, (tool, given))[0]


@pytest.mark.parametrize(
    ("tool", "value"),
    [
        ("category", "manual_equipment"),
        ("brand", "Ferro"),
        ("country_of_origin", "Norway"),
        ("purchase_date", "2020-01-01"),
        ("ideal_storage_location", "wall_rack"),
        ("usage_history", ["2021-02-03"]),
        ("maintenance_history", history("clean", "inspect", "clean")),
    ],
)
def test_equipment_is_told_by_its_exact_name(tool: str, value: Any) -> None:
    assert ask("warehouse", f"get_equipment_{tool}", equipment="Hammer 0") == value
    told = ask("warehouse", f"get_equipment_{tool}", equipment="hammer 0")
    assert told["status"] == "error"


@pytest.mark.parametrize(
    ("tool", "value"),
    [
        ("category", "furniture"),
        ("ideal_storage_location", "study"),
        ("purchase_date", "2020-01-01"),
        ("purchase_price", 10.0),
        ("usage_history", ["PURCHASE_DATE/2021-01-01"]),
        ("maintenance_history", history("clean", "inspect", "clean")),
    ],
)
def test_items_are_told_by_their_exact_name(tool: str, value: Any) -> None:
    assert ask("household", f"get_item_{tool}", item_name="Chair 0") == value
    assert (
        ask("household", f"get_item_{tool}", item_name="chair 0")["status"] == "error"
    )


@pytest.mark.parametrize(
    ("slug", "tool", "given", "count"),
    [
        ("warehouse", "get_all_equipment", {}, 40),
        (
            "warehouse",
            "find_equipment_by_category",
            {"category": "power_equipment"},
            20,
        ),
        (
            "warehouse",
            "find_equipment_by_ideal_storage_location",
            {"location": "wall_rack"},
            20,
        ),
        ("warehouse", "find_equipment_by_brand", {"brand": "Volta"}, 20),
        ("warehouse", "find_equipment_by_brand", {"brand": "volta"}, 0),
        ("warehouse", "find_equipment_by_country_of_origin", {"country": "Japan"}, 20),
        (
            "warehouse",
            "find_equipment_by_purchase_date_range",
            {"start_date": "2020-01-01", "end_date": "2020-1-2"},
            4,
        ),
        ("household", "get_all_item_names", {}, 40),
        ("household", "find_items_by_category", {"category": "lighting"}, 20),
        (
            "household",
            "find_items_by_ideal_storage_location",
            {"location": "study"},
            20,
        ),
        (
            "household",
            "find_items_by_purchase_date_range",
            {"start_date": "2016-01-01", "end_date": "2026-01-01"},
            20,
        ),
        (
            "household",
            "find_items_by_purchase_price_range",
            {"min_price": 10, "max_price": 12},
            3,
        ),
        (
            "household",
            "find_items_used_during_date_range",
            {"start_date": "2026-01-01", "end_date": "2026-02-01"},
            20,
        ),
        (
            "household",
            "find_items_used_during_date_range",
            {"start_date": "2020-01-01", "end_date": "2020-01-01"},
            1,
        ),
    ],
)
def test_things_are_found(
    slug: str, tool: str, given: dict[str, Any], count: int
) -> None:
    assert len(ask(slug, tool, **given)) == count


@pytest.mark.parametrize(
    ("slug", "tool", "given"),
    [
        ("warehouse", "find_equipment_by_category", {"category": "furniture"}),
        ("warehouse", "find_equipment_by_ideal_storage_location", {"location": "moon"}),
        ("household", "find_items_by_category", {"category": "tools"}),
        ("household", "find_items_by_ideal_storage_location", {"location": "moon"}),
        (
            "household",
            "find_items_by_purchase_price_range",
            {"min_price": -1, "max_price": 1},
        ),
        (
            "household",
            "find_items_by_purchase_price_range",
            {"min_price": 2, "max_price": 1},
        ),
        *(
            (slug, tool, {"start_date": start, "end_date": end})
            for slug, tool in (
                ("warehouse", "find_equipment_by_purchase_date_range"),
                ("household", "find_items_by_purchase_date_range"),
                ("household", "find_items_used_during_date_range"),
            )
            for start, end in (("2021-01-02", "2021-01-01"), ("soon", "2021-01-01"))
        ),
        *(
            (slug, tool, {key: names})
            for slug, tool, key in (
                (
                    "warehouse",
                    "get_equipment_maintenance_and_usage_instructions",
                    "equipment",
                ),
                (
                    "household",
                    "get_item_maintenance_and_usage_instructions",
                    "item_name",
                ),
            )
            for names in ([], "Hammer 0", [""], ["Nothing"], None)
        ),
        ("warehouse", "get_equipment_action_list", {"user_id": " "}),
        ("household", "get_household_action_list", {"user_id": 3}),
    ],
)
def test_odd_questions_are_refused(slug: str, tool: str, given: dict[str, Any]) -> None:
    assert ask(slug, tool, **given)["status"] == "error"


@pytest.mark.parametrize(("slug", "key", "name", "user"), CASES)
def test_instructions_and_lists_are_told(
    slug: str, key: str, name: str, user: str
) -> None:
    thing, parameter = (
        ("equipment", key) if slug == "warehouse" else ("item", "item_name")
    )
    tool = f"get_{thing}_maintenance_and_usage_instructions"
    told = ask(slug, tool, **{parameter: [name]})
    assert told[name].startswith("Usage:")
    assert len(ask(slug, f"get_{listing(slug)}", user_id=user)) == 3
    assert ask(slug, f"get_{listing(slug)}", user_id="nobody") == []


def put(field: str, value: Any) -> dict[str, Any]:
    """What to change in the first row."""
    return {field: value}


BOTH = [
    put("category", "moon"),
    put("ideal_storage_location", "moon"),
    put("purchase_date", "2010-01-01"),
    put("purchase_date", "2026-09-01"),
    put("purchase_date", "soon"),
    put("maintenance_history", history("clean", "inspect")),
    put("maintenance_history", history("clean", "inspect", "repair")),
    put("maintenance_history", history("clean", "inspect", "clean")[::-1]),
    put("maintenance_history", [{"date": "2019-01-01", "action": "clean"}] * 3),
    put("appears_in_video", "no"),
]
TEXTS = [
    "Keep dry.",
    "Usage: fine; clean every 3 months. Maximum service life is 9 years from purchase.",
    "Usage: clean every 3 months; inspect every 2 months. Maximum service life is 11 years from purchase.",
    "Usage: clean every 3 months;\ninspect every 2 months. Maximum service life is 1 year from purchase.",
]


@pytest.mark.parametrize(
    ("slug", "change"),
    [
        *((slug, change) for slug in ("warehouse", "household") for change in BOTH),
        *(("warehouse", put("maintenance_and_usage_instructions", t)) for t in TEXTS),
        *(("household", put("care_and_usage_instructions", t)) for t in TEXTS),
        ("warehouse", put("equipment", "Hammer 1")),
        ("warehouse", put("usage_history", ["2021-01-02", "2021-01-01"])),
        ("warehouse", put("usage_history", ["2021-01-02", "2021-01-02"])),
        ("warehouse", put("usage_history", ["2019-01-01"])),
        ("warehouse", put("usage_history", [f"2021-01-0{n}" for n in range(1, 9)])),
        ("warehouse", put("brand", "Solo")),
        ("warehouse", put("country_of_origin", "Peru")),
        ("warehouse", put("category", "consumable")),
        ("warehouse", put("ideal_storage_location", "pegboard")),
        ("household", put("name", "Chair 1")),
        ("household", put("purchase_price", -1)),
        ("household", put("usage_history", ["2021-01-01"])),
        ("household", put("usage_history", ["2021-02-01/2021-01-01"])),
        (
            "household",
            put("usage_history", ["2021-02-01/PRESENT", "2021-01-01/2021-01-03"]),
        ),
        ("household", put("category", "other")),
        ("household", put("ideal_storage_location", "garage")),
    ],
)
def test_a_database_that_breaks_a_loading_rule_is_refused(
    slug: str, change: dict[str, Any]
) -> None:
    content = copy.deepcopy(database(slug))
    content["equipment" if slug == "warehouse" else "items"][0].update(change)
    with pytest.raises(BadDatabase):
        SCENARIOS[slug].load(content)


@pytest.mark.parametrize("slug", ["warehouse", "household"])
def test_action_lists_and_sizes_are_checked_on_loading(slug: str) -> None:
    rows, lists = list(database(slug))
    for change in (
        {rows: database(slug)[rows][:39]},
        {lists: database(slug)[lists][:2]},
        {lists: [{**owner, "user_id": "someone"} for owner in database(slug)[lists]]},
        {
            lists: [
                {**owner, "actions": owner["actions"][:2]}
                for owner in database(slug)[lists]
            ]
        },
    ):
        with pytest.raises(BadDatabase):
            SCENARIOS[slug].load({**database(slug), **change})
    SCENARIOS[slug].load(database(slug))
