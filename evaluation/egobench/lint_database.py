"""Lint of databases: rows that contradict each other, names that cannot be told apart."""

from collections.abc import Iterator, Mapping
from itertools import combinations

from evaluation.egobench.compiled import Stage
from evaluation.egobench.lint_words import are_variants, vocabulary
from evaluation.egobench.scenarios.base import Database
from evaluation.egobench.scenarios.catalogue import NUTRITION
from evaluation.suite import Finding

CATALOGUES = {
    "products": "name",
    "dishes": "name",
    "set_meals": "name",
    "ingredients": "name",
    "recipes": "name",
}
OWNED = {"items": ("product_name", "dish_name", "ingredient_name")}


def findings(name: str, database: Database, stage: Stage) -> Iterator[Finding]:
    """All findings about one database file."""
    file = f"databases/{name}.json"
    yield from _confusable(file, stage)
    yield from _vocabulary(file, database)
    names = {n.lower() for n in stage.store.names()}
    for table, rows in database.items():
        if isinstance(rows, list):
            yield from _twice(f"{file} {table}", table, rows)
            for position, row in enumerate(rows):
                if isinstance(row, dict):
                    place = f"{file} {table}[{position}]"
                    yield from _row(row, place)
                    yield from _owned(row, names, place)


def _confusable(file: str, stage: Stage) -> Iterator[Finding]:
    """Pairs of names that matching takes for the same (Q5), and wildcards (Q6)."""
    names = list(dict.fromkeys(stage.store.names()))
    if stage.scenario.name_rule != "exact":
        pairs = [
            pair
            for pair in combinations(names, 2)
            if stage.names.match(pair[0], pair[1])
        ]
        if pairs:
            detail = f"{len(pairs)} pairs of names match each other as calls (Q5)"
            yield Finding(code="confusable_names", detail=detail, place=file)
    short = sum(len(name.strip()) < 2 for name in names)
    if short:
        detail = f"{short} names have fewer than two letters and match almost all (Q6)"
        yield Finding(code="short_names", detail=detail, place=file)


def _vocabulary(file: str, database: Database) -> Iterator[Finding]:
    for field, values in vocabulary(database).items():
        pairs = [p for p in combinations(sorted(values), 2) if are_variants(*p)]
        if pairs:
            detail = (
                f"{field} has {len(pairs)} pairs of values that differ in spelling only"
            )
            yield Finding(code="spelling", detail=detail, place=file)


def _twice(place: str, table: str, rows: list[object]) -> Iterator[Finding]:
    key = CATALOGUES.get(table, "user_id")
    seen: set[tuple[object, object]] = set()
    for position, row in enumerate(rows):
        value = row.get(key) if isinstance(row, dict) else None
        if isinstance(row, dict) and isinstance(value, str):
            identity = (row.get("restaurant_name"), value.lower())
            if identity in seen:
                detail = f"has the {key} of an earlier row, which it replaces"
                yield Finding(
                    code="duplicate_row", detail=detail, place=f"{place}[{position}]"
                )
            seen.add(identity)


def _row(row: Mapping[str, object], place: str) -> Iterator[Finding]:
    nutrition = row.get("nutrition")
    unknown = set(nutrition) - set(NUTRITION) if isinstance(nutrition, dict) else set()
    if unknown:
        detail = f"nutrition has {len(unknown)} unknown fields, which are ignored"
        yield Finding(code="unknown_field", detail=detail, place=place)
    for field, low, high in (
        ("price", 0, None),
        ("tax_rate", 0, 1),
        ("discount", 0, 1),
    ):
        value = row.get(field)
        if isinstance(value, int | float) and not low <= value <= (high or value):
            detail = f"{field} is out of range"
            yield Finding(code="odd_number", detail=detail, place=place)


def _owned(row: Mapping[str, object], names: set[str], place: str) -> Iterator[Finding]:
    """Carts, orders and lists that hold what the catalogue does not."""
    items = row.get("items")
    for position, item in enumerate(items if isinstance(items, list) else ()):
        if isinstance(item, dict) and "user_id" in row:
            name = next((item[key] for key in OWNED["items"] if key in item), None)
            if isinstance(name, str) and name.lower() not in names:
                yield Finding(
                    code="unknown_name",
                    detail="names something that is not in the catalogue",
                    place=f"{place}.items[{position}]",
                )
