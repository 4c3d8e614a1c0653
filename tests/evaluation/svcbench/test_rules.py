"""Rules of the protocol that the reference submissions cannot tell apart."""

import numpy as np
import pytest

from evaluation import artifacts
from evaluation.problems import InvalidUpload
from evaluation.reading import open_upload
from evaluation.svcbench import SUITE, form
from evaluation.svcbench import lines as reading
from evaluation.svcbench.baselines import staircase
from evaluation.svcbench.counts import Unreadable, read_count, read_counts
from evaluation.svcbench.draft import ANSWERED
from evaluation.svcbench.moments import Moments
from tests.evaluation.svcbench import building
from tests.evaluation.svcbench.building import (
    annotations,
    compiled,
    lines,
    predictions,
    question,
    raw,
    scored,
)

ROWS = question([1, 2, 2])  # at 1.5, 11.5 and 21.5 s
EXACT = 11.5


def code_of(given, rows=ROWS):
    with pytest.raises(InvalidUpload) as refused:
        predictions(given, rows)
    assert refused.value.total == 1
    return refused.value.problems[0].code


@pytest.mark.parametrize("is_bulk", [True, False])
@pytest.mark.parametrize(
    ("off", "is_right"), [(0.9e-6, True), (-0.9e-6, True), (1.2e-6, False)]
)
def test_a_query_time_may_be_a_microsecond_off(off, is_right, is_bulk):
    given = raw(ROWS, [1, 2, 2])
    given[1]["query_time"] = EXACT + off
    if not is_bulk:
        given[0]["note"] = {}  # rows that are not all scalars are read one by one
    unified = [{"id": "0001", "query_times": [1.5, EXACT + off], "predictions": [1, 2]}]
    if is_right:
        assert predictions(given, ROWS).coverage.answered == 3
        assert predictions(unified, ROWS).coverage.answered == 2
    else:
        assert code_of(given) == "query_time_mismatch"
        assert code_of(unified) == "unknown_query_time"


def test_true_is_no_query_time_and_no_index():
    rows = [row | {"query_time": row["query_index"]} for row in question([1, 2])]
    given = raw(rows, [1, 2])
    given[1]["query_time"] = True
    assert code_of(given, rows) == "query_time_mismatch"
    given[1] |= {"query_time": 1, "query_index": True}
    assert code_of(given, rows) == "query_index_mismatch"
    for times in ([0, True], [False, 1]):
        unified = [{"id": "0001", "query_times": times, "predictions": [1, 2]}]
        assert code_of(unified, rows) == "unknown_query_time"


def test_the_first_object_decides_the_format_even_after_other_lines():
    unified = {"id": "0001", "query_times": [1.5], "predictions": [1]}
    data = lines([5, unified, unified | {"id": "0009"}])
    with pytest.raises(InvalidUpload) as refused:
        predictions(data, ROWS)
    codes = [problem.code for problem in refused.value.problems]
    assert codes == ["not_an_object", "unknown_id"]


@pytest.mark.parametrize(
    ("value", "count"),
    [
        (-0.5, 0),
        (-1.5, -1),
        (5.9, 5),
        ("5.0", Unreadable.UNPARSEABLE),
        ("5e0", Unreadable.UNPARSEABLE),
        (" +1_0 ", 10),
        ("-٣", -3),
        (2**53 - 1, 2**53 - 1),
        (1 - 2**53, 1 - 2**53),
        (2**53, Unreadable.OUT_OF_RANGE),
        (-(2**53), Unreadable.OUT_OF_RANGE),
        (2.0**53, Unreadable.OUT_OF_RANGE),
        (f" {2**53}", Unreadable.OUT_OF_RANGE),
        (False, Unreadable.BOOLEAN),
        ([], Unreadable.WRONG_TYPE),
        (None, Unreadable.NULL),
        (float("inf"), Unreadable.NOT_FINITE),
    ],
)
def test_a_prediction_is_read_alone_as_among_many(value, count):
    assert read_count(value) == count
    values, reasons = read_counts([1, value])
    if isinstance(count, Unreadable):
        assert reasons == {1: count}
    else:
        assert (values.tolist(), reasons) == ([1, count], {})


def test_off_by_one_is_graded_by_a_twentieth_of_the_truth_and_of_one_at_least():
    for truth, value in ((0, np.exp(-200.0)), (1, np.exp(-200.0)), (2, np.exp(-50.0))):
        table = scored(rows := question([truth]), raw(rows, [truth + 1]))
        assert table.value("gpa", 0) == pytest.approx(100 * value, rel=1e-9, abs=0)


@pytest.mark.parametrize(
    ("subtype", "truth", "given", "label"),
    [
        # Where the truth of a cumulative count falls (a fault that lint tells), a
        # perfect answer falls too: the first label that applies.
        ("O2-Unique", [3, 2], [3, 2], "non_monotone"),
        ("O2-Unique", [1, 2, 3, 4], [2, 1, None, 1], "invalid"),
        ("O2-Unique", [1, 2, 3, 4], [1, 1, 1, 0], "non_monotone"),
        ("O2-Gain", [3, 2], [3, 2], "correct"),
        ("O1-Snap", [1, 2, 3], [1, 1, 2], "lagging"),  # one of two steps: half
        ("O1-Snap", [1, 2, 3, 4], [1, 1, 2, 3], "under_count"),  # one of three
        ("O1-Snap", [1, 2, 2, 2], [1, 1, 1, 3], "lagging"),  # still steps say nothing
        ("O1-Snap", [1, 1], [2, 2], "over_count"),
    ],
)
def test_the_first_label_that_applies_is_the_only_one(subtype, truth, given, label):
    rows = question(truth, subtype=subtype)
    assert scored(rows, raw(rows, given)).error(0) == label


@pytest.mark.parametrize(
    ("subtype", "applying"),
    [
        ("O1-Snap", {"gpa", "uda", "uda_direction"}),
        ("O1-Delta", {"gpa"}),
        ("O2-Gain", {"gpa"}),
        ("O2-Unique", {"gpa", "moc", "uda", "uda_direction"}),
        ("E1-Action", {"gpa", "moc", "uda", "uda_direction"}),
        ("E1-Transit", {"gpa", "moc", "uda", "uda_direction"}),
        ("E2-Episode", {"gpa", "moc", "uda", "uda_direction"}),
        ("E2-Periodic", {"gpa", "moc", "uda", "uda_direction"}),
    ],
)
def test_which_metrics_apply_to_which_subtype(subtype, applying):
    for truth, absent in (
        ([1, 2], set()),
        ([1, 1], {"uda"}),
        ([1], applying - {"gpa"}),
    ):
        table = scored(rows := question(truth, subtype=subtype), raw(rows, truth))
        found = {m for m in SUITE.instance_metrics if table.value(m, 0) is not None}
        assert found == applying - absent


def test_questions_of_one_video_are_resampled_together():
    rows = question([1], video="a.mp4") + question(
        [2], question_id="0002", video="a.mp4", first_q_id=1
    )
    assert scored(rows, raw(rows, [1, 2])).clusters == ("a.mp4", "a.mp4")


def test_a_submission_is_of_the_questions_it_has_rows_for():
    rows = question([1, 2]) + question([3], question_id="0002", first_q_id=2)
    answers = predictions([{"q_id": "0001", "prediction": "?"}], rows)
    assert SUITE.submitted(answers, annotations(rows)) == ["0001"]
    assert answers.coverage.invalid == 1


def test_a_point_that_moved_in_time_is_another_point():
    old = question([1, 2])
    new = [old[0], old[1] | {"query_time": 12.0}]
    table = building.score(compiled(new), predictions(raw(old, [1, 2]), old))
    assert table.value("gpa", 0) == pytest.approx(50)


def test_the_staircase_is_query_index_plus_one():
    answers = staircase(compiled(ROWS))
    assert answers.values.tolist() == [1, 2, 3]
    assert (answers.state == ANSWERED).all()


# A selection of questions, and a submission for all of them.


def both():
    rows = question([1, 2]) + question([3], question_id="0002", first_q_id=2)
    chosen = SUITE.select(annotations(rows), ["0002"])
    return rows, chosen, SUITE.make_manifest(chosen)


@pytest.mark.parametrize("is_unified", [True, False])
def test_what_a_selection_leaves_out_is_no_fault_and_no_answer(tmp_path, is_unified):
    rows, chosen, manifest = both()
    given = raw(rows, [7, 7, 3])
    if is_unified:
        given = [
            {"id": "0001", "query_times": [1.5, 11.5], "predictions": [7, 7]},
            {"id": "0002", "query_times": [1.5], "predictions": [3]},
        ]
    path = tmp_path / "all.jsonl"
    path.write_bytes(lines(given))
    answers = SUITE.read_predictions(open_upload(path), manifest)
    found = answers.coverage
    assert (found.expected, found.answered, found.unknown) == (1, 1, 2)
    assert [notice.code for notice in answers.notices] == ["left_out"]
    table = building.score(SUITE.compile(chosen), answers)
    assert (table.ids, table.value("gpa", 0)) == (("0002",), 100)
    path.write_bytes(lines([{"q_id": "0009", "prediction": 1}]))
    with pytest.raises(InvalidUpload, match="not in the test set"):
        SUITE.read_predictions(open_upload(path), manifest)


def test_a_selected_test_set_is_the_same_as_one_that_is_cut_to_it():
    rows, chosen, _ = both()
    pack = artifacts.pack
    assert pack(SUITE.compile(chosen)) == pack(compiled(rows[2:]))


# What large files must not cost.


def test_a_file_of_too_many_lines_is_refused(monkeypatch):
    monkeypatch.setattr(reading, "MAX_LINES", 10)
    monkeypatch.setattr(reading, "CHUNK_BYTES", 1000)
    assert code_of(b"\n" * 1000 + b'{"q_id": "0000"}\n' * 9) == "too_many_lines"
    given = lines([{"q_id": "0000", "prediction": 1}]) + b"\n" * 8
    assert predictions(given, ROWS).coverage.answered == 1


def test_moments_are_found_by_value_in_the_order_added():
    moments = Moments()
    for time in (5.0, 3.0, 5.0 + 0.8e-6, 0.0, 1e9):
        moments.add(time)
    assert moments.near(5) == [0, 2]
    assert moments.near(5.0 + 1.7e-6) == [2]
    assert moments.near(-0.5e-6) == [3]
    assert moments.near(10**9) == [4]
    for nothing in (True, "5", None, [], 10**400, 7.0):
        assert moments.near(nothing) == []


def test_a_long_row_of_times_is_checked_in_linear_time(tmp_path):
    """A hundred thousand times, backwards and with the last one twice."""
    times = [*range(100_000, 0, -1), 1]
    row = {"id": "a", "query_times": times, "predictions": [1] * len(times)}
    path = tmp_path / "long.jsonl"
    path.write_bytes(lines([row]))
    member = open_upload(path).members()[0]
    assert len(form.own_manifest(member).q_ids) == 100_000
    with pytest.raises(InvalidUpload, match="given before"):
        SUITE.read_predictions(open_upload(path), None)
