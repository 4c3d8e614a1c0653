"""Faults of the annotations themselves. Findings name places, never answers."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import combinations

from evaluation.explore.annotations import stem
from evaluation.explore.compiling import named
from evaluation.explore.scenes import (
    LENGTH_RANGES,
    SCENE_KEYS,
    Annotations,
    Scene,
    SceneObject,
)
from evaluation.suite import Finding

ALIKE = 0.85  # of SequenceMatcher: "cutting board" and "cuting board"
SHORT = 5  # names below this many letters are only compared as wholes
INDEXED = re.compile(r"[._ ]\d+$")


def lint(annotations: Annotations) -> list[Finding]:
    """Everything suspicious, scene by scene."""
    return [f for scene in annotations.scenes for f in _scene(scene)]


def _scene(scene: Scene) -> Iterator[Finding]:
    place = f"{scene.frame}, {SCENE_KEYS[scene.name]}"
    yield from _actions(scene)
    if not scene.objects:
        detail = "has no annotated object; it is left out of every mean"
        yield Finding(code="empty_scene", detail=detail, place=place)
        return
    if not any(value.relations for value in scene.objects):
        detail = (
            "has no relation at all: its relation score is 0 for everyone, and the"
            " released script stops at it"
        )
        yield Finding(code="no_relations", detail=detail, place=place)
    for index, value in enumerate(scene.objects):
        yield from _object(scene.objects, index, value, f"{place}[{index}]")
    yield from _names([value.category for value in scene.objects], place)
    if scene.is_abnormal and all(v.key_state is None for v in scene.objects):
        detail = (
            "is abnormal but has no key state; its key-state score is 0 for everyone"
        )
        yield Finding(code="no_key_state", detail=detail, place=place)


def _actions(scene: Scene) -> Iterator[Finding]:
    if scene.name != "final":
        return
    place = f"{scene.frame}, atomic_actions"
    if not scene.actions:
        detail = "is missing or empty; the instance is in no length subset"
        yield Finding(code="no_actions", detail=detail, place=place)
        return
    if not scene.is_abnormal and not 11 <= scene.actions <= 694:
        detail = f"has {scene.actions} actions; published instances have 11 to 694"
        yield Finding(code="actions_out_of_range", detail=detail, place=place)
    for file in scene.listed_in:
        for length, (least, most) in LENGTH_RANGES.items():
            outside = not least <= scene.actions <= most
            if f"{length}_seq" in stem(file) and "tiny" not in stem(file) and outside:
                detail = (
                    f"has {scene.actions} actions but is listed in {file}, which is for"
                    f" {least} to {most}"
                )
                yield Finding(code="wrong_subset", detail=detail, place=place)


def _object(
    objects: Sequence[SceneObject], index: int, value: SceneObject, place: str
) -> Iterator[Finding]:
    if not value.description.strip():
        detail = "has no attributes; its attribute score cannot be earned"
        yield Finding(code="no_attribute", detail=detail, place=f"{place}.description")
    if not value.relations:
        detail = (
            "has no relation; under the released script this shifts every later pair"
        )
        yield Finding(code="no_relation", detail=detail, place=f"{place}.relation")
    for number, phrase in enumerate(value.relations):
        where = f"{place}.relation[{number}]"
        if not phrase.strip():
            yield Finding(code="empty_relation", detail="is blank", place=where)
        elif not named(phrase, tuple(objects), index) and value.category not in phrase:
            detail = "names no annotated object of its scene, its own included"
            yield Finding(code="relation_names_nothing", detail=detail, place=where)
    if INDEXED.search(value.category):
        detail = "ends in a number; the released reader takes it as part of the name"
        yield Finding(code="indexed_category", detail=detail, place=f"{place}.category")


def _names(categories: Sequence[str], place: str) -> Iterator[Finding]:
    """Different names of one scene that look like one name."""
    first = {name: index for index, name in reversed(list(enumerate(categories)))}
    for (one, i), (other, j) in combinations(
        sorted(first.items(), key=lambda x: x[1]), 2
    ):
        if near_duplicates(one, other):
            detail = (
                f"is nearly the same name as that of [{i}]; only one of them can be the"
                " best match of a noun"
            )
            yield Finding(
                code="near_duplicate", detail=detail, place=f"{place}[{j}].category"
            )


def near_duplicates(one: str, other: str) -> bool:
    """Equal but for case, spaces, a plural s or a slip of the pen."""
    first, second = _plain(one), _plain(other)
    if first == second:
        return True
    if min(len(first), len(second)) < SHORT or first[0] != second[0]:
        return False
    return SequenceMatcher(None, first, second).ratio() >= ALIKE


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.casefold()).removesuffix("s")
