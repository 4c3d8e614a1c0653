"""All reference submissions, every field of every row, and the aggregates (spec 8)."""

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evaluation.egobench import SUITE
from evaluation.egobench.compiled import Compiled
from evaluation.egobench.testset import TestSet
from evaluation.reading import open_upload
from evaluation.tables import InstanceTable
from tests.evaluation.egobench.building import RESOURCES

HERE = Path(__file__).resolve().parents[3].parent / "shared" / "data"
ORACLE = Path(os.environ.get("EGOBOARD_SHARED_DATA", HERE)) / "egobench" / "oracle"
NAMES = sorted(path.stem for path in ORACLE.glob("submissions/*.json")) or ["none"]
FIELDS = (
    "matches",
    "total_gt_calls",
    "total_calls",
    "tool_success",
    "result_success",
    "joint_success",
)
THEIRS = {"perception": "multimodal"}  # our names of errors, and theirs
PAPERS = {
    "syntax": "c1_syntax",
    "multimodal": "c2_perception",
    "hallucination": "c3_hallucination",
    "logic": "c4_logic",
    "memory": "c4_logic",
    "over_operation": "c5_over_operation",
}


@pytest.fixture(scope="module")
def test_set(shared_data: Path) -> TestSet:
    return SUITE.read_annotations(open_upload(shared_data / "egobench"))


@pytest.fixture(scope="module")
def compiled(test_set: TestSet) -> Compiled:
    return SUITE.compile(test_set)


def score(name: str, test_set: TestSet, compiled: Compiled) -> InstanceTable:
    """A reference submission over all tasks of the files that it contains."""
    path = ORACLE / f"submissions/{name}.json"
    manifest = SUITE.make_manifest(test_set)
    submission = SUITE.read_predictions(open_upload(path), manifest)
    chosen = SUITE.select(test_set, SUITE.submitted(submission, test_set))
    wanted = {
        f"{variant}_{mode}/{task}"
        for variant, modes in SUITE.make_manifest(chosen).variants.items()
        for mode, tasks in modes.items()
        for task in tasks
    }
    ids = SUITE.instance_ids(compiled)
    rows = [row for row, instance in enumerate(ids) if instance in wanted]
    return SUITE.score(compiled, submission, rows, RESOURCES)


def error_type(table: InstanceTable, row: int) -> str:
    """The error by the released script's names."""
    ours = str(table.details["sub_error"][row] or table.error(row))
    return THEIRS.get(ours, ours)


@pytest.mark.parametrize("name", NAMES)
def test_a_reference_submission_scores_as_expected(
    name: str, test_set: TestSet, compiled: Compiled
) -> None:
    expected = json.loads((ORACLE / f"expected/{name}.json").read_text())
    table = score(name, test_set, compiled)
    places = {instance: row for row, instance in enumerate(table.ids)}
    for row in expected["tasks"]:
        target = {**row, **row.get("recommended", {})}
        place = places[row["task"]]
        got = {field: table.details[field][place] for field in FIELDS}
        got["error_type"] = error_type(table, place)
        got["error_type_paper"] = PAPERS.get(got["error_type"], got["error_type"])
        assert got == {field: target[field] for field in got}, row["task"]
    check_aggregates(table, expected["aggregates_recommended"])


def check_aggregates(table: InstanceTable, expected: dict[str, Any]) -> None:
    files = [instance.split("/")[0] for instance in table.ids]
    groups = {"files": files, "scenarios": table.tags["scenario"]}
    for kind, keys in groups.items():
        assert set(keys) == set(expected[kind])
        for key, target in expected[kind].items():
            chosen = [row for row, k in enumerate(keys) if k == key]
            check(summary(table, chosen), target)
    check(summary(table, list(range(len(table)))), expected["overall"])


def check(got: dict[str, Any], target: dict[str, Any]) -> None:
    """Counts are equal; rates differ by no more than rounding does."""
    assert got.keys() == target.keys()
    for key, value in target.items():
        assert got[key] == (pytest.approx(value) if key[0].isupper() else value), key


def summary(table: InstanceTable, rows: list[int]) -> dict[str, Any]:
    def rate(metric: str) -> float:
        top, bottom = table.numerators[metric], table.denominators[metric]
        return float(top[rows].sum() / bottom[rows].sum() / 100)

    errors = Counter(error_type(table, row) for row in rows)
    papers = Counter[str]()
    for error, count in errors.items():
        papers[PAPERS.get(error, error)] += count
    tallies = {
        name: int(np.sum([table.details[field][row] for row in rows]))
        for name, field in (
            ("gt_calls", "total_gt_calls"),
            ("matches", "matches"),
            ("tool", "tool_success"),
            ("result", "result_success"),
            ("joint", "joint_success"),
        )
    }
    rates = {
        "ToolSucc": rate("tool_succ"),
        "MicroAcc": rate("micro_acc"),
        "ResultSucc": rate("result_succ"),
        "JointSucc": rate("joint_succ"),
    }
    counts = {"errors": dict(errors), "errors_paper": dict(papers)}
    return {"tasks": len(rows), **tallies, **rates, **counts}


def test_the_reference_is_complete(shared_data: Path) -> None:
    rows = [
        len(json.loads(path.read_text())["tasks"])
        for path in (shared_data / "egobench/oracle/expected").glob("*.json")
    ]
    assert (len(rows), sum(rows)) == (71, 10_242)


def test_the_hidden_loader_cannot_wipe_out_harmful_writes(
    test_set: TestSet, compiled: Compiled
) -> None:
    """`init_from_json` is an attribute of the released store, not a declared tool.

    The released script calls it, so that these 30 tasks count as correct there (Q4).
    Here the call does nothing (P5): the earlier harmful write stays, and the state
    differs.
    """
    table = score("reset_exploit", test_set, compiled)
    answered = [row for row in range(len(table)) if table.error(row) != "missing"]
    assert len(answered) == 30
    assert not any(table.details["result_success"][row] for row in answered)
    assert all(table.details["tool_success"][row] for row in answered)


def test_internal_names_are_no_tools_and_do_no_harm(
    test_set: TestSet, compiled: Compiled
) -> None:
    """`__init__` and the like are attributes too; in the released script they break
    the store, so that 28 of these perfect trajectories fail. Here they are unknown
    tools (P5): extra calls that do nothing and cost nothing."""
    expected = json.loads((ORACLE / "expected/internal_tool.json").read_text())
    broken = [row for row in expected["tasks"] if not row["joint_success"]]
    table = score("internal_tool", test_set, compiled)
    places = {instance: row for row, instance in enumerate(table.ids)}
    assert len(broken) == 28
    rows = [places[row["task"]] for row in broken]
    assert all(table.details["joint_success"][row] for row in rows)
