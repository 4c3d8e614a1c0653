"""A test set compiled: ground truth understood, replayed once, and ready to compare."""

from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property
from typing import Any

import msgspec

from evaluation.egobench.instructions import asked_total, asker, mentioned
from evaluation.egobench.matching import Equality, GoalCall, Names, is_plain
from evaluation.egobench.replay import replay, understood
from evaluation.egobench.scenarios import SCENARIOS
from evaluation.egobench.scenarios.base import Scenario, Tool
from evaluation.egobench.state import Changes, Store, TableId, changes
from evaluation.egobench.testset import MODES, Task, TestSet, Variant
from evaluation.egobench.tidying import Parameters

# The restaurant that the last call naming one must name (spec 4.3).
EXPECTED_RESTAURANT = {
    "order1": "Annie Italian Restaurant",
    "order2": "Mediterranean Greek Restaurant",
    "restaurant6": "Mediterranean Greek Restaurant",
}


# Any JSON value. It is `Any` because msgspec hands what is declared as `object` to the
# hook for arrays in evaluation.artifacts.
Json = Any


class CompiledCall(msgspec.Struct, frozen=True, kw_only=True):
    tool: str
    parameters: dict[str, Json]


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """A record that the ground truth leaves behind; None where it deletes one."""

    table: tuple[str, ...]
    key: str
    record: Json


class CompiledTask(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    id: int
    calls: list[CompiledCall]
    changes: list[Change]
    user_ids: list[str]
    has_user: bool  # whether the ground truth names any user
    key: str | None
    values: list[str]
    asker: str | None  # the user id that the instruction states
    mentioned: list[str]  # catalogue names that the instruction states
    asked_total: str  # payment, tax or nutrition

    @cached_property
    def goals(self) -> list[GoalCall]:
        return [
            GoalCall(
                tool=call.tool,
                parameters=call.parameters,
                is_plain=is_plain(call.parameters),
            )
            for call in self.calls
        ]

    @cached_property
    def goal_tools(self) -> frozenset[str]:
        return frozenset(call.tool for call in self.calls)

    @cached_property
    def goal_changes(self) -> Changes:
        found: dict[TableId, dict[Hashable, object]] = {}
        for change in self.changes:
            found.setdefault(change.table, {})[change.key] = change.record
        return found


class CompiledVariant(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    name: str
    family: str
    scenario: str
    database: str
    restaurant: str | None
    tasks: list[CompiledTask]


class Compiled(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """`instances` are positions: variant, mode in MODES, task in the variant."""

    databases: dict[str, bytes]  # as MessagePack: decoded when first needed
    variants: list[CompiledVariant]
    instances: list[tuple[int, int, int]]

    @cached_property
    def ids(self) -> list[str]:
        return [
            f"{variant.name}_{MODES[mode]}/{variant.tasks[task].id}"
            for position, mode, task in self.instances
            for variant in [self.variants[position]]
        ]

    @cached_property
    def _stages(self) -> dict[str, "Stage"]:
        return {}

    def stage(self, variant: CompiledVariant) -> "Stage":
        """Where the variant's tasks play; variants share a database's."""
        found = self._stages.get(variant.database)
        if found is None:
            database = msgspec.msgpack.decode(self.databases[variant.database])
            scenario = SCENARIOS[variant.scenario]
            found = Stage(scenario, scenario.load(database))
            self._stages[variant.database] = found
        return found


class Stage:
    """A loaded database with its scenario's rules."""

    def __init__(self, scenario: Scenario, store: Store) -> None:
        self.scenario = scenario
        self.store = store
        self.names = Names(scenario.name_rule, store.names())
        self.equality = Equality(names=self.names, fuzzy=scenario.fuzzy_keys)
        self.writing = {n: t for n, t in scenario.tools.items() if t.has_effect}


def compile_test_set(test_set: TestSet) -> Compiled:
    """Everything that does not depend on a submission. Same test set, same bytes."""
    stages = {}
    for variant in test_set.variants:
        scenario = SCENARIOS[variant.scenario]
        if variant.database not in stages:
            store = scenario.load(test_set.databases[variant.database])
            stages[variant.database] = Stage(scenario, store)
    return Compiled(
        databases={
            name: msgspec.msgpack.encode(database)
            for name, database in test_set.databases.items()
        },
        variants=[_variant(v, stages[v.database]) for v in test_set.variants],
        instances=list(_instances(test_set.variants)),
    )


def _instances(variants: Sequence[Variant]) -> list[tuple[int, int, int]]:
    found = []
    for position, variant in enumerate(variants):
        places = {task.id: place for place, task in enumerate(variant.tasks)}
        for mode, ids in variant.chosen.items():
            found += [(position, MODES.index(mode), places[i]) for i in ids]
    return found


def _variant(variant: Variant, stage: Stage) -> CompiledVariant:
    is_chain = variant.scenario == "order"
    return CompiledVariant(
        name=variant.name,
        family=variant.family,
        scenario=variant.scenario,
        database=variant.database,
        restaurant=EXPECTED_RESTAURANT.get(variant.name) if is_chain else None,
        tasks=[_task(task, stage) for task in variant.tasks],
    )


def _task(task: Task, stage: Stage) -> CompiledTask:
    calls = [(c.tool, goal_parameters(stage, c.tool, c.parameters)) for c in task.calls]
    store = stage.store.view()
    replay(store, running(stage, calls))
    left = changes(store)
    users = [c.parameters["user_id"] for c in task.calls if "user_id" in c.parameters]
    return CompiledTask(
        id=task.id,
        calls=[CompiledCall(tool=tool, parameters=given) for tool, given in calls],
        changes=[
            Change(table=table, key=str(key), record=record)
            for table, records in left.items()
            for key, record in records.items()
        ],
        user_ids=sorted({user for user in users if isinstance(user, str)}),
        has_user=any(user is not None for user in users),
        key=task.key or None,
        values=list(task.values),
        asker=asker(task.instruction),
        mentioned=mentioned(task.instruction, stage.store.names()),
        asked_total=asked_total(task.instruction),
    )


def goal_parameters(stage: Stage, tool: str, given: Parameters) -> Parameters:
    """A ground-truth call's parameters, as they count."""
    return understood(stage.scenario.tools, tool, given)


def running(
    stage: Stage, calls: Sequence[tuple[str, Parameters]]
) -> list[tuple[Tool, Parameters]]:
    """The calls that may change the store, with their tools."""
    writing: Mapping[str, Tool] = stage.writing
    return [(writing[name], given) for name, given in calls if name in writing]
