"""A catalogue of goods: records by lower-cased name, found exactly or by a part."""

from collections.abc import Hashable, Iterable, Mapping
from typing import TypedDict, TypeVar

import msgspec

from evaluation.egobench.state import Table

NUTRIENTS = (
    "calories_kcal",
    "protein_g",
    "fat_g",
    "carbs_g",
    "sugar_g",
    "sodium_mg",
    "fiber_g",
)
NUTRITION = ("basis", "serving_size_g", *NUTRIENTS)
Facts = dict[str, object]


class Goods(TypedDict):
    """A product or a dish. Numbers are as given; texts are lower-cased."""

    name: str
    category: str
    price: float
    tax_rate: float
    discount: float
    nutritional_characteristics: list[str]
    taste: list[str]
    allergens: list[str]
    nutrition: Facts


def lowered(texts: Iterable[str]) -> list[str]:
    return [text.lower() for text in texts]


def facts(given: object) -> Facts:
    """The nine nutrition fields, missing ones null. Raises TypeError if it is none."""
    if not isinstance(given, Mapping) or "basis" not in given:
        raise TypeError("nutrition must be an object with 'basis'")
    unknown = [field for field in given if field not in NUTRITION]
    if unknown:
        raise TypeError(f"nutrition has no field {unknown[0]!r}")
    return {field: given.get(field) for field in NUTRITION}


G = TypeVar("G", bound=Goods)


class GoodsRow(msgspec.Struct):
    """A catalogue row of a database file."""

    name: str
    category: str = " "
    price: int | float = 0
    tax_rate: int | float = 0
    discount: int | float = 1
    nutritional_characteristics: list[str] = []
    taste: list[str] = []
    allergens: list[str] = []
    nutrition: Facts | None = None


def goods(row: GoodsRow) -> Goods:
    """A database row as goods. Unknown nutrition fields are left out."""
    nutrition = row.nutrition or {}
    return Goods(
        name=row.name.lower(),
        category=row.category.lower(),
        price=row.price,
        tax_rate=row.tax_rate,
        discount=row.discount,
        nutritional_characteristics=lowered(row.nutritional_characteristics),
        taste=lowered(row.taste),
        allergens=row.allergens,
        nutrition={field: nutrition.get(field) for field in NUTRITION},
    )


def named_like(table: Table[G], query: str) -> list[tuple[Hashable, G]]:
    """All goods whose name contains the query or is contained in it."""
    part = query.lower()
    return [(n, g) for n, g in table.items() if part in str(n) or str(n) in part]


def tagged(table: Table[G], tag: str) -> list[Hashable]:
    """Names of the goods with that nutritional characteristic."""
    wanted = tag.lower()
    return [n for n, g in table.items() if wanted in g["nutritional_characteristics"]]


def tasting(table: Table[G], taste: str) -> list[Hashable]:
    wanted = taste.lower()
    return [n for n, g in table.items() if wanted in g["taste"]]


def priced(table: Table[G], low: float, high: float) -> list[Hashable]:
    """Names of the goods with a price in the range, bounds included."""
    return [n for n, g in table.items() if low <= g["price"] <= high]


def discounted(table: Table[G]) -> list[Hashable]:
    return [n for n, g in table.items() if g["discount"] < 1]


def payment(item: Goods) -> float:
    """What one piece costs."""
    return item["price"] * item["discount"]


def tax(item: Goods) -> float:
    """The tax inside the price of one piece."""
    rate = item["tax_rate"]
    return item["price"] * rate / (1 + rate) * item["discount"]


def add_facts(
    total: dict[str, float],
    more: Mapping[str, object],
    factor: float,
    fields: Iterable[str],
) -> None:
    """Add `factor` times the numbers of `more`; null counts as nothing."""
    for field in fields:
        value = more.get(field)
        if value is not None:
            total[field] = total.get(field, 0) + value * factor  # type: ignore[operator]


def rounded(total: Mapping[str, float]) -> dict[str, float]:
    return {field: round(value, 2) for field, value in total.items()}
