"""Why a task failed: the first cause that applies (spec section 4)."""

from collections.abc import Sequence

from evaluation.egobench.compiled import CompiledTask, CompiledVariant
from evaluation.egobench.scenarios.base import Scenario

ObjectCall = dict[str, object]


def name_of(call: ObjectCall) -> object:
    """A call's tool: `tool_name`, or `name` where that is falsy."""
    return call.get("tool_name") or call.get("name")


def parameters_of(call: ObjectCall) -> object:
    """A call's parameters; absent ones are none."""
    return call.get("parameters", {})


def hallucinated(task: CompiledTask, calls: Sequence[ObjectCall]) -> ObjectCall | None:
    """The first call for a user whom the ground truth does not know (P7)."""
    if not task.has_user:
        return None
    for call in calls:
        given = parameters_of(call)
        if isinstance(given, dict) and "user_id" in given:
            user = given["user_id"]
            if not isinstance(user, str) or user not in task.user_ids:
                return call
    return None


def misperceived(
    variant: CompiledVariant,
    scenario: Scenario,
    task: CompiledTask,
    calls: Sequence[ObjectCall],
) -> str | None:
    """What of the video the calls miss: the `restaurant`, the key `entity`, or None."""
    if variant.restaurant is not None:
        chosen = _restaurant(calls)
        if chosen is not None and chosen != variant.restaurant:
            return "restaurant"
    if task.key is None or not task.values or not calls:
        return None
    keys = scenario.key_aliases.get(task.key, (task.key,))
    queried = [text for call in calls for text in _queried(scenario, keys, call)]
    is_seen = all(any(_is_seen(v, text) for text in queried) for v in task.values)
    return None if is_seen else "entity"


def _restaurant(calls: Sequence[ObjectCall]) -> str | None:
    """The last restaurant that a call names."""
    for call in reversed(calls):
        given = parameters_of(call)
        if isinstance(given, dict) and isinstance(given.get("restaurant_name"), str):
            return str(given["restaurant_name"])
    return None


def _queried(scenario: Scenario, keys: Sequence[str], call: ObjectCall) -> list[str]:
    """The texts that a query call has under the key."""
    name, given = name_of(call), parameters_of(call)
    is_query = isinstance(name, str) and name in scenario.query_tools
    if not is_query or not isinstance(given, dict):
        return []
    value = next((given[key] for key in keys if key in given), None)
    texts = value if isinstance(value, list) else [value]
    return [text for text in texts if isinstance(text, str)]


def _is_seen(value: str, text: str) -> bool:
    wanted, given = value.lower().strip(), text.lower().strip()
    if wanted in given or given in wanted:
        return True
    return not set(wanted.split()).isdisjoint(given.split())
