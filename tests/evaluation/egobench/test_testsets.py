"""Reading, selecting, compiling and packing test sets."""

import copy
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from evaluation import artifacts
from evaluation.egobench import SUITE
from evaluation.egobench.testset import TestSet
from evaluation.problems import InvalidUpload, Problem
from evaluation.reading import open_upload
from tests.evaluation.egobench.building import (
    RESOURCES,
    SAMPLES,
    database,
    task,
    write_test_set,
)

CLEAR = ("clear_cart", {"user_id": "mira_204"})


@pytest.fixture(scope="module")
def samples() -> TestSet:
    return SUITE.read_annotations(open_upload(SAMPLES / "testset"))


def ids(test_set: TestSet) -> list[str]:
    return list(SUITE.instance_ids(SUITE.compile(test_set)))


def problems(
    folder: Path, tasks: dict[str, Any], databases: Any = None
) -> list[Problem]:
    content = {"retail91": database("retail")} if databases is None else databases
    path = write_test_set(folder, tasks, content)
    with pytest.raises(InvalidUpload) as caught:
        SUITE.read_annotations(open_upload(path))
    return caught.value.problems


def test_a_zip_with_a_folder_inside_reads_like_the_directory(
    tmp_path: Path, samples: TestSet
) -> None:
    shutil.copytree(SAMPLES / "testset", tmp_path / "set/hidden")
    packed = shutil.make_archive(str(tmp_path / "packed"), "zip", tmp_path / "set")
    assert ids(SUITE.read_annotations(open_upload(Path(packed)))) == ids(samples)


def test_instances_are_in_natural_order_of_files_then_modes(samples: TestSet) -> None:
    found = ids(samples)
    assert len(found) == 90
    assert found[:6] == [f"kitchen91_easy/{n}" for n in range(1, 6)] + [
        "kitchen91_hard/1"
    ]


@pytest.mark.parametrize(
    ("value", "code", "path"),
    [
        (5, "wrong_type", "[0]"),
        ({"ground_truth": []}, "bad_id", "[0]"),
        ({"task_id": "1", "ground_truth": []}, "bad_id", "[0]"),
        ({"task_id": True, "ground_truth": []}, "bad_id", "[0]"),
        ({"task_id": 1}, "wrong_type", "[0].ground_truth"),
        (task(CLEAR, value=[1]), "wrong_type", "[0].value"),
        (task(("", {})), "bad_call", "[0].ground_truth[0]"),
        (
            {"task_id": 1, "ground_truth": [{"tool_name": "a", "parameters": []}]},
            "bad_call",
            "[0].ground_truth[0]",
        ),
        (task(("clear_cart", {"user_id": 2**70})), "bad_number", "[0].ground_truth[0]"),
    ],
)
def test_odd_tasks_are_told_with_their_place(
    tmp_path: Path, value: Any, code: str, path: str
) -> None:
    found = problems(tmp_path, {"retail91": [value]})[0]
    assert (found.code, found.file, found.path) == (code, "tasks/retail91.json", path)


def test_odd_files_are_told(tmp_path: Path) -> None:
    def code(name: str, tasks: dict[str, Any], databases: Any = None) -> str:
        return problems(tmp_path / name, tasks, databases)[0].code

    assert code("none", {}) == "no_tasks"
    assert code("empty", {"retail91": []}) == "wrong_type"
    assert code("object", {"retail91": {}}) == "wrong_type"
    assert code("twice", {"retail91": [task(CLEAR), task(CLEAR)]}) == "duplicate_id"
    assert code("lonely", {"kitchen91": [task(CLEAR)]}) == "no_database"
    there = {"garden1": {}}
    assert code("unknown", {"garden1": [task(CLEAR)]}, there) == "unknown_scenario"
    numberless = {"retail": database("retail")}
    assert code("named", {"retail": [task(CLEAR)]}, numberless) == "unknown_scenario"
    assert code("array", {"retail91": [task(CLEAR)]}, {"retail91": []}) == "wrong_type"


def test_a_broken_database_is_told_with_its_place(tmp_path: Path) -> None:
    broken = copy.deepcopy(database("retail"))
    broken["products"][2]["name"] = 5
    found = problems(tmp_path, {"retail91": [task(CLEAR)]}, {"retail91": broken})[0]
    assert (found.code, found.path) == ("bad_database", "products[2]")
    assert found.file == "databases/retail91.json"


def test_a_selection_chooses_ids_and_modes(samples: TestSet) -> None:
    chosen = SUITE.select(
        samples,
        {"retail92": {"ids": [2, 4], "modes": ["easy"]}, "kitchen91": {"ids": [1]}},
    )
    assert ids(chosen) == [
        "kitchen91_easy/1",
        "kitchen91_hard/1",
        "kitchen91_static/1",
        "retail92_easy/2",
        "retail92_easy/4",
    ]
    listed = SUITE.select(samples, ["retail92_hard/3", "kitchen91_easy/1"])
    assert ids(listed) == ["kitchen91_easy/1", "retail92_hard/3"]
    assert ids(SUITE.select(chosen, {"retail92": {}})) == [
        "retail92_easy/2",
        "retail92_easy/4",
    ]


def test_a_selection_can_lie_in_the_test_set(tmp_path: Path) -> None:
    shutil.copytree(SAMPLES / "testset", tmp_path / "set")
    path = tmp_path / "set/selection.json"
    path.write_text(json.dumps({"retail92": {"modes": ["static"]}}))
    found = SUITE.read_annotations(open_upload(tmp_path / "set"))
    assert ids(found) == [f"retail92_static/{n}" for n in range(1, 6)]
    path.write_text("[1]")
    with pytest.raises(InvalidUpload):
        SUITE.read_annotations(open_upload(tmp_path / "set"))
    path.write_text('{"retail92": {"modes": 5}}')
    with pytest.raises(InvalidUpload):
        SUITE.read_annotations(open_upload(tmp_path / "set"))


@pytest.mark.parametrize(
    "selection",
    [
        {"retail7": {}},
        {"retail92": {"ids": [99]}},
        {"retail92": {"ids": [True]}},
        {"retail92": {"modes": ["slow"]}},
        {"retail92": {"tasks": [1]}},
        {"retail92": {"ids": [[1]]}},
        {"retail92": {"ids": 1}},
        {"retail92": {"modes": "easy"}},
        {"retail92": {"modes": [{}]}},
        {"retail92": [1]},
        [5],
        {},
        [],
        ["retail92"],
        ["retail92_easy/99"],
        ["retail7_easy/1"],
    ],
)
def test_a_selection_of_what_is_not_there_is_refused(
    samples: TestSet, selection: Any
) -> None:
    with pytest.raises(InvalidUpload) as caught:
        SUITE.select(samples, selection)
    assert caught.value.problems[0].code == "bad_selection"


def test_a_compiled_test_set_survives_packing_and_is_always_the_same_bytes(
    samples: TestSet,
) -> None:
    compiled = SUITE.compile(samples)
    packed = artifacts.pack(compiled)
    again = artifacts.unpack(packed, SUITE.compiled_type)
    assert artifacts.pack(again) == packed
    assert artifacts.pack(SUITE.compile(samples)) == packed
    manifest = SUITE.make_manifest(samples)
    path = SAMPLES / "eager-agent.zip"
    answers = SUITE.read_predictions(open_upload(path), manifest)
    tables = [
        SUITE.score(one, answers, range(90), RESOURCES) for one in (compiled, again)
    ]
    assert tables[0].details == tables[1].details
    assert artifacts.pack(again) == packed, "what is prepared lazily is not packed"


def test_the_manifest_holds_no_answers(samples: TestSet) -> None:
    text = artifacts.pack(SUITE.make_manifest(samples)).decode("latin-1")
    assert "retail91" in text
    assert "cart" not in text
    assert "crackers" not in text.lower()
