"""The form of one annotated instance: every fault with its place."""

from collections.abc import Callable, Mapping

from evaluation.explore.scenes import KIND_KEY, KINDS, SCENE_KEYS

Complain = Callable[[str, str], None]  # JSON path, what would be right


def check_item(item: Mapping[str, object], path: str, complain: Complain) -> None:
    """Complain about whatever the scorer could not read."""
    if not isinstance(item.get("atomic_actions", ""), str):
        detail = "must be a text, the actions joined by '|'"
        complain(f"{path}.atomic_actions", detail)
    if item.get(KIND_KEY, KINDS[0]) not in KINDS:
        complain(f"{path}.{KIND_KEY}", f"must be one of {', '.join(KINDS)}")
    for key in SCENE_KEYS.values():
        place, objects = f"{path}.{key}", item.get(key)
        if isinstance(objects, list):
            for index, value in enumerate(objects):
                check_object(value, f"{place}[{index}]", complain)
        elif objects is not None:
            complain(place, "must be a list of objects")


def check_object(value: object, path: str, complain: Complain) -> None:
    """Complain about an annotated object."""
    if not isinstance(value, dict):
        complain(path, "must be an object with category, description and relation")
        return
    category = value.get("category")
    if not is_text(category) or not str(category).strip():
        complain(f"{path}.category", "must be a name, not empty")
    if not is_text(value.get("description")):
        complain(f"{path}.description", "must be a text")
    relation = value.get("relation")
    if not isinstance(relation, list) or not all(map(is_text, relation)):
        detail = "must be a list of texts, [] where the object has no relation"
        complain(f"{path}.relation", detail)
    if isinstance(value.get("key_state"), str) and not is_text(value["key_state"]):
        complain(f"{path}.key_state", "must be a text")


def is_text(value: object) -> bool:
    """Whether a value is a string of whole characters (no half surrogate pairs)."""
    try:
        return isinstance(value, str) and value.encode() is not None
    except UnicodeEncodeError:
        return False
