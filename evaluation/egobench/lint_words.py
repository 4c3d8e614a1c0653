"""Lint of wording: instructions and databases that spell the same thing differently."""

import re
from collections.abc import Iterator, Mapping

from evaluation.egobench.compiled import CompiledTask
from evaluation.egobench.scenarios.base import Database
from evaluation.egobench.testset import Task
from evaluation.problems import shown
from evaluation.suite import Finding

FIELDS = (
    "nutritional_characteristics",
    "taste",
    "allergens",
    "country_of_origin",
    "category",
    "storage_location",
    "brand",
    "ideal_storage_location",
)
_QUOTED = re.compile(r"[\"'\u2018\u201c]([A-Za-z][A-Za-z_ -]{2,30})[\"'\u2019\u201d]")
_PROPER = re.compile(r"(?<![.!?:] )(?<!^)\b([A-Z][a-z]{3,})\b")
Vocabulary = Mapping[str, set[str]]  # field -> its values, lower-cased


def vocabulary(database: Database) -> Vocabulary:
    """The values that a database uses for tags, tastes, allergens, countries and such."""
    found: dict[str, set[str]] = {}
    for table in database.values():
        for row in table if isinstance(table, list) else ():
            if isinstance(row, dict):
                for field in FIELDS:
                    values = row.get(field)
                    listed = values if isinstance(values, list) else [values]
                    texts = {v.lower().strip() for v in listed if isinstance(v, str)}
                    found.setdefault(field, set()).update(texts - {""})
    return found


def are_variants(a: str, b: str) -> bool:
    """Whether two different words look like spellings of one: nut/nuts, danmark/denmark."""
    short, long = sorted((_loose(a), _loose(b)), key=len)
    if short == long or len(short) < 3:
        return False
    if long in {f"{short}s", f"{short}es"}:
        return True
    return len(short) >= 5 and short[0] == long[0] and _is_one_edit(short, long)


def _loose(word: str) -> str:
    """A word without separators: `low sugar` and `low_sugar` are the same."""
    return re.sub(r"[\s_-]+", "", word)


def _is_one_edit(short: str, long: str) -> bool:
    """Whether one letter changed, added or left out leads from one to the other."""
    if len(long) - len(short) > 1:
        return False
    pairs = enumerate(zip(short, long, strict=False))
    same = next((i for i, (x, y) in pairs if x != y), len(short))
    if len(short) == len(long):
        return short[same + 1 :] == long[same + 1 :]
    return short[same:] == long[same + 1 :]


def findings(
    task: Task, prepared: CompiledTask, words: Vocabulary
) -> Iterator[Finding]:
    """Words of the instruction that are almost, but not, values of the database."""
    text = task.instruction
    said = {w.lower().strip() for w in (*_QUOTED.findall(text), *_PROPER.findall(text))}
    for field, values in words.items():
        for word in sorted(said - values):
            if any(are_variants(word, value) for value in values):
                detail = (
                    f"the instruction says {shown(word)!r}, the database has another "
                    f"spelling of it under {field}"
                )
                yield Finding(code="spelling", detail=detail, place=task.place)
    if prepared.key is None or not prepared.values:
        detail = "has no key and value, so perception errors cannot be told (spec 4.3)"
        yield Finding(code="no_key", detail=detail, place=task.place)
