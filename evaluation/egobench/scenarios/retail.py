"""Retail: carts, totals and shopping lists; the products are in retail_products (spec 5.1)."""

from collections.abc import Callable, Mapping

from evaluation.egobench.scenarios import catalogue
from evaluation.egobench.scenarios.base import Answer, Scenario, error, success
from evaluation.egobench.scenarios.catalogue import NUTRITION
from evaluation.egobench.scenarios.retail_products import (
    CartItem,
    Items,
    Product,
    Retail,
    load,
    tools,
)


@tools.writes
def add_to_cart(
    store: Retail,
    user_id: str,
    product_name: str,
    qty: float,
    category: str,
    price: float,
    tax_rate: float,
    discount: float,
) -> Answer:
    """Put a quantity of a product into a user's cart, at the given terms."""
    if qty <= 0 or price < 0 or tax_rate < 0 or discount < 0 or discount > 1:
        return error("qty, price, tax_rate or discount is out of range.")
    name = product_name.lower()
    cart = store.carts.get(user_id) or {}
    known = cart.get(name)
    item = CartItem(
        quantity=(known["quantity"] if known else 0.0) + float(qty),
        category=category.lower(),
        price=float(price),
        tax_rate=float(tax_rate),
        discount=float(discount),
    )
    store.carts.put(user_id, {**cart, name: item})
    return success(f"{name!r} is in the cart.")


@tools.reads
def get_cart(store: Retail, user_id: str) -> Answer:
    """List the items of a user's cart."""
    cart = store.carts.get(user_id)
    items = [{"product_name": n, **item} for n, item in sorted((cart or {}).items())]
    answer: Answer = {"status": "success", "cart_items": items}
    return answer if cart is not None else {**answer, "message": "No such cart."}


@tools.writes
def remove_from_cart(
    store: Retail, user_id: str, product_name: str, qty: float
) -> Answer:
    """Take a quantity of a product out of a user's cart."""
    if qty <= 0:
        return error("qty must be positive.")
    name = product_name.lower()
    cart = store.carts.get(user_id) or {}
    item = cart.get(name)
    if item is None:
        return error(f"{product_name!r} is not in the cart.")
    rest = {k: v for k, v in cart.items() if k != name}
    if item["quantity"] > qty:
        kept = CartItem(**{**item, "quantity": item["quantity"] - qty})
        store.carts.put(user_id, {**rest, name: kept})
    elif rest:
        store.carts.put(user_id, rest)
    else:
        store.carts.drop(user_id)
    return success(f"{name!r} is taken out of the cart.")


@tools.writes
def clear_cart(store: Retail, user_id: str) -> Answer:
    """Delete a user's cart."""
    if store.carts.get(user_id) is None:
        return {"status": "info", "message": "There is no cart to clear."}
    store.carts.drop(user_id)
    return success("The cart is cleared.")


def _total(
    store: Retail,
    user_id: str,
    products: Items,
    key: str,
    value: Callable[[Product, float], Mapping[str, float]],
) -> Answer:
    """Sum `value` over the listed products; unknown names are told, not counted."""
    if not products:
        return error("The list of products is empty.")
    details: list[dict[str, object]] = []
    total: dict[str, float] = {}
    counted = [item for item in products if _quantity(item) > 0]
    for item in counted:
        name = str(item["product_name"]).lower()
        product = store.products.get(name)
        if product is not None:
            part = value(product, _quantity(item))
            catalogue.add_facts(total, part, 1, part)
            details.append({"product_name": name, **part})
    missing = len(counted) - len(details)
    sums = catalogue.rounded(total)
    return {
        "status": "partial_success" if missing else "success",
        "user_id": user_id,
        key: sums if key == "total_nutrition" else sums.get(key, 0),
        "details": details,
        "message": f"{missing} products are unknown." if missing else "All counted.",
    }


def _quantity(item: Mapping[str, object]) -> float:
    quantity = item.get("quantity", 0)
    if not isinstance(quantity, int | float):
        raise TypeError("quantity must be a number")
    return quantity


@tools.reads
def compute_total_payment(store: Retail, user_id: str, products: Items) -> Answer:
    """Sum price times discount over products and quantities."""
    return _total(
        store,
        user_id,
        products,
        "total",
        lambda product, quantity: {"total": catalogue.payment(product) * quantity},
    )


@tools.reads
def compute_total_tax(store: Retail, user_id: str, products: Items) -> Answer:
    """Sum the tax inside the discounted prices of products and quantities."""
    return _total(
        store,
        user_id,
        products,
        "total_tax",
        lambda product, quantity: {"total_tax": catalogue.tax(product) * quantity},
    )


def _nutrition(product: Product, quantity: float) -> dict[str, float]:
    part: dict[str, float] = {}
    catalogue.add_facts(part, product["nutrition"], quantity, NUTRITION[1:])
    return part


@tools.reads
def compute_total_nutrition(store: Retail, user_id: str, products: Items) -> Answer:
    """Sum the nutrition of products and quantities, as listed (not per 100 g)."""
    answer = _total(store, user_id, products, "total_nutrition", _nutrition)
    total = answer.get("total_nutrition")
    if isinstance(total, dict):
        answer["total_nutrition"] = {"basis": "TOTAL", **total}
    return answer


@tools.reads
def get_shopping_list(store: Retail, user_id: str) -> Answer:
    """List the entries of a user's shopping list."""
    entries = store.lists.get(user_id)
    if entries is None:
        message = "There is no shopping list for this user."
        return {"status": "info", "message": message, "shopping_list": []}
    return {"status": "success", "shopping_list": [dict(entry) for entry in entries]}


RETAIL = Scenario(
    slug="retail",
    tools=tools,
    load=load,
    name_rule="pool",
    fuzzy_keys=frozenset({"product_name"}),
    query_tools=frozenset(
        {
            "get_price",
            "get_tax_rate",
            "get_category",
            "get_discount",
            "get_nutrition",
            "find_products_by_nutritional_characteristic",
            "find_products_by_taste",
            "find_products_by_country_of_origin",
            "find_products_by_price_range",
            "list_discounted_products",
        }
    ),
    key_aliases={},
)
