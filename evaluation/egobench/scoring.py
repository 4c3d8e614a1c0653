"""Scoring one trajectory against one task."""

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.egobench import reasons
from evaluation.egobench.cascade import (
    ObjectCall,
    hallucinated,
    misperceived,
    name_of,
    parameters_of,
)
from evaluation.egobench.compiled import CompiledTask, CompiledVariant, Stage
from evaluation.egobench.matching import Given, covered
from evaluation.egobench.replay import replay, understood
from evaluation.egobench.runs import Trajectory
from evaluation.egobench.scenarios.base import Tool
from evaluation.egobench.state import differing
from evaluation.egobench.tidying import Parameters

Cause = tuple[str, str, str]  # error type, sub-label, reason
_CORRECT: Cause = ("correct", "", "")


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """How one task went. `error` is a key of ERRORS, `sub_error` refines it."""

    matches: int
    total_gt_calls: int
    total_calls: int
    tool_success: bool
    result_success: bool
    error: str
    sub_error: str
    reason: str

    @property
    def joint_success(self) -> bool:
        return self.tool_success and self.result_success


@dataclass(slots=True)
class _Calls:
    """A trajectory's calls as they count."""

    by_tool: dict[str, list[Given]]  # calls that may match, by name
    running: list[tuple[Tool, Parameters]]  # calls that may change the state
    writes: list[int]  # their positions
    objects: list[ObjectCall]
    positions: list[int]  # of the objects
    is_nameless: bool = False  # a call is malformed (P4)
    is_broken: bool = False  # a call is not even an object (P4)
    has_odd_parameters: bool = False  # parameters that are no object (P6)


def judge(
    stage: Stage,
    variant: CompiledVariant,
    task: CompiledTask,
    trajectory: Trajectory | None,
) -> Outcome:
    """Score one task: coverage of its ground truth, end state, and cause of failure."""
    if trajectory is None:
        return _unscored(task, "missing", "There is no entry for this task.")
    if not trajectory.is_array:
        return _unscored(task, "syntax", reasons.syntax(trajectory.syntax, ()))
    calls = _understood(stage, task, trajectory.calls)
    used = covered(task.goals, calls.by_tool, stage.equality)
    total = len(task.calls)
    tool_success = len(used) == total > 0 and not calls.is_nameless
    store = stage.store.view()
    replay(store, calls.running)
    result_success = not calls.is_broken and not differing(task.goal_changes, store)
    cause = _CORRECT
    if not (tool_success and result_success):
        cause = _cause(stage, variant, task, trajectory, calls, used)
    return Outcome(
        matches=len(used),
        total_gt_calls=total,
        total_calls=len(trajectory.calls),
        tool_success=tool_success,
        result_success=result_success,
        error=cause[0],
        sub_error=cause[1],
        reason=cause[2],
    )


def _unscored(task: CompiledTask, error: str, reason: str) -> Outcome:
    """A task without anything to score (P1, P2)."""
    return Outcome(
        matches=0,
        total_gt_calls=len(task.calls),
        total_calls=0,
        tool_success=False,
        result_success=False,
        error=error,
        sub_error="",
        reason=reason,
    )


def _understood(stage: Stage, task: CompiledTask, given: Sequence[object]) -> _Calls:
    """Sort a trajectory's calls by what they are good for."""
    found = _Calls(by_tool={}, running=[], writes=[], objects=[], positions=[])
    for position, call in enumerate(given):
        if not isinstance(call, dict):
            found.is_broken = found.is_nameless = True
            continue
        found.objects.append(call)
        found.positions.append(position)
        name, parameters = name_of(call), parameters_of(call)
        if not isinstance(name, str) or not name:
            found.is_nameless = True
        elif not isinstance(parameters, dict):
            found.has_odd_parameters = True
        elif name in task.goal_tools or name in stage.writing:
            _keep(found, stage, position, name, parameters)
    return found


def _keep(
    found: _Calls, stage: Stage, position: int, name: str, parameters: Parameters
) -> None:
    """A call that may match or write, with its parameters as they count."""
    try:
        kept = understood(stage.scenario.tools, name, parameters)
    except OverflowError:
        return  # cannot be tidied: matches nothing, runs nowhere (P3)
    found.by_tool.setdefault(name, []).append((position, kept))
    if name in stage.writing:
        found.running.append((stage.writing[name], kept))
        found.writes.append(position)


def _cause(
    stage: Stage,
    variant: CompiledVariant,
    task: CompiledTask,
    trajectory: Trajectory,
    calls: _Calls,
    used: Sequence[int],
) -> Cause:
    """The first cause that applies, its sub-label and a reason."""
    given, scenario = trajectory.calls, stage.scenario
    if trajectory.syntax or calls.is_nameless or calls.has_odd_parameters:
        return "syntax", "", reasons.syntax(trajectory.syntax, given)
    missed = misperceived(variant, scenario, task, calls.objects)
    if missed:
        told = reasons.perception(missed, calls.objects, scenario.query_tools)
        return "perception", "", told
    culprit = hallucinated(task, calls.objects)
    if culprit:
        told = reasons.hallucination(culprit, calls.objects, calls.positions)
        return "hallucination", "", told
    lacking = len(task.calls) - len(used)
    if lacking:
        told = reasons.logic(given, used)
        return "logic", "memory" if lacking == 1 else "", told
    return "over_operation", "", reasons.over_operation(given, calls.writes)
