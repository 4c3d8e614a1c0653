"""What is refused, with which code and line, and in which words."""

import gzip
import json
import zipfile

import pytest

from evaluation.problems import InvalidUpload
from evaluation.reading import open_upload
from evaluation.svcbench import SUITE
from tests.evaluation.svcbench.building import annotations, lines, predictions, question

ROWS = question([1, 2, 3]) + question([4], question_id="0546", first_q_id=2231)
RIGHT = {"q_id": "0000", "id": "0001", "query_index": 0, "query_time": 1.5}
UNI = {"id": "0001", "query_times": [1.5, 11.5], "predictions": [1, 2]}


def refused(given, rows=ROWS):
    with pytest.raises(InvalidUpload) as caught:
        predictions(given, rows)
    return caught.value


def only(given, rows=ROWS):
    error = refused(given, rows)
    assert error.total == 1
    return error.problems[0]


@pytest.mark.parametrize(
    ("row", "code", "words"),
    [
        ([1], "not_an_object", "must be a JSON object"),
        ("text", "not_an_object", 'got "text"'),
        ({"id": "0001", "predictions": []}, "mixed_formats", "one format"),
        ({"prediction": 1}, "unknown_q_id", "has no q_id"),
        ({"q_id": 546}, "unknown_q_id", 'the number 546: 546, "546" and "0546"'),
        ({"q_id": 2231}, "unknown_q_id", 'did you mean "2231"?'),
        ({"q_id": "1"}, "unknown_q_id", 'did you mean "0001"?'),
        ({"q_id": None}, "unknown_q_id", "got null"),
        ({"q_id": ["0001"]}, "unknown_q_id", "got a list"),
        ({"q_id": "9999"}, "unknown_q_id", "not in the test set"),
        ({"q_id": "0000"}, "duplicate_q_id", "came before"),
        ({"q_id": "0001", "id": "0002"}, "id_mismatch", 'must be "0001"'),
        ({"q_id": "0001", "id": 1}, "id_mismatch", "must be a string"),
        ({"q_id": "0001", "id": None}, "id_mismatch", "got null"),
        (
            {"q_id": "0001", "id": "0001", "query_index": 2, "query_time": 0},
            "query_index_mismatch",
            "the number 1",
        ),
        ({"q_id": "0001", "query_index": True}, "query_index_mismatch", "got true"),
        ({"q_id": "0001", "query_index": "1"}, "query_index_mismatch", 'got "1"'),
        ({"q_id": "0001", "query_time": 11.6}, "query_time_mismatch", "11.5"),
        ({"q_id": "0001", "query_time": "11.5"}, "query_time_mismatch", "11.5"),
        ({"q_id": "0001", "query_time": 10**400}, "query_time_mismatch", "11.5"),
    ],
)
def test_a_raw_line_is_refused_with_its_first_fault(row, code, words):
    problem = only([RIGHT | {"prediction": 1}, row])
    assert (problem.code, problem.line) == (code, 2)
    assert words in problem.detail
    assert problem.file == "predictions.jsonl"


@pytest.mark.parametrize(
    ("row", "code", "words", "path"),
    [
        (7, "not_an_object", "the number 7", None),
        ({"q_id": "0000", "prediction": 1}, "mixed_formats", "no 'predictions'", None),
        ({"predictions": [1]}, "unknown_id", "has no id", None),
        ({"id": 546, "predictions": [1]}, "unknown_id", 'did you mean "0546"?', None),
        ({"id": "546", "predictions": [1]}, "unknown_id", "three things", None),
        ({"id": "0001", "predictions": []}, "duplicate_id", "came before", None),
        ({"id": "0546", "predictions": [1]}, "length_mismatch", "lists", None),
        (
            {"id": "0546", "query_times": [1.5], "predictions": [1, 2]},
            "length_mismatch",
            "has 1 query_times and 2 predictions",
            None,
        ),
        (
            {"id": "0546", "query_times": [1.5, 9], "predictions": [1, 2]},
            "unknown_query_time",
            "they are 1.5",
            "query_times[1]",
        ),
        (
            {"id": "0546", "query_times": [True], "predictions": [1]},
            "unknown_query_time",
            "true is no query time",
            "query_times[0]",
        ),
        (
            {"id": "0546", "query_times": [1.5, 1.5], "predictions": [1, 2]},
            "duplicate_query_time",
            "give each time once",
            "query_times[1]",
        ),
    ],
)
def test_a_unified_line_is_refused_with_its_first_fault(row, code, words, path):
    problem = only([UNI, row])
    assert (problem.code, problem.line, problem.path) == (code, 2, path)
    assert words in problem.detail


def test_lines_that_are_no_json_hide_all_other_faults():
    data = b'{"q_id": "9999"}\n{"q_id": "0000", "prediction": NaN}\n\n{"q_id": \n'
    error = refused(data)
    assert [(p.code, p.line) for p in error.problems] == [
        ("invalid_json", 2),
        ("invalid_json", 4),
    ]
    assert "NaN is not a JSON number" in error.problems[0].detail


def test_a_key_given_twice_is_refused():
    problem = only(b'{"q_id": "0000", "prediction": 1, "prediction": 2}\n')
    assert (problem.code, problem.line) == ("duplicate_key", 1)
    escaped = b'{"q_id": "0000", "prediction": 1, "predictio\\u006e": 2}\n'
    assert only(escaped).code == "duplicate_key"


def test_a_file_of_blank_lines_is_empty():
    for data in (b"", b"\n \n\t\r\n"):
        problem = only(data)
        assert (problem.code, problem.line) == ("empty", None)


def test_blank_lines_and_windows_line_ends_are_no_fault():
    data = b'\r\n{"q_id": "0000", "prediction": 1}\r\n  \r\n{"q_id": "0001", "pred": 2}'
    coverage = predictions(data, ROWS).coverage
    assert (coverage.answered, coverage.missing, coverage.expected) == (2, 2, 4)


def test_all_faulty_lines_are_counted_and_the_first_hundred_listed():
    error = refused([{"q_id": "x", "prediction": 1}] * 250)
    assert (error.total, len(error.problems)) == (250, 100)


def test_the_truth_in_a_submission_is_ignored():
    given = [RIGHT | {"prediction": 9, "count": 9, "ground_truth": 9, "gts": [9]}]
    assert predictions(given, ROWS).coverage.answered == 1


def test_a_present_null_does_not_fall_back_to_pred():
    given = [
        {"q_id": "0000", "prediction": None, "pred": 1},
        {"q_id": "0001", "pred": 1},
        {"q_id": "0002"},
    ]
    answers = predictions(given, ROWS)
    assert answers.unreadable == {"null": 2}
    notice = next(n for n in answers.notices if n.code == "unreadable_null")
    assert notice.line == 1
    assert "First lines: 1, 3" in notice.detail


def test_notices_tell_how_many_predictions_are_unreadable_and_why():
    given = [
        {"q_id": "0000", "prediction": "about five"},
        {"q_id": "0001", "prediction": True},
        {"q_id": "0002", "prediction": [5]},
    ]
    answers = predictions(given, ROWS)
    assert answers.unreadable == {"boolean": 1, "unparseable": 1, "wrong_type": 1}
    assert answers.coverage.invalid == 3
    assert {notice.code for notice in answers.notices} == {
        "unreadable_boolean",
        "unreadable_unparseable",
        "unreadable_wrong_type",
        "missing_prediction",
    }


def test_repeated_query_times_of_the_truth_are_filled_in_turn():
    rows = question([1, 2, 3])
    rows[1]["query_time"] = rows[0]["query_time"]
    given = [{"id": "0001", "query_times": [1.5, 1.5, 21.5], "predictions": [7, 8, 9]}]
    assert predictions(given, rows).values.tolist() == [7, 8, 9]


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ([{"q_id": 546, "prediction": 1}], "unknown_q_id"),
        ([{"q_id": "1"}, {"q_id": "1"}], "duplicate_q_id"),
        ([{"q_id": "1", "id": 5, "prediction": 1}], "id_mismatch"),
        ([{"q_id": "1", "query_index": "0"}], "query_index_mismatch"),
        ([{"q_id": "1", "query_time": "1"}], "query_time_mismatch"),
        ([{"id": 5, "predictions": []}], "unknown_id"),
        ([UNI, UNI], "duplicate_id"),
        ([UNI | {"predictions": [1]}], "length_mismatch"),
        ([{"id": "1", "predictions": [1]}], "length_mismatch"),
        ([UNI | {"query_times": [1, "2"]}], "unknown_query_time"),
        ([UNI | {"query_times": [1, 1.0000001]}], "duplicate_query_time"),
        ([UNI, {"q_id": "1", "prediction": 1}], "mixed_formats"),
    ],
)
def test_without_a_manifest_the_form_is_still_checked(given, code):
    assert only(given, rows=None).code == code


def test_without_a_manifest_coverage_is_what_the_file_has():
    given = [{"q_id": "7", "prediction": 1}, {"q_id": "8", "prediction": "x"}]
    coverage = predictions(given, None).coverage
    assert (coverage.expected, coverage.answered, coverage.invalid) == (2, 1, 1)
    unified = predictions([UNI, UNI | {"id": "2"}], None).coverage
    assert (unified.expected, unified.answered) == (4, 4)


def test_a_zip_or_gz_of_one_file_is_read_like_the_file(tmp_path):
    data = lines([RIGHT | {"prediction": 3}])
    manifest = SUITE.make_manifest(annotations(ROWS))
    packed = tmp_path / "p.jsonl.gz"
    packed.write_bytes(gzip.compress(data))
    zipped = tmp_path / "p.zip"
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("run/predictions.jsonl", data)
        archive.writestr("__MACOSX/run/._predictions.jsonl", b"x")
    for path in (packed, zipped):
        answers = SUITE.read_predictions(open_upload(path), manifest)
        assert answers.values.tolist() == [3, 0, 0, 0]


def test_an_archive_of_several_files_needs_the_usual_name(tmp_path):
    path = tmp_path / "p.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.jsonl", b"{}")
        archive.writestr("b.jsonl", b"{}")
    with pytest.raises(InvalidUpload, match=r"one named predictions\.jsonl"):
        SUITE.read_predictions(open_upload(path), None)
    with zipfile.ZipFile(path, "a") as archive:
        row = json.dumps(RIGHT | {"prediction": 1})
        archive.writestr("predictions.jsonl", row)
    assert SUITE.read_predictions(open_upload(path), None).coverage.answered == 1


def test_a_line_without_end_is_refused_before_it_is_decoded(tmp_path):
    path = tmp_path / "predictions.jsonl"
    row = b'{"q_id":"0000","prediction":1}\n'
    path.write_bytes(row * 2 + b'{"id":"0001","predictions":[' + b"0," * (2 * 1024**2))
    with pytest.raises(InvalidUpload) as refused:
        SUITE.read_predictions(open_upload(path), None)
    problem = refused.value.problems[0]
    assert (problem.code, problem.line) == ("line_too_long", 3)
