"""What loading a database makes of its rows (spec 5): the state that calls start from."""

from typing import Any

from evaluation.egobench.scenarios import SCENARIOS
from evaluation.egobench.state import Store


def loaded(slug: str, **tables: list[dict[str, Any]]) -> Any:
    store: Store = SCENARIOS[slug].load(tables)
    return store


def row(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, **more}


def test_a_shop_has_lower_cased_texts_and_defaults() -> None:
    tags = {"nutritional_characteristics": ["Vegan"], "taste": ["Sour"]}
    products = [
        row("Tea", price=3, category="Drinks", **tags, allergens=["Nuts"]),
        row("Oil", country_of_origin="Italy", sell_type="Bulk", nutrition={"fat_g": 9}),
    ]
    shop = loaded(
        "retail", products=products, user_carts=[], user_shopping_lists=[]
    ).products
    tea, oil = shop.get("tea"), shop.get("oil")
    assert (tea["name"], tea["category"], tea["taste"]) == ("tea", "drinks", ["sour"])
    assert (tea["price"], tea["tax_rate"], tea["discount"]) == (3, 0, 1)
    assert (tea["country_of_origin"], tea["sell_type"]) == (" ", "single_item")
    assert tea["nutritional_characteristics"] == ["vegan"]
    assert tea["allergens"] == ["Nuts"], "as given"
    assert (oil["category"], oil["country_of_origin"]) == (" ", "italy")
    assert oil["sell_type"] == "bulk"
    assert oil["nutrition"]["fat_g"] == 9
    assert len(oil["nutrition"]) == 9
    assert oil["nutrition"]["basis"] is None


def test_a_cart_takes_its_terms_from_the_catalogue() -> None:
    items = [{"product_name": "TEA", "quantity": 2}, {"product_name": "Ghost"}]
    shop = loaded(
        "retail",
        products=[row("Tea", category="Drinks", price=3, tax_rate=0.1, discount=0.5)],
        user_carts=[{"user_id": "a", "items": items}, {"user_id": "b"}],
        user_shopping_lists=[{"user_id": "a", "items": items}],
    )
    terms = {"category": "drinks", "price": 3, "tax_rate": 0.1, "discount": 0.5}
    unknown = {"category": " ", "price": 0, "tax_rate": 0, "discount": 1}
    assert shop.carts.get("a") == {
        "tea": {"quantity": 2, **terms},
        "ghost": {"quantity": 0, **unknown},
    }
    assert shop.carts.get("b") == {}, "without items it is an empty cart"
    assert shop.lists.get("a") == [
        {"product_name": "tea", "quantity": 2},
        {"product_name": "ghost", "quantity": 0},
    ]


def test_a_kitchen_skips_what_has_no_name_and_keeps_the_last_of_a_list() -> None:
    kitchen = loaded(
        "kitchen",
        ingredients=[row(""), row("Lime", category="Fruit", quantity="2")],
        recipes=[
            row(""),
            row(
                "Soup",
                ingredients=[{"ingredient_name": "Lime", "quantity": "1"}],
                allergens=["Nuts"],
                taste=["Sour"],
                nutritional_characteristics=["Vegan"],
                steps=["Boil"],
            ),
        ],
        user_menus=[{"user_id": "a", "recipes": ["Soup", "Tart", "SOUP"]}],
        user_shopping_lists=[
            {
                "user_id": "a",
                "items": [
                    {"ingredient_name": "Lime", "quantity": 1},
                    {"ingredient_name": "LIME", "quantity": "7"},
                ],
            }
        ],
    )
    assert list(kitchen.ingredients.initial) == ["lime"]
    lime = kitchen.ingredients.get("lime")
    assert (lime["category"], lime["quantity"]) == ("fruit", "2")
    assert kitchen.recipes.initial == {
        "soup": {
            "steps": ["Boil"],
            "ingredients": [{"ingredient_name": "lime", "quantity": "1"}],
            "allergens": ["nuts"],
            "taste": ["sour"],
            "nutritional_characteristics": ["vegan"],
        }
    }
    assert kitchen.menus.get("a") == ["soup", "tart", "soup"]
    assert kitchen.lists.get("a") == {"lime": "7"}
    tools = SCENARIOS["kitchen"].tools
    tools["remove_recipe_from_menu"].function(kitchen, "a", "Soup")
    assert kitchen.menus.get("a") == ["tart", "soup"], "the first occurrence goes"


MEAL = {
    "name": "Lunch",
    "included_dishes": [
        {"dish_name": "Stew"},
        {"dish_name": "Ghost", "quantity": 2},
    ],
}
LINES = [
    {"dish_name": "STEW", "quantity": 1},
    {"dish_name": "Lunch", "quantity": 2},
    {"dish_name": "Ghost", "quantity": 3},
    {"dish_name": "stew", "quantity": 4},
]


def test_a_restaurant_keeps_only_what_is_on_the_menu() -> None:
    stew = row("Stew", category="Mains", taste=["Salty"], allergens=["Milk"], price="x")
    menu = loaded(
        "restaurant",
        dishes=[stew | {"price": 5}],
        set_meals=[MEAL],
        user_orders=[{"user_id": "a", "items": LINES}],
    )
    dish = menu.dishes.get("stew")
    assert (dish["category"], dish["taste"]) == ("mains", ["salty"])
    assert dish["allergens"] == ["milk"], "lower-cased, unlike a shop's"
    assert menu.set_meals.get("lunch") == {
        "name": "lunch",
        "included_dishes": [{"dish_name": "stew", "quantity": 1}],
        "price": 0,
        "discount": 1,
    }
    assert menu.orders.get("a") == {"stew": 4, "lunch": 2}


def test_a_chain_gives_every_row_to_its_restaurant() -> None:
    chain = loaded(
        "order",
        dishes=[
            row("Tart", restaurant_name="A"),
            row("Stew", restaurant_name="B", allergens=["Milk"]),
            row("Nowhere"),
        ],
        set_meals=[MEAL | {"restaurant_name": "B"}, MEAL],
        user_orders=[
            {"user_id": "a", "restaurant_name": "A", "items": LINES},
            {"user_id": "b", "items": [{"dish_name": "Stew"}, {"dish_name": "Tart"}]},
            {"user_id": "c", "items": [{"dish_name": "STEW"}]},
            {"user_id": "d", "items": [{"dish_name": "Ghost"}]},
        ],
    )
    first, second = chain.menu("A"), chain.menu("B")
    assert list(chain.restaurants.initial) == ["A", "B"]
    assert list(first.dishes.initial) == ["tart"]
    assert second.dishes.get("stew")["allergens"] == ["milk"]
    assert (list(first.set_meals.initial), list(second.set_meals.initial)) == (
        [],
        ["lunch"],
    )
    assert first.orders.get("a") == {"stew": 4, "lunch": 2, "ghost": 3}, "all are kept"
    assert first.orders.get("b") == {"stew": 1, "tart": 1}, "the first that has one"
    assert second.orders.get("c") == {"stew": 1}
    assert first.orders.get("d") == {"ghost": 1}, "none has it: the first of all"
