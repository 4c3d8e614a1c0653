"""A short reason for a failure, in terms of the submitter's own calls only.

Nothing here may quote the ground truth, the database or the video's entity.
"""

from collections.abc import Sequence

from evaluation.egobench.cascade import ObjectCall, name_of
from evaluation.problems import shown

MAX_NAMED = 5  # calls that a reason lists


def syntax(fault: str | None, calls: Sequence[object]) -> str:
    """What is malformed: a turn's form, or a call that cannot be executed."""
    if fault:
        return f"Malformed: {fault}."
    for position, call in enumerate(calls):
        if not isinstance(call, dict):
            return f"Malformed: call {position + 1} is not an object."
        if not isinstance(name_of(call), str) or not name_of(call):
            return f"Malformed: call {position + 1} has no name."
        if not isinstance(call.get("parameters", {}), dict):
            return f"Malformed: the parameters of call {position + 1} are no object."
    return "Malformed."


def perception(
    missed: str, calls: Sequence[ObjectCall], query_tools: frozenset[str]
) -> str:
    """How many of the calls could have shown what was perceived."""
    if missed == "restaurant":
        return "The last restaurant that your calls name is not the one to choose."
    queries = sum(str(name_of(call)) in query_tools for call in calls)
    return f"{queries} of your {len(calls)} calls query, and none names all that the video shows."


def hallucination(
    culprit: ObjectCall, calls: Sequence[ObjectCall], positions: Sequence[int]
) -> str:
    """The first call for a user who is not the task's."""
    place = next(p for p, call in zip(positions, calls, strict=True) if call is culprit)
    tool = shown(str(name_of(culprit)), 40)
    return f"Call {place + 1} ({tool}) acts for a user who is not this task's."


def logic(calls: Sequence[object], used: Sequence[int]) -> str:
    """Which calls did not count towards what the task requires."""
    idle = [p for p in range(len(calls)) if p not in set(used)]
    named = ", ".join(_named(calls, position) for position in idle[:MAX_NAMED])
    more = f" and {len(idle) - MAX_NAMED} more" if len(idle) > MAX_NAMED else ""
    told = f"; these did not: {named}{more}" if idle else ""
    return f"{len(used)} of your {len(calls)} calls match a required call{told}."


def over_operation(calls: Sequence[object], writes: Sequence[int]) -> str:
    """Which calls changed the state, so that one of them left it different."""
    named = ", ".join(_named(calls, position) for position in writes[-MAX_NAMED:])
    return f"All required calls are there, but the end state differs; you wrote by {named or 'no call'}."


def _named(calls: Sequence[object], position: int) -> str:
    call = calls[position]
    name = name_of(call) if isinstance(call, dict) else "not a call"
    return f"call {position + 1} ({shown(str(name), 40)})"
