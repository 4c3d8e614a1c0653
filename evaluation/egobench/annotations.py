"""Reading a test set: a directory or zip with `tasks/` and `databases/`.

Tasks that are odd but can be scored are read as they are; lint tells about them.
"""

from collections.abc import Mapping
from pathlib import PurePosixPath

import msgspec

from evaluation import strict_json
from evaluation.egobench.scenarios import SCENARIOS, scenario_for
from evaluation.egobench.scenarios.base import BadDatabase, Database
from evaluation.egobench.testset import (
    MODES,
    Call,
    Task,
    TestSet,
    Variant,
    natural,
    select,
)
from evaluation.egobench.tidying import tidied
from evaluation.problems import InvalidUpload, Problem, ProblemList, shown
from evaluation.reading import Member, Upload, refused

SELECTION = "selection.json"


def read_annotations(upload: Upload) -> TestSet:
    """The test set, all tasks in all three modes, or less by its `selection.json`.

    Raises InvalidUpload with every problem and its place.
    """
    problems = ProblemList()
    tasks, databases, selection = _files(upload, problems)
    if not tasks:
        detail = "holds no tasks/<scenario><n>.json; see the format"
        _refuse(problems, "no_tasks", upload.name, detail)
    variants = [
        _variant(name, content, databases, problems)
        for name, content in sorted(tasks.items(), key=lambda item: natural(item[0]))
    ]
    problems.raise_if_any()
    kept = [variant for variant in variants if variant is not None]
    used = {variant.database for variant in kept}
    for name in sorted(used):
        _check_database(name, databases[name], kept, problems)
    problems.raise_if_any()
    test_set = TestSet(
        variants=tuple(kept),
        databases={name: databases[name] for name in sorted(used)},
    )
    if selection is None:
        return test_set
    try:
        chosen = msgspec.convert(selection, dict[str, dict[str, list[object]]])
    except (msgspec.ValidationError, UnicodeEncodeError) as error:
        raise refused("bad_selection", str(error), SELECTION) from None
    return select(test_set, chosen)


def _files(
    upload: Upload, problems: ProblemList
) -> tuple[dict[str, object], dict[str, Database], Mapping[str, object] | None]:
    """Decoded tasks and databases by name, and the selection, if there is one."""
    tasks: dict[str, object] = {}
    databases: dict[str, Database] = {}
    selection: Mapping[str, object] | None = None
    for member in upload.members():
        path = PurePosixPath(member.name)
        if path.suffix != ".json":
            continue
        if path.parent.name == "tasks":
            tasks[path.stem] = _decoded(member, problems)
        elif path.parent.name == "databases":
            databases[path.stem] = _object(member, problems)
        elif path.name == SELECTION:
            selection = _object(member, problems)
    return tasks, databases, selection


def _refuse(
    problems: ProblemList, code: str, file: str, detail: str, path: str | None = None
) -> None:
    problems.add(Problem(code=code, detail=detail, file=file, path=path))


def _decoded(member: Member, problems: ProblemList) -> object:
    try:
        return strict_json.decode(member.read(), file=member.name)
    except InvalidUpload as error:
        for problem in error.problems:
            problems.add(problem)
        return None


def _object(member: Member, problems: ProblemList) -> Mapping[str, object]:
    content = _decoded(member, problems)
    if isinstance(content, dict):
        return content
    if content is not None:
        _refuse(problems, "wrong_type", member.name, "must be a JSON object")
    return {}


def _variant(
    name: str,
    content: object,
    databases: Mapping[str, Database],
    problems: ProblemList,
) -> Variant | None:
    """One task file, or None after telling what is wrong."""
    file = f"tasks/{name}.json"
    family = name.rstrip("0123456789")
    database = name if name in databases else family
    if database not in databases:
        detail = f"needs databases/{name}.json or databases/{family}.json"
        _refuse(problems, "no_database", file, detail)
        return None
    scenario = scenario_for(family, databases[database])
    if scenario is None or family == name:
        known = ", ".join(SCENARIOS)
        detail = f"must be named after a scenario and a number: {known}"
        _refuse(problems, "unknown_scenario", file, detail)
        return None
    tasks = _tasks(file, content, problems)
    ids = tuple(task.id for task in tasks)
    return Variant(
        name=name,
        scenario=scenario.slug,
        database=database,
        tasks=tuple(tasks),
        chosen=dict.fromkeys(MODES, ids),
    )


def _tasks(file: str, content: object, problems: ProblemList) -> list[Task]:
    if not isinstance(content, list) or not content:
        if content is not None:
            _refuse(problems, "wrong_type", file, "must be a non-empty array of tasks")
        return []
    tasks, seen = [], set()
    for position, value in enumerate(content):
        task = _task(file, position, value, problems)
        if task is None:
            continue
        if task.id in seen:
            detail = f"has the id {task.id} of an earlier task"
            _refuse(problems, "duplicate_id", file, detail, f"[{position}]")
        seen.add(task.id)
        tasks.append(task)
    return tasks


def _task(
    file: str, position: int, value: object, problems: ProblemList
) -> Task | None:
    path = f"[{position}]"
    if not isinstance(value, dict):
        _refuse(problems, "wrong_type", file, "must be a task object", path)
        return None
    number = value.get("scenario_id", value.get("task_id"))
    calls = _calls(file, path, value.get("ground_truth"), problems)
    if isinstance(number, bool) or not isinstance(number, int):
        detail = f"needs an integer scenario_id or task_id, not {shown(number)}"
        _refuse(problems, "bad_id", file, detail, path)
        return None
    values = value.get("value")
    listed = [values] if isinstance(values, str) else values
    is_listed = isinstance(listed, list) and all(isinstance(v, str) for v in listed)
    if values is not None and not is_listed:
        detail = "must be an array of strings"
        _refuse(problems, "wrong_type", file, detail, f"{path}.value")
    key, instruction = value.get("key"), value.get("Instruction")
    if fault := _unstorable([number, listed, key, instruction]):
        _refuse(problems, fault[0], file, fault[1], path)
    return Task(
        id=number,
        place=f"{file} {path}",
        instruction=instruction if isinstance(instruction, str) else "",
        calls=tuple(calls),
        key=key if isinstance(key, str) else None,
        values=tuple(listed) if is_listed and isinstance(listed, list) else (),
    )


def _calls(file: str, path: str, value: object, problems: ProblemList) -> list[Call]:
    place = f"{path}.ground_truth"
    if not isinstance(value, list):
        _refuse(problems, "wrong_type", file, "must be an array of calls", place)
        return []
    calls = []
    for position, call in enumerate(value):
        tool = call.get("tool_name") if isinstance(call, dict) else None
        parameters = call.get("parameters") if isinstance(call, dict) else None
        if not isinstance(tool, str) or not tool or not isinstance(parameters, dict):
            detail = 'must be like {"tool_name": "…", "parameters": {…}}'
            _refuse(problems, "bad_call", file, detail, f"{place}[{position}]")
        elif fault := _unstorable([tool, tidied(parameters)]):
            _refuse(problems, fault[0], file, fault[1], f"{place}[{position}]")
        else:
            calls.append(Call(tool=tool, parameters=parameters))
    return calls


def _unstorable(value: object) -> tuple[str, str] | None:
    """Why a compiled test set cannot hold the value (code, detail), or None."""
    try:
        msgspec.msgpack.encode(value)
    except OverflowError:
        return "bad_number", "must not hold numbers beyond 64 bits"
    except UnicodeEncodeError:
        return "not_unicode", "must not hold half of a surrogate pair, which is no text"
    return None


def _check_database(
    name: str, database: Database, variants: list[Variant], problems: ProblemList
) -> None:
    scenario = next(v.scenario for v in variants if v.database == name)
    fault = _unstorable(database)
    if fault is not None:
        _refuse(problems, fault[0], f"databases/{name}.json", fault[1])
        return
    try:
        SCENARIOS[scenario].load(database)
    except BadDatabase as bad:
        file = f"databases/{name}.json"
        _refuse(problems, "bad_database", file, bad.detail, bad.path)
