"""Reading and linting a test set: every fault with its place, never with an answer."""

import json
import zipfile

import pytest

from evaluation import artifacts
from evaluation.problems import InvalidUpload
from evaluation.reading import open_upload
from evaluation.svcbench import SUITE
from evaluation.svcbench.annotations import Compiled, Manifest
from tests.evaluation.svcbench.building import annotations, lines, question

ROWS = question([1, 2]) + question(
    [5], question_id="0002", subtype="O1-Delta", first_q_id=2
)


def problems(rows):
    with pytest.raises(InvalidUpload) as caught:
        annotations(rows)
    return caught.value.problems


@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        ({"q_id": 3}, "wrong_value", "q_id must be a string"),
        ({"q_id": ""}, "wrong_value", "q_id"),
        ({"id": "\ud800"}, "wrong_value", "id"),
        ({"id": "a\x00"}, "wrong_value", "id"),
        ({"question": "a\x00"}, "wrong_value", "question"),
        ({"query_index": True}, "wrong_value", "query_index"),
        ({"query_index": -1}, "wrong_value", "query_index"),
        ({"query_time": "1"}, "wrong_value", "query_time"),
        ({"query_time": -0.5}, "wrong_value", "query_time"),
        ({"query_time": 10**400}, "wrong_value", "query_time"),
        ({"count": 2.5}, "wrong_value", "count must be an integer"),
        ({"count": -1}, "wrong_value", "count"),
        ({"count": None}, "wrong_value", "count"),
        ({"counting_subtype": "O3"}, "wrong_value", "one of O1-Snap"),
        ({"counting_type": "E1"}, "wrong_value", "'O2' for O2-Unique"),
        ({"video_path": ""}, "wrong_value", "video_path"),
    ],
)
def test_a_wrong_value_is_named_with_its_line(change, code, words):
    found = problems([ROWS[0], ROWS[1] | change, ROWS[2]])
    assert [(p.code, p.line) for p in found] == [(code, 2)]
    assert words in found[0].detail


def test_a_wrong_count_is_never_repeated():
    (found,) = problems([ROWS[0] | {"count": "secret-17"}])
    assert "secret" not in str(found)


def test_every_missing_key_is_named():
    row = {key: value for key, value in ROWS[0].items() if key[0] != "q"}
    found = problems([row])
    assert {p.code for p in found} == {"missing_key"}
    assert len(found) == 4


def test_rows_of_one_question_must_agree():
    found = problems([ROWS[0], ROWS[1] | {"video_path": "b.mp4", "question": "Else?"}])
    assert [(p.code, p.line) for p in found] == [("mixed_question", 2)] * 2


def test_query_indices_must_run_from_zero_without_a_gap():
    assert problems([ROWS[1]])[0].code == "query_index_gap"
    found = problems([ROWS[0], ROWS[1] | {"query_index": 0}])
    assert found[0].code == "duplicate_query_index"
    assert found[0].line == 2


def test_a_q_id_must_be_unique():
    (found,) = problems([ROWS[0], ROWS[1] | {"q_id": "0000"}])
    assert (found.code, found.line) == ("duplicate_q_id", 2)


def test_all_problems_are_found_at_once():
    found = problems([ROWS[0] | {"count": -1}, [], ROWS[2] | {"id": 7}])
    assert [(p.code, p.line) for p in found] == [
        ("wrong_value", 1),
        ("not_an_object", 2),
        ("wrong_value", 3),
    ]


def test_a_file_that_is_no_json_or_empty_is_refused():
    assert problems(b"{\n")[0].code == "invalid_json"
    assert problems(b"\n\n")[0].code == "empty"


def test_the_file_with_other_ids_is_recognised():
    (found,) = problems([{"id": "0000", "query_points": {"time": [1], "count": [2]}}])
    assert found.code == "wrong_file"
    assert "vcbench_eval.jsonl" in found.detail


def test_a_folder_or_zip_with_the_official_files_is_read(tmp_path):
    (tmp_path / "vcbench_data.jsonl").write_text("{}\n")
    (tmp_path / "vcbench_eval.jsonl").write_bytes(lines(ROWS))
    assert len(SUITE.read_annotations(open_upload(tmp_path)).questions) == 2
    packed = tmp_path / "both.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        for name in ("vcbench_data.jsonl", "vcbench_eval.jsonl"):
            archive.write(tmp_path / name, f"data/{name}")
    assert len(SUITE.read_annotations(open_upload(packed)).questions) == 2


def test_the_order_of_questions_is_that_of_the_file_and_of_points_query_index():
    found = annotations([ROWS[2], ROWS[1], ROWS[0]])
    assert [q.id for q in found.questions] == ["0002", "0001"]
    assert found.questions[1].q_ids == ("0000", "0001")
    assert found.questions[1].lines == (3, 2)


def test_the_manifest_holds_no_count_and_the_test_set_survives_packing():
    truth = annotations(ROWS)
    manifest, compiled = SUITE.make_manifest(truth), SUITE.compile(truth)
    assert set(Manifest.__struct_fields__) == {
        "q_ids",
        "ids",
        "query_index",
        "query_times",
        "left_out_q_ids",
        "left_out_ids",
    }
    assert artifacts.unpack(artifacts.pack(manifest), Manifest) == manifest
    packed = artifacts.pack(compiled)
    again = artifacts.unpack(packed, Compiled)
    assert artifacts.pack(again) == packed
    assert again.counts.tolist() == [1, 2, 5]


def test_a_selection_keeps_the_order_of_the_file_and_knows_its_ids():
    truth = annotations(ROWS)
    assert [q.id for q in SUITE.select(truth, ["0002", "0001"]).questions] == [
        "0001",
        "0002",
    ]
    for wrong in (["0002", "2"], [2], [], {"0001": {}}):
        with pytest.raises(InvalidUpload):
            SUITE.select(truth, wrong)


def codes(rows):
    return [finding.code for finding in SUITE.lint(annotations(rows))]


def test_lint_finds_nothing_in_a_clean_test_set():
    assert codes(ROWS) == []


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        (question([3, 2]), "count_falls"),
        (question([2, 2]), "count_stands"),
        (question([2]), "single_query_point"),
        (question([1, 2], subtype="O2-Gain"), "several_query_points"),
        ([ROWS[0], ROWS[2], ROWS[1]], "scattered_rows"),
        ([row | {"question": " "} for row in ROWS[:2]], "no_text"),
        ([ROWS[0] | {"query_time": 30}, ROWS[1]], "unsorted_times"),
        ([ROWS[0] | {"query_time": 11.5}, ROWS[1]], "repeated_time"),
        (
            question([1, 2]) + question([1, 2], question_id="0003", first_q_id=2),
            "repeated_question",
        ),
        ([*ROWS[:2], ROWS[2] | {"source_dataset": "attic"}], "two_sources"),
    ],
)
def test_lint_finds_each_kind_of_fault(rows, code):
    assert codes(rows) == [code]


def test_a_falling_count_blocks_activation_and_names_only_the_place():
    (finding,) = SUITE.lint(annotations(question([71, 93, 82])))
    assert finding.severity == "error"
    assert finding.place == "vcbench_eval.jsonl, line 3 (id 0001, query_index 2)"
    text = json.dumps(finding.detail)
    assert not any(answer in text for answer in ("71", "93", "82"))


def test_a_current_count_may_fall():
    assert codes(question([3, 2], subtype="O1-Snap")) == []
