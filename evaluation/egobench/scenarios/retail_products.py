"""Retail: a shop's products, how they are found and changed (spec 5.1)."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TypedDict

import msgspec

from evaluation.egobench.scenarios import catalogue
from evaluation.egobench.scenarios.base import (
    Answer,
    Database,
    ToolSet,
    error,
    rows,
    success,
)
from evaluation.egobench.scenarios.catalogue import Goods
from evaluation.egobench.state import Store, Table


class Product(Goods):
    country_of_origin: str
    sell_type: str


class CartItem(TypedDict):
    quantity: float
    category: str
    price: float
    tax_rate: float
    discount: float


class ListItem(msgspec.Struct):
    product_name: str
    quantity: int | float = 0


class UserItems(msgspec.Struct):
    """A cart or a shopping list in a database file; retail8's carts have no items."""

    user_id: str
    items: list[ListItem] = []


class ProductRow(catalogue.GoodsRow):
    country_of_origin: str = " "
    sell_type: str = "single_item"


Cart = dict[str, CartItem]
Items = list[dict[str, object]]
UNCOMPARED = {"allergens", "sell_type"}  # outside the released state (Q22)


@dataclass(slots=True)
class Retail(Store):
    products: Table[Product]
    carts: Table[Cart]
    lists: Table[list[dict[str, object]]]

    def names(self) -> list[str]:
        return list(self.products.initial)


tools = ToolSet()


def _compared(product: Product) -> object:
    return {k: v for k, v in product.items() if k not in UNCOMPARED}


def load(database: Database) -> Retail:
    """The store of a database file. Raises BadDatabase."""
    products: dict[str, Product] = {}
    for row in rows(database, "products", ProductRow):
        item = catalogue.goods(row)
        products[item["name"]] = Product(
            **item,
            country_of_origin=row.country_of_origin.lower(),
            sell_type=row.sell_type.lower(),
        )
    carts = {
        owner.user_id: {
            i.product_name.lower(): _stocked(products, i) for i in owner.items
        }
        for owner in rows(database, "user_carts", UserItems)
    }
    lists: dict[str, list[dict[str, object]]] = {
        owner.user_id: [
            {"product_name": i.product_name.lower(), "quantity": i.quantity}
            for i in owner.items
        ]
        for owner in rows(database, "user_shopping_lists", UserItems)
    }
    return Retail(Table(products, _compared), Table(carts), Table(lists))


def _stocked(products: dict[str, Product], item: ListItem) -> CartItem:
    known = products.get(item.product_name.lower())
    return CartItem(
        quantity=item.quantity,
        category=known["category"] if known else " ",
        price=known["price"] if known else 0,
        tax_rate=known["tax_rate"] if known else 0,
        discount=known["discount"] if known else 1,
    )


@tools.writes
def add_product(
    store: Retail,
    product_name: str,
    category: str,
    price: float,
    tax_rate: float,
    discount: float,
    nutritional_characteristics: list[str],
    taste: list[str],
    country_of_origin: str,
    nutrition: dict[str, object],
    allergens: list[str] = [],  # noqa: B006
    sell_type: str = "single_item",
) -> Answer:
    """Add a product to the catalogue, or replace the one of that name."""
    product = Product(
        name=product_name.lower(),
        category=category.lower(),
        price=price,
        tax_rate=tax_rate,
        discount=discount,
        nutritional_characteristics=catalogue.lowered(nutritional_characteristics),
        taste=catalogue.lowered(taste),
        allergens=allergens or [],
        nutrition=catalogue.facts(nutrition),
        country_of_origin=country_of_origin.lower(),
        sell_type=sell_type.lower(),
    )
    store.products.put(product["name"], product)
    return success(f"Product {product['name']!r} is in the catalogue.")


@tools.writes
def delete_product(store: Retail, product_name: str) -> Answer:
    """Delete every product with a similar name, from the catalogue and all carts."""
    found = [name for name, _ in catalogue.named_like(store.products, product_name)]
    if not found:
        return error(f"No product is named like {product_name!r}.")
    gone = set(found)
    for user, cart in list(store.carts.items()):
        if not gone.isdisjoint(cart):
            store.carts.put(user, {k: v for k, v in cart.items() if k not in gone})
    for name in found:
        store.products.drop(name)
    return success(f"{len(found)} products deleted.", deleted_products=found)


def _names(found: list[Hashable]) -> Answer:
    return {"status": "success", "product_names": found}


@tools.reads
def find_products_by_nutritional_characteristic(
    store: Retail, characteristic: str
) -> Answer:
    """List the products with a nutritional characteristic."""
    return _names(catalogue.tagged(store.products, characteristic))


@tools.reads
def find_products_by_taste(store: Retail, taste: str) -> Answer:
    """List the products with a taste."""
    return _names(catalogue.tasting(store.products, taste))


@tools.reads
def find_products_by_country_of_origin(store: Retail, country: str) -> Answer:
    """List the products from a country."""
    wanted = country.lower()
    return _names(
        [n for n, p in store.products.items() if p["country_of_origin"] == wanted]
    )


@tools.reads
def find_products_by_allergen(store: Retail, allergen: str) -> Answer:
    """List the products that contain an allergen."""
    wanted = allergen.lower()
    found = [
        name
        for name, product in store.products.items()
        if wanted in catalogue.lowered(product["allergens"])
    ]
    return _names(found)


@tools.reads
def find_products_by_price_range(
    store: Retail, min_price: float, max_price: float
) -> Answer:
    """List the products with a price in a range, bounds included."""
    if min_price < 0 or max_price < 0:
        return error("Prices cannot be negative.")
    if min_price > max_price:
        return error("min_price is above max_price.")
    return _names(catalogue.priced(store.products, min_price, max_price))


def _getter(field: str) -> Callable[..., Answer]:
    def get(store: Retail, product_name: str) -> Answer:
        found = [
            {"product_name": name, field: dict(product)[field]}
            for name, product in catalogue.named_like(store.products, product_name)
        ]
        if not found:
            return error(f"No product is named like {product_name!r}.")
        return {"status": "success", "products": found, "count": len(found)}

    get.__doc__ = f"Get the {field} of every product with a similar name."
    return get


for _field in ("price", "tax_rate", "category", "discount", "nutrition"):
    tools.declare(f"get_{_field}", _getter(_field), has_effect=False)


@tools.reads
def list_discounted_products(store: Retail) -> Answer:
    """List the products with a discount."""
    return _names(catalogue.discounted(store.products))
