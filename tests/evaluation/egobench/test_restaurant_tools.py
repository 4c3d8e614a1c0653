"""Restaurant and order: every tool's effect, checks and answer (spec 5.3, 5.4)."""

from typing import Any

import pytest

from tests.evaluation.egobench.building import changed, play

LEEK, PORK, FIZZ = "charred leek tart", "cider braised pork", "elderflower fizz"
SET = "orchard evening"
LANTERN, CRANE = "Copper Lantern", "Paper Crane Noodles"
NEW: dict[str, Any] = {
    "dish_name": "Oat Cake",
    "category": "Desserts",
    "price": 20,
    "tax_rate": 0.1,
    "discount": 1,
    "nutritional_characteristics": ["Vegan"],
    "taste": ["Sweet"],
    "allergens": ["Gluten"],
    "nutrition": {"basis": "PER_100G"},
}


def ask(tool: str, **given: Any) -> Any:
    return play("restaurant", (tool, given))[0]


def order(tool: str, name: Any, quantity: Any, user: Any = "guest_12") -> tuple:
    key = "set_meal_name" if "set_meal" in tool else "dish_name"
    return tool, {"user_id": user, key: name, "quantity": quantity}


def add(name: Any, quantity: Any, user: Any = "guest_12") -> tuple:
    return order("add_dish_to_order", name, quantity, user)


def remove(name: Any, quantity: Any, user: Any = "guest_12") -> tuple:
    return order("remove_dish_from_order", name, quantity, user)


def meal(*names: Any) -> tuple:
    given = {
        "set_meal_name": "Duo",
        "included_dishes": [{"dish_name": n, "quantity": 1} for n in names],
        "set_meal_price": 50,
        "set_meal_discount": 0.5,
    }
    return "create_set_meal", given


def test_a_new_dish_is_stored_lower_cased() -> None:
    _, store = play("restaurant", ("add_dish_to_catalog", NEW))
    dish = changed(store)["dishes/oat cake"]
    assert (dish["category"], dish["allergens"]) == ("desserts", ["gluten"])
    assert len(dish["nutrition"]) == 9


@pytest.mark.parametrize(
    "odd",
    [{"nutrition": {}}, {"nutrition": {"basis": 1, "x": 1}}, {"taste": None}],
)
def test_an_odd_dish_is_refused(odd: dict[str, Any]) -> None:
    told, store = play("restaurant", ("add_dish_to_catalog", NEW | odd))
    assert (told["status"], changed(store)) == ("error", {})


def test_a_removed_dish_leaves_orders_but_set_meals_keep_naming_it() -> None:
    calls = [("remove_dish_from_catalog", {"dish_name": FIZZ.upper()})]
    _, store = play("restaurant", *calls)
    assert changed(store) == {f"dishes/{FIZZ}": None, "orders/guest_12": {SET: 1}}
    told, _ = play(
        "restaurant",
        ("remove_dish_from_catalog", {"dish_name": LEEK}),
        ("get_set_meal_details", {"set_meal_name": SET}),
    )
    assert told["included_dishes"][0]["dish_name"] == LEEK


@pytest.mark.parametrize("value", [95, -1, "dear", None])
def test_prices_and_discounts_are_stored_unchecked(value: Any) -> None:
    calls = [
        ("update_dish_price", {"dish_name": PORK.title(), "new_price": value}),
        ("update_dish_discount", {"dish_name": PORK, "new_discount": value}),
    ]
    _, store = play("restaurant", *calls)
    dish = changed(store)[f"dishes/{PORK}"]
    assert (dish["price"], dish["discount"]) == (value, value)


@pytest.mark.parametrize(
    ("calls", "after"),
    [
        ([add(FIZZ.upper(), 1)], {SET: 1, FIZZ: 3}),
        ([add(LEEK, -2)], {SET: 1, FIZZ: 2, LEEK: -2}),
        ([add(LEEK, None)], {SET: 1, FIZZ: 2, LEEK: None}),
        ([add(LEEK, "2")], {SET: 1, FIZZ: 2, LEEK: "2"}),
        ([remove(FIZZ, 1)], {SET: 1, FIZZ: 1}),
        ([remove(FIZZ, -1)], {SET: 1, FIZZ: 3}),
        ([remove(FIZZ, 2)], {SET: 1}),
        ([remove(SET, 1)], {FIZZ: 2}),
        ([order("add_set_meal_to_order", SET.title(), 2)], {SET: 3, FIZZ: 2}),
        ([order("remove_set_meal_from_order", SET, 5)], {FIZZ: 2}),
        ([("clear_user_order", {"user_id": "guest_12"})], {}),
    ],
)
def test_orders_change(calls: list, after: dict[str, Any]) -> None:
    _, store = play("restaurant", *calls)
    assert changed(store) == {"orders/guest_12": after}


def test_an_order_is_made_for_a_new_user() -> None:
    _, store = play("restaurant", add(LEEK, 1, "new"), remove(LEEK, 1, "new"))
    assert changed(store) == {"orders/new": {}}


@pytest.mark.parametrize(
    "call",
    [
        add("leek", 1),
        add(SET, 1),
        add(FIZZ, "2"),
        add(LEEK, 1, {}),
        remove(PORK, 1),
        remove(FIZZ, 1, "nobody"),
        remove(FIZZ, "1"),
        order("add_set_meal_to_order", LEEK, 1),
        order("remove_set_meal_from_order", "no such set", 1),
        ("remove_dish_from_catalog", {"dish_name": "leek"}),
        ("update_dish_price", {"dish_name": "leek", "new_price": 1}),
        ("update_dish_discount", {"dish_name": "leek", "new_discount": 1}),
        meal(LEEK, "nothing"),
        meal(5),
    ],
)
def test_refused_writes_change_nothing(call: tuple) -> None:
    told, store = play("restaurant", call)
    assert (told["status"], changed(store)) == ("error", {})


def test_clearing_an_unknown_order_succeeds_without_a_trace() -> None:
    told, store = play("restaurant", ("clear_user_order", {"user_id": "nobody"}))
    assert (told["status"], changed(store)) == ("success", {})


def test_a_set_meal_keeps_spelling_and_merges_its_dishes() -> None:
    _, store = play("restaurant", meal("Cider Braised Pork", LEEK, " " + LEEK.upper()))
    assert changed(play("restaurant", meal(" " + LEEK))[1]) == {}, "padded: unknown"
    made = changed(store)["set_meals/duo"]
    assert made["included_dishes"] == [
        {"dish_name": LEEK, "quantity": 2},
        {"dish_name": "Cider Braised Pork", "quantity": 1},
    ]
    assert (made["price"], made["discount"]) == (50, 0.5)


@pytest.mark.parametrize(
    ("tool", "value"),
    [
        ("get_dish_price", 38),
        ("get_dish_discount", 0.9),
        ("get_dish_allergens", ["gluten", "milk"]),
        ("get_dish_taste_profile", ["savory"]),
        ("get_tax_rate", 0.1),
    ],
)
def test_facts_are_told_of_all_similar_dishes(tool: str, value: Any) -> None:
    assert ask(tool, dish_name="LEEK")["matching_dishes"] == {LEEK: value}
    assert len(ask(tool, dish_name="")["matching_dishes"]) == 6
    assert ask(tool, dish_name="zzz")["status"] == "error"


def test_nutrition_is_told() -> None:
    told = ask("get_dish_nutrition", dish_name="leek")["matching_dishes"]
    assert told[LEEK]["calories_kcal"] == 320
    assert ask("get_dish_nutrition", dish_name="zzz")["status"] == "error"


def test_dishes_are_found() -> None:
    assert ask("find_dishes_by_category", category="DRINKS")["dishes"] == [FIZZ]
    tagged = ask("find_dishes_by_nutritional_tag", tag="no_additives")
    assert tagged["dishes"] == [FIZZ]
    assert ask("find_dishes_by_taste", taste="Sour")["dishes"] == [FIZZ]
    assert len(ask("list_all_discounted_dishes")["discounted_dishes"]) == 4
    cheap = ask("filter_dishes_by_price_range", min_price=-5, max_price=34)
    assert cheap["dishes"] == ["pear frangipane", FIZZ]


def test_set_meals_and_orders_are_told() -> None:
    told = ask("get_set_meal_details", set_meal_name=SET.upper())
    assert (told["price"], told["discount"]) == (0, 0.85)
    assert ask("get_set_meal_details", set_meal_name="x")["status"] == "error"
    found = ask("find_set_meals_containing_dish", dish_name=PORK.upper())
    assert found["set_meals"] == [SET]
    told = ask("get_user_order_summary", user_id="guest_12")
    assert told["total_items"] == 2
    assert ask("get_user_order_summary", user_id="nobody")["items"] == []


LISTED = [
    {"dish_name": SET, "quantity": 2},
    {"dish_name": FIZZ, "quantity": 1},
    {"dish_name": "nothing", "quantity": 5},
]


def total(slug: str, kind: str, dishes: list, **more: str) -> dict[str, Any]:
    given = {"user_id": "u", "dishes": dishes, **more}
    return play(slug, (f"compute_total_{kind}", given))[0]


def test_totals_expand_set_meals() -> None:
    inner = 38 * 0.9 + 88 * 0.85 + 34 * 0.8
    pay = inner * 0.85 * 2 + 22 * 0.9
    assert total("restaurant", "payment", LISTED)["total"] == round(pay, 2)
    inner = 38 * 0.1 / 1.1 * 0.9 + 88 * 0.1 / 1.1 * 0.85 + 34 * 0.12 / 1.12 * 0.8
    tax = inner * 2 + 22 * 0.12 / 1.12 * 0.9
    assert total("restaurant", "tax", LISTED)["total_tax"] == round(tax, 2)
    sums = total("restaurant", "nutrition", LISTED)["total_nutrition"]
    assert sums["calories_kcal"] == (320 + 690 + 460) * 2 + 90


def test_totals_with_a_set_meals_own_price_and_facts_per_100_g() -> None:
    new = (
        "add_dish_to_catalog",
        NEW | {"nutrition": {"basis": "PER_100G", "fat_g": 50}},
    )
    dishes = [{"dish_name": "duo", "quantity": 2}]
    pay = ("compute_total_payment", {"user_id": "u", "dishes": dishes})
    assert play("restaurant", meal(LEEK), pay)[0]["total"] == 50 * 0.5 * 2
    dishes = [{"dish_name": "oat cake", "quantity": 30}]
    eat = ("compute_total_nutrition", {"user_id": "u", "dishes": dishes})
    assert play("restaurant", new, eat)[0]["total_nutrition"]["fat_g"] == 15


def test_totals_of_nothing_and_of_negative_quantities() -> None:
    assert total("restaurant", "payment", [])["total"] == 0
    assert total("restaurant", "nutrition", [])["total_nutrition"] == {}
    less = [{"dish_name": FIZZ, "quantity": -1}]
    assert total("restaurant", "payment", less)["total"] == -19.8


# Order: the same tools inside one restaurant.


def at(where: Any, call: tuple) -> tuple:
    return call[0], {"restaurant_name": where, **call[1]}


@pytest.mark.parametrize(
    ("call", "after"),
    [
        (at(LANTERN, add("Mint Cooler", 1, "diner_41")), {"mint cooler": 3}),
        (at(LANTERN, remove("Mint Cooler", 1, "diner_41")), {"mint cooler": 1}),
        (at(LANTERN, ("clear_user_order", {"user_id": "diner_41"})), {}),
    ],
)
def test_orders_change_inside_a_restaurant(call: tuple, after: dict[str, Any]) -> None:
    _, store = play("order", call)
    assert changed(store) == {f"orders/{LANTERN}/diner_41": after}


@pytest.mark.parametrize("where", [LANTERN.lower(), "nowhere", None, 5, ["x"]])
@pytest.mark.parametrize(
    "call",
    [
        add("Mint Cooler", 1),
        ("clear_user_order", {"user_id": "diner_41"}),
        ("get_dish_price", {"dish_name": "Mint Cooler"}),
        ("create_set_meal", meal()[1]),
        ("remove_dish_from_catalog", {"dish_name": "Mint Cooler"}),
        order("add_set_meal_to_order", "Crane Lunch", 1),
    ],
)
def test_an_unknown_restaurant_is_an_empty_one_that_nobody_sees(
    where: Any, call: tuple
) -> None:
    _, store = play("order", at(where, call))
    assert changed(store) == {}


def test_only_a_new_dish_creates_a_restaurant_even_if_it_fails() -> None:
    _, store = play("order", at("Fresh", ("add_dish_to_catalog", NEW)))
    assert changed(store)["restaurants/Fresh"] is True
    assert "dishes/Fresh/oat cake" in changed(store)
    odd = NEW | {"nutrition": {}}
    _, store = play("order", at("Fresh", ("add_dish_to_catalog", odd)))
    assert changed(store) == {"restaurants/Fresh": True}
    missing = {key: value for key, value in NEW.items() if key != "taste"}
    _, store = play("order", at("Fresh", ("add_dish_to_catalog", missing)))
    assert changed(store) == {}


def test_dishes_and_set_meals_of_other_restaurants_are_not_offered() -> None:
    told, store = play("order", at(CRANE, add("Mint Cooler", 1)))
    assert (told["status"], changed(store)) == ("error", {})
    told, _ = play("order", at(CRANE, ("find_dishes_by_taste", {"taste": "minty"})))
    assert told["dishes"] == []


@pytest.mark.parametrize("where", [CRANE, CRANE.upper()])
def test_totals_find_a_restaurant_in_any_case_and_skip_what_is_not_positive(
    where: str,
) -> None:
    listed = [
        {"dish_name": "Plum Sorbet", "quantity": 2},
        {"dish_name": "Plum Sorbet", "quantity": -5},
    ]
    told = total("order", "payment", listed[:1], restaurant_name=where)
    assert (told["restaurant_name"], told["total_payment"]) == (where, 36)
    assert total("order", "tax", [listed[1]], restaurant_name=where)["total_tax"] == 0


def test_totals_of_an_unknown_restaurant_are_zero() -> None:
    listed = [{"dish_name": "Plum Sorbet", "quantity": 2}]
    assert total("order", "payment", listed, restaurant_name="x")["total_payment"] == 0
    for dishes in ([], listed):
        told = total("order", "nutrition", dishes, restaurant_name="x")
        assert told["total_nutrition"]["calories_kcal"] == 0
