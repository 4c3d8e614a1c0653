"""Lint of ground-truth calls: tools, parameters, names, users and effects."""

from collections.abc import Iterator, Sequence

from evaluation.egobench import lint_totals, lint_users
from evaluation.egobench.compiled import Stage, goal_parameters
from evaluation.egobench.scenarios.base import ODD_CALL, Tool
from evaluation.egobench.scenarios.order import Chain
from evaluation.egobench.state import Store, changes, differing
from evaluation.egobench.testset import Call, Task
from evaluation.suite import Finding


def findings(stage: Stage, task: Task) -> Iterator[Finding]:
    """All findings about a task's calls, replayed in order."""
    store = stage.store.view()
    known = _known(stage)
    for position, call in enumerate(task.calls):
        place = f"{task.place}.ground_truth[{position}]"
        tool = stage.scenario.tools.get(call.tool)
        if tool is None:
            detail = (
                "calls a tool that does not exist, so an honest agent cannot pass (Q13)"
            )
            yield Finding(code="unknown_tool", detail=detail, place=place)
            continue
        yield from _parameters(tool, call, place)
        yield from _names(stage, call, known, place)
        yield from _repeated(stage, call, place)
        yield from _effect(stage, store, tool, call, place)
        yield from lint_totals.findings(store, call, place)
    yield from lint_users.findings(stage.store, task)


def _parameters(tool: Tool, call: Call, place: str) -> Iterator[Finding]:
    unknown = [name for name in call.parameters if name not in tool.accepted]
    if unknown:
        detail = f"has parameters that {tool.name} does not accept: {_list(unknown)}"
        yield Finding(code="unknown_parameter", detail=detail, place=place)
    needed = [p.name for p in tool.parameters if p.is_required]
    missing = [name for name in needed if name not in call.parameters]
    if missing:
        detail = (
            f"lacks required parameters of {tool.name}: {_list(missing)}; the call "
            "fails, and an agent that gives them does not match it"
        )
        yield Finding(code="missing_parameter", detail=detail, place=place)
    optional = [p.name for p in tool.parameters if not p.is_required]
    given = [name for name in optional if name in call.parameters]
    if given:
        detail = f"only matches calls that also give the optional {_list(given)} (Q21)"
        yield Finding(code="optional_parameter", detail=detail, place=place)


def _list(names: Sequence[str]) -> str:
    return ", ".join(sorted(names))


def _known(stage: Stage) -> dict[str, set[str]]:
    """The names that exist, as an agent may spell them, by kind of parameter."""
    names = {name.lower() for name in stage.store.names()}
    if stage.scenario.name_rule == "part":
        names = set(stage.store.names())
    known = dict.fromkeys(stage.scenario.fuzzy_keys, names)
    if isinstance(stage.store, Chain):
        known["restaurant_name"] = set(stage.store.restaurants.initial)
    return known


def _names(
    stage: Stage, call: Call, known: dict[str, set[str]], place: str
) -> Iterator[Finding]:
    """Names that the database does not have; catalogue additions become known."""
    is_exact = stage.scenario.name_rule == "part"
    for key, name in _named(call.parameters):
        if key not in known:
            continue
        spelled = name if is_exact or key == "restaurant_name" else name.lower()
        if call.tool in {"add_product", "add_dish_to_catalog", "create_set_meal"}:
            known[key] = known[key] | {spelled}
        elif spelled not in known[key]:
            near = spelled.strip().lower() in {n.lower() for n in known[key]}
            why = "but for case or padding" if near else "under that name"
            detail = f"{key} names something that is not in the database {why}"
            yield Finding(code="unknown_name", detail=detail, place=place)


def _named(value: object, key: str = "") -> Iterator[tuple[str, str]]:
    """All texts in parameters with the key they stand under."""
    if isinstance(value, dict):
        for inner_key, inner in value.items():
            yield from _named(inner, inner_key)
    elif isinstance(value, list):
        for element in value:
            yield from _named(element, key)
    elif isinstance(value, str):
        yield key, value


def _repeated(stage: Stage, call: Call, place: str) -> Iterator[Finding]:
    understood = goal_parameters(stage, call.tool, call.parameters)
    for key, tidy in understood.items():
        given = call.parameters[key]
        if (
            isinstance(tidy, list)
            and isinstance(given, list)
            and len(tidy) < len(given)
        ):
            detail = f"{key} lists the same item twice; quantities are added up (Q18)"
            yield Finding(code="repeated_item", detail=detail, place=place)


def _effect(
    stage: Stage, store: Store, tool: Tool, call: Call, place: str
) -> Iterator[Finding]:
    """Run the call; tell if it fails, or is a write that changes nothing (Q14)."""
    before = changes(store)
    parameters = goal_parameters(stage, call.tool, call.parameters)
    try:
        answer = tool.function(store, **parameters)
    except ODD_CALL:
        detail = f"{tool.name} raises on these parameters, so the call does nothing"
        yield Finding(code="failing_call", detail=detail, place=place)
        return
    if isinstance(answer, dict) and answer.get("status") == "error":
        detail = f"{tool.name} answers with an error"
        yield Finding(code="failing_call", detail=detail, place=place)
    elif tool.has_effect and not differing(before, store):
        detail = f"{tool.name} changes nothing here"
        yield Finding(code="no_effect", detail=detail, place=place)
