"""Reading submissions: formats, pairing, coverage, and what is refused and where."""

import gzip
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from evaluation.egobench import SUITE
from evaluation.egobench.submissions import Submission
from evaluation.egobench.testset import Manifest
from evaluation.egobench.trajectories import MAX_CALLS
from evaluation.problems import InvalidUpload, Problem
from evaluation.reading import open_upload
from tests.evaluation.egobench.building import entry

MANIFEST = Manifest(variants={"retail91": {"easy": [1, 2], "hard": [1, 2]}})
ASK = ("get_price", {"product_name": "x"})


def read(path: Path, manifest: Manifest | None = MANIFEST) -> Submission:
    return SUITE.read_predictions(open_upload(path), manifest)


def read_text(folder: Path, text: str | bytes, name: str = "retail91_easy.json") -> Any:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read(path)


def refusals(
    folder: Path, text: str | bytes, name: str = "retail91_easy.json"
) -> list[Problem]:
    with pytest.raises(InvalidUpload) as caught:
        read_text(folder, text, name)
    return caught.value.problems


def files(*names: str) -> dict[str, Any]:
    return {name: [entry(ASK), entry(ASK, task_id=2)] for name in names}


BOTH = files("retail91_easy", "retail91_hard")


def test_directory_zip_and_joined_objects_read_alike(tmp_path: Path) -> None:
    folder, packed = tmp_path / "files", tmp_path / "files.zip"
    (folder / "run").mkdir(parents=True)
    with zipfile.ZipFile(packed, "w") as archive:
        for name, entries in BOTH.items():
            (folder / "run" / f"{name}.json").write_text(json.dumps(entries))
            archive.writestr(f"my-model/{name}.json", json.dumps(entries))
    bare, joined, squeezed = (tmp_path / n for n in ("a.json", "b.json", "c.json.gz"))
    bare.write_text(json.dumps(BOTH))
    joined.write_text(json.dumps({"name": "x", "submission": BOTH}))
    squeezed.write_bytes(gzip.compress(json.dumps(BOTH).encode()))
    found = [read(path) for path in (folder, packed, bare, joined, squeezed)]
    assert all(one.files == found[0].files for one in found)
    assert found[0].coverage.answered == 4
    assert found[0].coverage.expected == 4


def test_coverage_counts_what_is_missing_invalid_unknown_and_duplicate(
    tmp_path: Path,
) -> None:
    entries = [
        entry(ASK),
        entry(ASK),
        {"task_id": 2, "tool_calls": None},
        entry(task_id=9),
        entry(task_id="1"),
    ]
    found = read_text(tmp_path, json.dumps(entries))
    coverage = found.coverage
    assert (coverage.expected, coverage.answered, coverage.missing) == (4, 1, 2)
    assert (coverage.invalid, coverage.unknown, coverage.duplicate) == (1, 2, 1)
    assert [notice.code for notice in found.notices] == [
        "duplicate_task",
        "unknown_task",
        "unknown_task",
    ]
    assert found.notices[0].path == "[1]"


def test_files_that_do_not_count_are_told(tmp_path: Path) -> None:
    names = ("retail91_easy", "retail91_static", "kitchen7_easy")
    for name, entries in files(*names).items():
        (tmp_path / f"{name}.json").write_text(json.dumps(entries))
    (tmp_path / "summary.json").write_text('{"score": 1}')
    (tmp_path / "notes.json").write_text("[1]")
    (tmp_path / "README.md").write_text("hello")
    found = read(tmp_path)
    told = {(notice.code, notice.file) for notice in found.notices}
    assert ("unknown_file", "retail91_static.json") in told
    assert ("unknown_file", "kitchen7_easy.json") in told
    ignored = {file for code, file in told if code == "ignored_file"}
    assert ignored == {"summary.json", "notes.json", "README.md"}
    assert found.coverage.answered == 2


def test_without_a_test_set_only_the_form_is_checked(tmp_path: Path) -> None:
    path = tmp_path / "kitchen7_easy.json"
    path.write_text(json.dumps([entry(ASK, task_id=99)]))
    coverage = read(path, None).coverage
    assert (coverage.expected, coverage.answered, coverage.unknown) == (1, 1, 0)


def test_dialogues_and_results_are_skipped_whatever_they_hold(tmp_path: Path) -> None:
    odd = {"dialogue": [{"tool_calls": 1, "task_id": 7}] * 2, "mode": {"calls": [1]}}
    turn = {
        "calls": [{"tool_name": "a", "parameters": {}}],
        "results": [{"calls": 1}, {"calls": 2, "call": 3}],
    }
    found = read_text(
        tmp_path, json.dumps([{**odd, "task_id": 1, "tool_calls": [turn]}])
    )
    trajectory = found.files["retail91_easy"][1]
    assert trajectory is not None
    assert trajectory.calls == [{"tool_name": "a", "parameters": {}}]


CALL = '{"tool_name": "a", "parameters": {}}'


@pytest.mark.parametrize(
    ("text", "code", "path", "line"),
    [
        ('[\n{"task_id": 1,}]', "invalid_json", None, 2),
        ("[NaN]", "invalid_json", None, 1),
        ('{"task_id": 1}', "wrong_type", None, None),
        ('[{"task_id": 1, "task_id": 2}]', "duplicate_key", "[0]", None),
        ('[{"tool_calls": [], "tool_calls": []}]', "duplicate_key", "[0]", None),
        (
            f'[{{"tool_calls": [{{"calls": [], "calls": [{CALL}]}}]}}]',
            "duplicate_key",
            "[0].tool_calls[0]",
            None,
        ),
        (
            '[{"tool_calls": [{"calls": [{"tool_name": "a", "parameters": {"x": 1, "x": 2}}]}]}]',
            "duplicate_key",
            "[0].tool_calls[0].calls",
            None,
        ),
        (
            '[{}, {"tool_calls": [{"call": ' + "[" * 80 + "]" * 80 + "}]}]",
            "too_deep",
            "[1].tool_calls[0].call",
            None,
        ),
        ("[" * 5000 + "]" * 5000, "too_deep", None, None),
    ],
)
def test_what_is_refused_is_told_with_its_place(
    tmp_path: Path, text: str, code: str, path: str | None, line: int | None
) -> None:
    found = refusals(tmp_path, text)[0]
    assert (found.code, found.path, found.line) == (code, path, line)
    assert found.file == "retail91_easy.json"


def test_text_that_is_not_utf_8_is_refused_where_it_counts(tmp_path: Path) -> None:
    text = b'[{"tool_calls": [{"calls": [{"tool_name": "\xff", "parameters": {}}]}]}]'
    found = refusals(tmp_path, text)[0]
    assert (found.code, found.path) == ("invalid_json", "[0].tool_calls[0].calls")


def test_every_problem_is_reported_not_only_the_first(tmp_path: Path) -> None:
    bad = '{"task_id": 1, "task_id": 1}'
    assert len(refusals(tmp_path, f"[{bad}, {bad}, {bad}]")) == 3


def test_too_many_calls_are_refused(tmp_path: Path) -> None:
    calls = [{"tool_name": "a", "parameters": {}}] * (MAX_CALLS + 1)
    entries = [{"task_id": 1, "tool_calls": [{"calls": calls}]}]
    found = refusals(tmp_path, json.dumps(entries))[0]
    assert (found.code, found.path) == ("too_many_calls", "[0].tool_calls")


def test_calls_of_a_task_have_a_size(tmp_path: Path) -> None:
    call = {"tool_name": "a" * 500_000, "parameters": {}}
    found = refusals(tmp_path, json.dumps([{"tool_calls": [{"call": call}] * 3}]))[0]
    assert found.code == "too_long"


def test_joined_keys_must_not_repeat(tmp_path: Path) -> None:
    text = '{"retail91_easy": [], "retail91_easy": []}'
    assert refusals(tmp_path, text, "all.json")[0].code == "duplicate_key"
    text = '{"submission": {"retail91_easy": [{"mode": {"retail91_easy": 1}}]}}'
    assert read_text(tmp_path, text, "all.json").coverage.answered == 1


def test_a_file_must_not_come_twice(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "retail91_easy.json").write_text("[]")
    with pytest.raises(InvalidUpload) as caught:
        read(tmp_path)
    assert caught.value.problems[0].code == "duplicate_file"


@pytest.mark.parametrize("name", ["results.txt", "notes.json"])
def test_an_upload_without_result_files_is_refused(tmp_path: Path, name: str) -> None:
    assert refusals(tmp_path, "[]", name)[0].code == "no_results"


LONG = 5 * 1024 * 1024


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[" + "{}," * (LONG // 3) + "{}]", "holds more than 20000 elements"),
        ("[" + "0," * (LONG // 2) + "0]", "Expected `object`"),
        (
            '[{"tool_calls":[' + "{}," * (LONG // 3) + "{}]}]",
            "holds more than 5000 elements",
        ),
    ],
    ids=["entries", "numbers", "turns"],
)
def test_a_long_file_of_tiny_things_is_refused_before_it_is_built(
    tmp_path: Path, text: str, told: str
) -> None:
    assert told in refusals(tmp_path, text)[0].detail


def test_a_long_joined_object_of_tiny_things_is_refused(tmp_path: Path) -> None:
    many = ",".join(f'"k{n}":[]' for n in range(LONG // 8))
    for text in ("{" + many + "}", '{"submission":{' + many + "}}"):
        found = refusals(tmp_path, text, "all.json")[0]
        assert "holds more than 1000 elements" in found.detail


def test_a_long_dialogue_is_no_obstacle(tmp_path: Path) -> None:
    long = [entry(ASK, dialogue="x" * LONG, rounds_count=[1] * 50_000)]
    for name, value in (
        ("retail91_easy.json", long),
        ("all.json", {"retail91_easy": long}),
        ("wrapped.json", {"name": "x", "submission": {"retail91_easy": long}}),
    ):
        (tmp_path / name).mkdir()
        found = read_text(tmp_path / name, json.dumps(value), name)
        trajectory = found.files["retail91_easy"][1]
        assert trajectory is not None
        assert (len(trajectory.calls), trajectory.rounds) == (1, None)
