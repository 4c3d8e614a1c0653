"""What must hold for any submission: order of files, entries, reads and keys is moot."""

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evaluation.egobench import SUITE
from evaluation.egobench.compiled import Compiled, CompiledTask
from evaluation.egobench.lint import lint
from evaluation.egobench.matching import GoalCall, covered
from evaluation.egobench.runs import Trajectory
from evaluation.egobench.scenarios import SCENARIOS
from evaluation.egobench.state import identical
from evaluation.egobench.submissions import Submission
from evaluation.egobench.testset import MODES, TestSet
from evaluation.egobench.tidying import tidied
from evaluation.reading import open_upload
from evaluation.suite import Coverage
from tests.evaluation.egobench.building import RESOURCES, SAMPLES, task, write_test_set
from tests.evaluation.egobench.test_scoring import add

AGENTS = ("careful-agent", "hasty-agent", "eager-agent", "lost-agent")
FEW = settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@pytest.fixture(scope="module")
def test_set() -> TestSet:
    return SUITE.read_annotations(open_upload(SAMPLES / "testset"))


@pytest.fixture(scope="module")
def compiled(test_set: TestSet) -> Compiled:
    return SUITE.compile(test_set)


@pytest.fixture(scope="module")
def contents() -> dict[str, dict[str, Any]]:
    """The sample submissions as JSON values: agent, file, entries."""
    return {
        agent: {
            Path(member.name).stem: json.loads(member.read())
            for member in open_upload(SAMPLES / f"{agent}.zip").members()
        }
        for agent in AGENTS
    }


def details(compiled: Compiled, submission: Submission) -> dict[str, Any]:
    """Everything about a submission's instances but the reasons, which name positions."""
    rows = range(len(SUITE.instance_ids(compiled)))
    table = SUITE.score(compiled, submission, rows, RESOURCES)
    kept = {key: value for key, value in table.details.items() if key != "reason"}
    return {**kept, "error": [table.error(row) for row in rows]}


def read(folder: Path, content: Any, test_set: TestSet) -> Submission:
    path = folder / "joined.json"
    path.write_text(json.dumps({"submission": content}))
    return SUITE.read_predictions(open_upload(path), SUITE.make_manifest(test_set))


def shuffled_keys(value: Any, chance: random.Random) -> Any:
    if isinstance(value, dict):
        keys = list(value)
        chance.shuffle(keys)
        return {key: shuffled_keys(value[key], chance) for key in keys}
    if isinstance(value, list):
        return [shuffled_keys(element, chance) for element in value]
    return value


def shuffled_reads(entry: Any, reads: frozenset[str], chance: random.Random) -> Any:
    """The entry with its calls to reading tools among its other calls anew."""
    turns = entry["tool_calls"]
    is_read = [turn["calls"][0].get("tool_name") in reads for turn in turns]
    loose = [turn for turn, loosened in zip(turns, is_read, strict=True) if loosened]
    fixed = [
        turn for turn, loosened in zip(turns, is_read, strict=True) if not loosened
    ]
    for turn in loose:
        fixed.insert(chance.randrange(len(fixed) + 1), turn)
    return {**entry, "tool_calls": fixed}


@FEW
@given(agent=st.sampled_from(AGENTS), seed=st.integers())
def test_no_order_that_does_not_count_changes_anything(
    tmp_path: Path,
    test_set: TestSet,
    compiled: Compiled,
    contents: dict[str, dict[str, Any]],
    agent: str,
    seed: int,
) -> None:
    content, chance = contents[agent], random.Random(seed)  # noqa: S311
    before = details(compiled, read(tmp_path, content, test_set))
    names = list(content)
    chance.shuffle(names)
    mixed = {}
    for name in names:
        entries = [shuffled_keys(entry, chance) for entry in content[name]]
        reads = SCENARIOS[scenario_of(test_set, name)].tools.reading()
        entries = [shuffled_reads(entry, reads, chance) for entry in entries]
        chance.shuffle(entries)
        mixed[name] = entries
    assert details(compiled, read(tmp_path, mixed, test_set)) == before


def scenario_of(test_set: TestSet, name: str) -> str:
    variant = name.rpartition("_")[0]
    return next(v.scenario for v in test_set.variants if v.name == variant)


@FEW
@given(agent=st.sampled_from(AGENTS), data=st.data())
def test_a_read_call_more_never_changes_the_end_state(
    tmp_path: Path,
    test_set: TestSet,
    compiled: Compiled,
    contents: dict[str, dict[str, Any]],
    agent: str,
    data: st.DataObject,
) -> None:
    content = contents[agent]
    before = details(compiled, read(tmp_path, content, test_set))
    more = {}
    for name, entries in content.items():
        tools = SCENARIOS[scenario_of(test_set, name)].tools
        tool = data.draw(st.sampled_from(sorted(tools.reading())))
        words = st.sampled_from(["", "a", "guest_11", 3, None, [], {}])
        given_values = {name: data.draw(words) for name in sorted(tools[tool].accepted)}
        turn = {"calls": [{"tool_name": tool, "parameters": given_values}]}
        place = data.draw(st.integers(0, 3))
        more[name] = [
            {
                **e,
                "tool_calls": [
                    *e["tool_calls"][:place],
                    turn,
                    *e["tool_calls"][place:],
                ],
            }
            for e in entries
        ]
    after = details(compiled, read(tmp_path, more, test_set))
    assert after["result_success"] == before["result_success"]


def ground_truth(compiled: Compiled) -> Submission:
    """Every task answered by its own ground truth, in every mode."""

    def run(one: CompiledTask) -> Trajectory:
        calls = [{"tool_name": c.tool, "parameters": c.parameters} for c in one.calls]
        return Trajectory(calls=calls, syntax=None if calls else "no tool calls")

    files = {
        f"{variant.name}_{mode}": {one.id: run(one) for one in variant.tasks}
        for variant in compiled.variants
        for mode in MODES
    }
    return Submission(files=files, coverage=Coverage())


def failures(test_set: TestSet) -> set[str]:
    """Tasks, by place, whose ground truth does not pass against itself."""
    compiled = SUITE.compile(test_set)
    rows = range(len(SUITE.instance_ids(compiled)))
    table = SUITE.score(compiled, ground_truth(compiled), rows, RESOURCES)
    places = {
        f"{variant.name}/{one.id}": one.place
        for variant in test_set.variants
        for one in variant.tasks
    }
    return {
        places[table.clusters[row]] for row in rows if table.error(row) != "correct"
    }


def impossible(test_set: TestSet) -> set[str]:
    return {finding.place for finding in lint(test_set) if finding.code == "impossible"}


def test_ground_truth_is_correct_except_where_lint_says_impossible(
    tmp_path: Path, test_set: TestSet
) -> None:
    assert failures(test_set) == impossible(test_set) == set()
    database = test_set.databases["retail91"]
    odd: Sequence[Any] = [
        task(add()),
        task(task_id=2),
        task(add(user=None), task_id=3),
        task(("get_taste", {"product_name": "x"}), task_id=4),
    ]
    path = write_test_set(tmp_path, {"retail91": list(odd)}, {"retail91": database})
    broken = SUITE.read_annotations(open_upload(path))
    found = [f for f in lint(broken) if f.code == "impossible"]
    assert failures(broken) == impossible(broken)
    assert ["no calls" in found[0].detail, len(found)] == [True, 2]
    assert "over_operation" in found[1].detail


def test_the_reference_ground_truth_is_correct_too(shared_data: Path) -> None:
    reference = SUITE.read_annotations(open_upload(shared_data / "egobench"))
    assert failures(reference) == impossible(reference)


def test_scoring_in_shards_gives_the_same_rows(
    test_set: TestSet, compiled: Compiled
) -> None:
    submission = ground_truth(compiled)
    rows = list(range(90))
    whole = SUITE.score(compiled, submission, rows, RESOURCES)
    parts = [
        SUITE.score(compiled, submission, rows[n : n + 7], RESOURCES)
        for n in range(0, 90, 7)
    ]
    assert whole.ids == tuple(i for part in parts for i in part.ids)
    assert whole.ids == tuple(SUITE.instance_ids(compiled))
    reversed_rows = SUITE.score(compiled, submission, rows[::-1], RESOURCES)
    assert reversed_rows.ids == whole.ids[::-1]


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 5)
    | st.floats(-5, 5)
    | st.sampled_from(["", "a", " A", "2", "b"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["product_name", "quantity", "x"]), inner, max_size=3
        )
    ),
    max_leaves=8,
)


@settings(max_examples=200, deadline=None)
@given(value=st.dictionaries(st.sampled_from(["product_name", "products", "x"]), JSON))
def test_tidy_parameters_match_themselves_and_stay_tidy(
    compiled: Compiled, value: dict[str, Any]
) -> None:
    tidy = tidied(value)
    assert json.dumps(tidied(tidy)) == json.dumps(tidy)
    stage = next(compiled.stage(v) for v in compiled.variants if v.name == "retail91")
    plain, strict = (
        covered(
            [GoalCall(tool="t", parameters=tidy, is_plain=is_plain)],
            {"t": [(0, tidied(json.loads(json.dumps(value))))]},
            stage.equality,
        )
        for is_plain in (True, False)
    )
    assert plain == strict == [0], "the short way agrees with the long one"


@settings(max_examples=200, deadline=None)
@given(a=JSON, b=JSON)
def test_identical_values_are_those_with_the_same_canonical_json(
    a: Any, b: Any
) -> None:
    def canonical(value: Any) -> str:
        return json.dumps(normalised(value), sort_keys=True)

    assert identical(a, b) is (canonical(a) == canonical(b))


def normalised(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: normalised(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [normalised(element) for element in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def test_a_later_task_never_sees_an_earlier_ones_writes(
    test_set: TestSet, compiled: Compiled
) -> None:
    submission = ground_truth(compiled)
    rows = range(90)
    first = SUITE.score(compiled, submission, rows, RESOURCES)
    again = SUITE.score(compiled, replace(submission), rows, RESOURCES)
    assert first.details == again.details
