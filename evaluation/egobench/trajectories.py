"""One entry of a result file: the calls of a task, and what is told about its run."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec

from evaluation import strict_json
from evaluation.egobench.guards import MAX_TURNS, UNGUARDED, guard_array
from evaluation.egobench.runs import RawField, Trajectory, number, reliabilities
from evaluation.problems import InvalidUpload, Problem

MAX_CALLS = 5000  # per task; the released dialogue runner stops at 200 (Q30)
MAX_TASK_MIB = 1  # all calls of a task, as JSON; results do not count
NOTHING = "there are no tool calls"
ABSENT = msgspec.UNSET


class Entry(msgspec.Struct):
    """The fields we read, undecoded: everything else is skipped without a copy."""

    scenario_id: RawField = ABSENT
    task_id: RawField = ABSENT
    tool_calls: RawField = ABSENT
    rounds_count: RawField = ABSENT
    tokens_consumed: RawField = ABSENT
    input_tokens: RawField = ABSENT
    output_tokens: RawField = ABSENT
    user_performance: RawField = ABSENT


class _Turn(msgspec.Struct):
    calls: RawField = ABSENT
    call: RawField = ABSENT


_decode_entry = msgspec.json.Decoder(Entry).decode
_decode_turn = msgspec.json.Decoder(_Turn).decode
_decode_array = msgspec.json.Decoder(list[msgspec.Raw]).decode


def read_entry(raw: msgspec.Raw, file: str, path: str) -> tuple[Entry, Trajectory]:
    """An entry, which is an object. Raises InvalidUpload with the place.

    The scored parts are strict (no duplicate keys, no NaN, bounded depth); dialogues
    and results are only skipped.
    """
    refuse_twice(raw, ("scenario_id", "task_id", "tool_calls"), file, path)
    entry = _decode_entry(raw)
    if entry.tool_calls is ABSENT:
        return entry, _told(entry, [], NOTHING)
    if not is_array(entry.tool_calls):
        fault = "tool_calls is not an array"
        return entry, Trajectory(calls=(), syntax=fault, is_array=False)
    place = f"{path}.tool_calls"
    guard_array(entry.tool_calls, MAX_TURNS)
    taken = _Taken()
    turns = _decode_array(entry.tool_calls)
    syntax: str | None = None if turns else NOTHING
    for position, turn in enumerate(turns):
        told = _take(turn, taken, file, f"{place}[{position}]")
        if told and syntax is None:
            syntax = f"turn {position + 1}: {told}"
    if len(taken.calls) > MAX_CALLS:
        detail = f"has {len(taken.calls)} calls; at most {MAX_CALLS} are scored"
        raise _problem("too_many_calls", detail, file, place)
    return entry, _told(entry, taken.calls, syntax)


@dataclass
class _Taken:
    """The calls of an entry so far, and their length as JSON."""

    calls: list[object] = field(default_factory=list)
    size: int = 0


def _problem(code: str, detail: str, file: str, path: str) -> InvalidUpload:
    return InvalidUpload([Problem(code=code, detail=detail, file=file, path=path)])


def is_array(raw: RawField) -> bool:
    return isinstance(raw, msgspec.Raw) and bytes(memoryview(raw)[:1]) == b"["


def is_object(raw: RawField) -> bool:
    return isinstance(raw, msgspec.Raw) and bytes(memoryview(raw)[:1]) == b"{"


def refuse_twice(raw: msgspec.Raw, fields: Sequence[str], file: str, path: str) -> None:
    """Raise InvalidUpload where a field that we read stands twice in an object.

    Decoding keeps the last of two equal keys. Its name is then found once more than
    in the values kept, which is told without building what we skip. (A key written
    with \\u escapes is not seen, nor is one in an object of over 4 MiB; there the last
    one counts.)
    """
    if len(memoryview(raw)) > UNGUARDED:
        return
    data = bytes(raw)
    names = {field: f'"{field}"'.encode() for field in fields}
    suspects = {f: name for f, name in names.items() if data.count(name) > 1}
    if suspects:
        kept = msgspec.json.decode(raw, type=dict[str, msgspec.Raw])
        for field, name in suspects.items():
            inside = sum(bytes(value).count(name) for value in kept.values())
            if data.count(name) - inside > 1:
                detail = f"has the key {field!r}, or one that holds it, twice; keep one"
                raise _problem("duplicate_key", detail, file, path)


def _take(raw: msgspec.Raw, taken: _Taken, file: str, path: str) -> str | None:
    """Take a turn's calls. Answers what is malformed in it (spec 4.2)."""
    if not is_object(raw):
        return "is not an object"
    refuse_twice(raw, ("calls", "call"), file, path)
    turn = _decode_turn(raw)
    if is_array(turn.calls):
        calls = _strict(turn.calls, taken, file, f"{path}.calls")
        if isinstance(calls, list):
            taken.calls += calls
            return next((fault for fault in map(_fault, calls) if fault), None)
    if turn.call is ABSENT:
        missing = turn.calls is ABSENT
        return "has no calls" if missing else "calls is not an array"
    call = _strict(turn.call, taken, file, f"{path}.call")
    taken.calls.append(call)
    return _fault(call) if turn.calls is ABSENT else "calls is not an array"


def _strict(raw: RawField, taken: _Taken, file: str, path: str) -> object:
    data = bytes(raw)  # type: ignore[arg-type]
    taken.size += len(data)
    if taken.size > MAX_TASK_MIB * 1024 * 1024:
        detail = f"makes the task's calls longer than {MAX_TASK_MIB} MiB; shorten them"
        raise _problem("too_long", detail, file, path)
    try:
        return strict_json.decode(data, file=file)
    except InvalidUpload as error:
        found = error.problems[0]
        raise _problem(found.code, found.detail, file, path) from None


def _fault(call: object) -> str | None:
    if not isinstance(call, dict):
        return "a call is not an object"
    if "tool_name" not in call and "name" not in call:
        return "a call has no tool_name"
    return None if "parameters" in call else "a call has no parameters"


def _told(entry: Entry, calls: list[object], syntax: str | None) -> Trajectory:
    """A trajectory with what its entry reports about the run."""
    tokens = number(entry.tokens_consumed)
    if tokens is None:
        parts = [number(entry.input_tokens), number(entry.output_tokens)]
        known = [part for part in parts if part is not None]
        tokens = sum(known) if known else None
    return Trajectory(
        calls=calls,
        syntax=syntax,
        rounds=number(entry.rounds_count),
        tokens=tokens,
        reliabilities=reliabilities(entry.user_performance),
    )
