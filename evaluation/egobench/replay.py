"""Running calls on a store: only declared tools, only those that may change it."""

from collections.abc import Iterable

from evaluation.egobench.scenarios.base import ODD_CALL, Tool, ToolSet
from evaluation.egobench.state import Store
from evaluation.egobench.tidying import Parameters, tidied


def understood(tools: ToolSet, name: str, parameters: Parameters) -> Parameters:
    """The parameters as they count: the accepted ones, tidied.

    A tool that does not exist keeps all of them. Raises OverflowError (see tidied).
    """
    tool = tools.get(name)
    if tool is not None and not parameters.keys() <= tool.accepted:
        parameters = {k: v for k, v in parameters.items() if k in tool.accepted}
    return tidied(parameters)


def replay(store: Store, calls: Iterable[tuple[Tool, Parameters]]) -> None:
    """Run calls in order; one that its tool cannot make sense of has no effect."""
    for tool, parameters in calls:
        try:
            tool.function(store, **parameters)
        except ODD_CALL:
            continue


def answer(store: Store, tools: ToolSet, name: str, parameters: Parameters) -> object:
    """What an agent would see. Raises KeyError for a tool that does not exist."""
    try:
        return tools[name].function(store, **understood(tools, name, parameters))
    except ODD_CALL as problem:
        if name not in tools:
            raise
        return {"status": "error", "message": str(problem)}
