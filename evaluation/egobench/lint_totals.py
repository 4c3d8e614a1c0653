"""Lint of totals: a computed total should list what the user's basket holds."""

from collections.abc import Iterator, Mapping

from evaluation.egobench.scenarios.order import Chain
from evaluation.egobench.state import Store, Table
from evaluation.egobench.testset import Call
from evaluation.egobench.tidying import IDENTITY_KEYS, tidied
from evaluation.suite import Finding

BASKETS = ("carts", "orders", "lists")  # the first that a store has


def findings(store: Store, call: Call, place: str) -> Iterator[Finding]:
    """A total over part of a basket, or over other quantities, may be a slip.

    Only lists of at least two items that are all in the basket are taken to mean it.
    """
    if not call.tool.startswith("compute_total_"):
        return
    basket = _basket(store, call)
    for value in tidied(call.parameters).values():
        listed = _listed(value)
        if len(listed) < 2 or not listed.keys() <= basket.keys():
            continue
        if any(_number(basket[name]) != _number(listed[name]) for name in listed):
            detail = "a total counts items of the basket in other quantities"
            yield Finding(code="total_differs", detail=detail, place=place)
        elif len(listed) < len(basket):
            detail = "a total leaves out items of the basket"
            yield Finding(code="total_is_partial", detail=detail, place=place)


def _basket(store: Store, call: Call) -> Mapping[str, object]:
    """What the call's user has: quantities by name."""
    if isinstance(store, Chain):
        store = store.menu(store.spelled(str(call.parameters.get("restaurant_name"))))
    tables = {name: table for (name,), table in store.tables() if name in BASKETS}
    table: Table[object] | None = next(
        (tables[name] for name in BASKETS if name in tables), None
    )
    user = call.parameters.get("user_id")
    record = table.get(user) if table is not None and isinstance(user, str) else None
    return record if isinstance(record, dict) else {}


def _listed(value: object) -> dict[str, object]:
    """The items of a list parameter: quantities by lower-cased name."""
    found: dict[str, object] = {}
    for item in value if isinstance(value, list) else ():
        if isinstance(item, dict):
            name = next((item[key] for key in IDENTITY_KEYS if key in item), None)
            found[str(name).lower()] = item.get("quantity", 0)
    return found


def _number(value: object) -> float | None:
    """A quantity as a number; retail's carts keep it in a record."""
    if isinstance(value, dict):
        value = value.get("quantity")
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
