"""Tidying parameters: lists of named things are merged and sorted (spec 2.1)."""

import json
from collections.abc import Hashable, Mapping
from operator import itemgetter

IDENTITY_KEYS = (
    "product_name",
    "ingredient_name",
    "equipment",
    "item_name",
    "dish_name",
    "set_meal_name",
    "restaurant_name",
    "recipe_name",
    "name",
)
Parameters = dict[str, object]
_CONTAINER = (list, dict)
_FIRST = itemgetter(0)


def tidied(parameters: Parameters) -> Parameters:
    """Parameters with every array of objects merged by name and sorted.

    Nothing is changed in place; what needs no tidying is returned as it is. Raises
    OverflowError where quantities are too large to add.
    """
    for value in parameters.values():
        if isinstance(value, _CONTAINER):
            return {key: _tidy(inner) for key, inner in parameters.items()}
    return parameters


def _tidy(value: object) -> object:
    if isinstance(value, dict):
        return tidied(value)
    if not isinstance(value, list):
        return value
    tidy = [_tidy(element) for element in value]
    objects = [element for element in tidy if isinstance(element, dict)]
    return _merged(objects) if len(objects) == len(tidy) else tidy


def _merged(elements: list[Parameters]) -> list[object]:
    groups: dict[Hashable, tuple[str, Parameters]] = {}
    for position, element in enumerate(elements):
        key = _identity(element)
        name: Hashable = position if key is None else _name(element[key])
        known = groups.get((key, name))
        groups[key, name] = (
            (_order(element, key), element)
            if known is None
            else (known[0], _joined(known[1], element))
        )
    return [element for _, element in sorted(groups.values(), key=_FIRST)]


def _identity(element: Parameters) -> str | None:
    for key in IDENTITY_KEYS:
        if element.get(key) is not None:
            return key
    return None


def _name(value: object) -> Hashable:
    """Equal exactly for equal names: texts without case and padding, else values."""
    if isinstance(value, str):
        return value.strip().lower()
    return ("value", _frozen(value))


def _frozen(value: object) -> Hashable:
    if isinstance(value, list):
        return ("list", *map(_frozen, value))
    if isinstance(value, dict):
        return (
            "dict",
            frozenset((key, _frozen(inner)) for key, inner in value.items()),
        )
    return value


def _joined(first: Parameters, more: Mapping[str, object]) -> Parameters:
    kept = dict(first)
    for key, value in more.items():
        mine = kept.get(key)
        if key == "quantity":
            total = _sum(mine, value)
            if total is not None:
                kept[key] = total
            elif mine is None:
                kept[key] = value
        elif mine is None or (isinstance(mine, str) and not mine.strip()):
            kept[key] = value
    return kept


def _sum(a: object, b: object) -> float | int | None:
    first, second = _number(a), _number(b)
    if first is None or second is None:
        return None
    total = first + second
    return int(total) if total.is_integer() else total


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return float(value)
    except ValueError:
        return None


def _order(element: Parameters, key: str | None) -> str:
    if key is not None:
        return str(element[key]).strip().lower()
    return json.dumps(_canonical(element), sort_keys=True)


def _canonical(value: object) -> object:
    if isinstance(value, dict):
        return {key: _canonical(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_canonical(element) for element in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value
