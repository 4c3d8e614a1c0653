"""Retail: every tool's effect, checks and answer (spec 5.1)."""

from typing import Any

import pytest

from tests.evaluation.egobench.building import changed, play

TERMS = {"category": "Tea", "price": 10, "tax_rate": 0.1, "discount": 0.5}
TEA, DROPS = "Blue Kettle Ginger Tea", "Marble Cocoa Drops"
FACTS = {"basis": "PER_100G", "calories_kcal": 20}
NEW: dict[str, Any] = {
    "product_name": "Pine Honey",
    "category": "Honey",
    "price": 40,
    "tax_rate": 0.1,
    "discount": 1,
    "nutritional_characteristics": ["High_Sugar"],
    "taste": ["Sweet"],
    "country_of_origin": "Greece",
    "nutrition": FACTS,
}


def add(name: str, qty: Any = 1, user: Any = "ines_077", **terms: Any) -> tuple:
    given = {"user_id": user, "product_name": name, "qty": qty, **TERMS, **terms}
    return "add_to_cart", given


def remove(name: str, qty: Any, user: str = "tomas_118") -> tuple:
    return "remove_from_cart", {"user_id": user, "product_name": name, "qty": qty}


def test_a_new_product_is_stored_with_all_nutrition_fields() -> None:
    _, store = play("retail", ("add_product", NEW))
    product = changed(store)["products/pine honey"]
    assert product["category"] == "honey"
    assert product["nutritional_characteristics"] == ["high_sugar"]
    assert product["country_of_origin"] == "greece"
    assert (product["allergens"], product["sell_type"]) == ([], "single_item")
    assert product["nutrition"]["calories_kcal"] == 20
    assert product["nutrition"]["fiber_g"] is None
    assert len(product["nutrition"]) == 9


@pytest.mark.parametrize(
    "odd",
    [
        {"nutrition": {"calories_kcal": 1}},
        {"nutrition": {"basis": "PER_100G", "salt": 1}},
        {"nutrition": "none"},
        {"category": 5},
        {"product_name": None},
        {"taste": [1]},
        {"country_of_origin": []},
    ],
)
def test_an_odd_product_is_refused(odd: dict[str, Any]) -> None:
    told, store = play("retail", ("add_product", NEW | odd))
    assert (told["status"], changed(store)) == ("error", {})


def test_deleting_takes_all_similar_names_out_of_every_cart() -> None:
    told, store = play("retail", ("delete_product", {"product_name": "o"}))
    assert "marble cocoa drops" in told["deleted_products"]
    assert changed(store)["carts/mira_204"] == {}, "an emptied cart stays"
    assert changed(store)["products/marble cocoa drops"] is None


def test_deleting_what_is_not_there_is_an_error() -> None:
    told, store = play("retail", ("delete_product", {"product_name": "zzz"}))
    assert (told["status"], changed(store)) == ("error", {})


def test_adding_makes_a_cart_and_keeps_numbers_as_floats() -> None:
    _, store = play("retail", add("Moon Cheese", 2, "new_user", category="CHEESE"))
    item = changed(store)["carts/new_user"]["moon cheese"]
    assert item == {
        "quantity": 2.0,
        "category": "cheese",
        "price": 10.0,
        "tax_rate": 0.1,
        "discount": 0.5,
    }
    assert isinstance(item["price"], float)


def test_adding_again_sums_quantities_and_takes_the_new_terms() -> None:
    _, store = play("retail", add(TEA, 2, "tomas_118", price=99, category="Drink"))
    item = changed(store)["carts/tomas_118"][TEA.lower()]
    assert (item["quantity"], item["price"], item["category"]) == (3, 99, "drink")


@pytest.mark.parametrize(
    "odd",
    [
        {"qty": 0},
        {"qty": -1},
        {"qty": "2"},
        {"qty": None},
        {"qty": 10**400},
        {"price": -1},
        {"tax_rate": -0.1},
        {"discount": -0.1},
        {"discount": 1.1},
        {"category": 3},
        {"user_id": ["x"]},
    ],
)
def test_odd_terms_put_nothing_into_a_cart(odd: dict[str, Any]) -> None:
    name, given = add(TEA)
    told, store = play("retail", (name, given | odd))
    assert (told["status"], changed(store)) == ("error", {})


def test_a_true_quantity_counts_as_one() -> None:
    _, store = play("retail", add(TEA, True))
    assert changed(store)["carts/ines_077"][TEA.lower()]["quantity"] == 1.0


@pytest.mark.parametrize(
    ("calls", "left"),
    [
        ([remove(DROPS, 1)], {DROPS.lower(): 2, TEA.lower(): 1}),
        ([remove(DROPS, 3)], {TEA.lower(): 1}),
        ([remove(DROPS, 9)], {TEA.lower(): 1}),
        ([remove(DROPS, 9), remove(TEA, 1)], None),
    ],
)
def test_removing_subtracts_deletes_and_ends_an_empty_cart(
    calls: list, left: dict[str, float] | None
) -> None:
    _, store = play("retail", *calls)
    cart = changed(store)["carts/tomas_118"]
    assert left == (cart and {name: item["quantity"] for name, item in cart.items()})


@pytest.mark.parametrize(
    "call",
    [remove(DROPS, 0), remove(DROPS, -1), remove("Marble", 1), remove(DROPS, 1, "no")],
)
def test_removing_wrongly_is_an_error(call: tuple) -> None:
    told, store = play("retail", call)
    assert (told["status"], changed(store)) == ("error", {})


def test_clearing_deletes_the_cart_and_tells_if_there_is_none() -> None:
    told, store = play("retail", ("clear_cart", {"user_id": "tomas_118"}))
    assert (told["status"], changed(store)) == ("success", {"carts/tomas_118": None})
    told, store = play("retail", ("clear_cart", {"user_id": "nobody"}))
    assert (told["status"], changed(store)) == ("info", {})


def names(tool: str, **given: Any) -> list[str]:
    told, _ = play("retail", (tool, given))
    return told["product_names"]


def test_products_are_found_by_their_facts() -> None:
    assert names("find_products_by_taste", taste="SPICY") == [TEA.lower()]
    assert names("find_products_by_country_of_origin", country="india") == [TEA.lower()]
    assert names("find_products_by_allergen", allergen="Soy") == [DROPS.lower()]
    assert names("find_products_by_price_range", min_price=12, max_price=16) == [
        "quiet orchard apple rings",
        DROPS.lower(),
    ]
    tag = "find_products_by_nutritional_characteristic"
    assert names(tag, characteristic="sugar_free") == [TEA.lower()]
    assert len(names("list_discounted_products")) == 5


@pytest.mark.parametrize("limits", [(-1, 5), (1, -5), (5, 1)])
def test_a_price_range_must_make_sense(limits: tuple[int, int]) -> None:
    given = {"min_price": limits[0], "max_price": limits[1]}
    told, _ = play("retail", ("find_products_by_price_range", given))
    assert told["status"] == "error"


@pytest.mark.parametrize(
    ("field", "value"),
    [("price", 12), ("tax_rate", 0.12), ("category", "sweets"), ("discount", 0.7)],
)
def test_facts_are_told_of_all_similar_names(field: str, value: Any) -> None:
    told, _ = play("retail", (f"get_{field}", {"product_name": "Cocoa"}))
    assert told["products"] == [{"product_name": DROPS.lower(), field: value}]
    told, _ = play("retail", (f"get_{field}", {"product_name": "almond"}))
    assert told["count"] == 2
    told, _ = play("retail", (f"get_{field}", {"product_name": "zzz"}))
    assert told["status"] == "error"


def test_nutrition_is_told() -> None:
    told, _ = play("retail", ("get_nutrition", {"product_name": DROPS}))
    assert told["products"][0]["nutrition"]["calories_kcal"] == 540


def test_carts_and_lists_are_told() -> None:
    told, _ = play("retail", ("get_cart", {"user_id": "tomas_118"}))
    assert [item["product_name"] for item in told["cart_items"]] == [
        TEA.lower(),
        DROPS.lower(),
    ]
    told, _ = play("retail", ("get_cart", {"user_id": "nobody"}))
    assert told["cart_items"] == []
    assert "message" in told
    told, _ = play("retail", ("get_shopping_list", {"user_id": "tomas_118"}))
    assert told["shopping_list"][0]["quantity"] == 2
    told, _ = play("retail", ("get_shopping_list", {"user_id": "nobody"}))
    assert told["status"] == "info"


LISTED = [
    {"product_name": DROPS, "quantity": 2},
    {"product_name": TEA, "quantity": 1},
    {"product_name": TEA, "quantity": 0},
]


def total(kind: str, products: list) -> dict[str, Any]:
    given = {"user_id": "u", "products": products}
    return play("retail", (f"compute_total_{kind}", given))[0]


def test_totals_are_summed_and_rounded() -> None:
    assert total("payment", LISTED)["total"] == round(12 * 0.7 * 2 + 28 * 0.95, 2)
    tax = 12 * 0.12 / 1.12 * 0.7 * 2 + 28 * 0.09 / 1.09 * 0.95
    assert total("tax", LISTED)["total_tax"] == round(tax, 2)
    nutrition = total("nutrition", LISTED)["total_nutrition"]
    assert nutrition["calories_kcal"] == 540 * 2 + 2
    assert nutrition["serving_size_g"] == 400
    assert nutrition["basis"] == "TOTAL"


@pytest.mark.parametrize("kind", ["payment", "tax", "nutrition"])
def test_totals_of_nothing_or_of_unknown_things(kind: str) -> None:
    assert total(kind, [])["status"] == "error"
    unknown = [{"product_name": "Marble", "quantity": 1}]
    assert total(kind, LISTED + unknown)["status"] == "partial_success"
    assert total(kind, [{"product_name": TEA, "quantity": "2"}])["status"] == "error"
