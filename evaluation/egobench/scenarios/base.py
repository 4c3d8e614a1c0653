"""What a scenario is: declared tools over a store, and its rules of naming."""

import inspect
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

import msgspec

from evaluation.egobench.state import Store

Answer = dict[str, object]
Row = dict[str, object]
Database = Mapping[str, object]
F = TypeVar("F", bound=Callable[..., object])
S = TypeVar("S", bound=msgspec.Struct)

# What a tool may raise on odd arguments. Such a call has no effect (spec section 3).
ODD_CALL = (TypeError, ValueError, LookupError, AttributeError, ArithmeticError)
KINDS = {str: "string", float: "number", list: "array", dict: "object"}


class BadDatabase(ValueError):
    """A database that cannot be loaded; `path` is the place inside it."""

    def __init__(self, path: str, detail: str) -> None:
        self.path, self.detail = path, detail
        super().__init__(f"{path}: {detail}")


@dataclass(frozen=True, kw_only=True)
class Parameter:
    name: str
    kind: str  # a JSON schema type
    is_required: bool


@dataclass(frozen=True, kw_only=True)
class Tool:
    """A declared tool. Only these can be called, only with these parameters."""

    name: str
    parameters: tuple[Parameter, ...]
    accepted: frozenset[str]
    has_effect: bool
    function: Callable[..., object]


class ToolSet(dict[str, Tool]):
    """The tools of a scenario by name, in the order of the spec's table."""

    def reads(self, function: F) -> F:
        """Declare a tool that only answers; its signature is its parameters."""
        self.declare(function.__name__, function, has_effect=False)
        return function

    def writes(self, function: F) -> F:
        """Declare a tool that may change the store."""
        self.declare(function.__name__, function, has_effect=True)
        return function

    def declare(
        self, name: str, function: Callable[..., object], *, has_effect: bool
    ) -> None:
        parameters = _parameters(function)
        self[name] = Tool(
            name=name,
            parameters=parameters,
            accepted=frozenset(p.name for p in parameters),
            has_effect=has_effect,
            function=function,
        )

    def reading(self) -> frozenset[str]:
        """The names of all tools that change nothing."""
        return frozenset(name for name, tool in self.items() if not tool.has_effect)


def _parameters(function: Callable[..., object]) -> tuple[Parameter, ...]:
    hints = typing.get_type_hints(function)
    found = list(inspect.signature(function).parameters.values())[1:]  # not the store
    return tuple(
        Parameter(
            name=p.name,
            kind=KINDS[typing.get_origin(hints[p.name]) or hints[p.name]],
            is_required=p.default is inspect.Parameter.empty,
        )
        for p in found
    )


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """The rules of one scenario, as data."""

    slug: str
    tools: ToolSet
    load: Callable[[Database], Store]  # raises BadDatabase
    name_rule: str  # "pool", "exact" or "part": how fuzzy names match (spec 2.4)
    fuzzy_keys: frozenset[str]
    query_tools: frozenset[str]  # calls of these show what was perceived (spec 4.3)
    key_aliases: Mapping[str, tuple[str, ...]]  # other parameters that name the key


def schema(tools: ToolSet) -> list[Row]:
    """The tool file of a scenario, for agents: names and parameters as JSON schema."""
    return [
        {
            "type": "function",
            "function": {
                "tool_name": tool.name,
                "description": inspect.getdoc(tool.function) or "",
                "parameters": {
                    "type": "object",
                    "additionalProperties": False,
                    "properties": {p.name: {"type": p.kind} for p in tool.parameters},
                    "required": [p.name for p in tool.parameters if p.is_required],
                },
            },
        }
        for tool in tools.values()
    ]


def rows(database: Database, table: str, kind: type[S]) -> list[S]:
    """The rows of a table as `kind`. Raises BadDatabase with the row's place."""
    found = database.get(table)
    if not isinstance(found, list):
        raise BadDatabase(table, "must be an array of objects")
    converted = []
    for position, row in enumerate(found):
        try:
            converted.append(msgspec.convert(row, kind))
        except msgspec.ValidationError as problem:
            raise BadDatabase(f"{table}[{position}]", str(problem)) from None
    return converted


def error(message: str) -> Answer:
    """The answer of a tool that refuses."""
    return {"status": "error", "message": message}


def success(message: str, **more: object) -> Answer:
    return {"status": "success", "message": message, **more}
