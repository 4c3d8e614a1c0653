"""Scores of hand-made trajectories, and what must never change them."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.aggregate import summarise
from evaluation.reading import open_upload
from evaluation.suite import Resources
from evaluation.svcbench import SUITE
from tests.evaluation.svcbench import building
from tests.evaluation.svcbench.building import DATA, predictions, question, raw, scored

GOLDEN = json.loads((DATA / "expected.json").read_bytes())


@pytest.mark.parametrize("name", ["raw", "unified"])
def test_the_golden_submissions_score_as_worked_out_by_hand(name):
    truth = SUITE.read_annotations(open_upload(DATA / "testset.jsonl"))
    compiled = SUITE.compile(truth)
    upload = open_upload(DATA / f"{name}.jsonl")
    answers = SUITE.read_predictions(upload, SUITE.make_manifest(truth))
    table = building.score(compiled, answers)
    for row, id_ in enumerate(table.ids):
        wanted = GOLDEN["questions"][id_]
        assert table.error(row) == wanted["error"]
        for metric in SUITE.instance_metrics:
            value = table.value(metric, row)
            assert value == (
                None if wanted[metric] is None else pytest.approx(wanted[metric])
            )
    summary = summarise(SUITE, table)
    for subset, scores in GOLDEN["scores"].items():
        for metric, value in scores.items():
            found = summary.scores[subset][metric]
            assert found == (None if value is None else pytest.approx(value, abs=1e-9))
    assert summary.counts["overall"] == GOLDEN["counts"]["overall"]
    assert summary.errors["overall"] == GOLDEN["errors"]["overall"]
    for key, count in GOLDEN["coverage"][name].items():
        assert getattr(answers.coverage, key) == count


@pytest.mark.parametrize(
    ("subtype", "truth", "given", "label"),
    [
        ("O2-Unique", [1, 2, 3], [1, 2, 3], "correct"),
        ("O2-Unique", [1, 2, 3], [3, 2, 3], "non_monotone"),
        ("O1-Snap", [1, 2, 3], [3, 2, 3], "over_count"),
        ("O2-Unique", [1, 2, 3], [3, None, 1], "invalid"),
        ("O2-Unique", [1, 2, 3], [1, 1, 3], "lagging"),
        ("O2-Unique", [1, 2, 3, 4], [1, 1, 2, 3], "under_count"),
        ("O2-Unique", [1, 1, 1], [2, 2, 2], "over_count"),
        ("O2-Unique", [1, 2, 3], [1, 3, 4], "over_count"),
        ("O2-Unique", [1, 2, 3], [0, 1, 2], "under_count"),
        ("O2-Unique", [1, 2, 3], [0, 2, 4], "mixed_count"),
        ("O1-Delta", [2], [3], "over_count"),
        ("O2-Gain", [2], [1], "under_count"),
    ],
)
def test_a_question_gets_the_first_label_that_applies(subtype, truth, given, label):
    rows = question(truth, subtype=subtype)
    table = scored(rows, raw(rows, given))
    assert table.error(0) == label


def test_huge_errors_do_not_wrap_into_the_wrong_label():
    top = 2**53 - 1
    rows = question([0] * 2000, subtype="O1-Snap")
    rows = [row | {"q_id": f"{at:04d}"} for at, row in enumerate(rows)]
    table = scored(rows, raw(rows, [top] * 2000))
    assert table.error(0) == "over_count"
    cancelled = [top, -top] * 1000
    cancelled[0] -= 1
    table = scored(rows, raw(rows, cancelled))
    assert table.error(0) == "under_count"


def test_what_is_missing_never_shrinks_a_denominator():
    rows = question([1, 2, 3]) + question([1, 2], question_id="0002", first_q_id=3)
    whole = scored(rows, raw(rows, [1, 2, 3, 1, 2]))
    part = scored(rows, raw(rows[:1], [1]))
    for metric in SUITE.instance_metrics:
        assert np.array_equal(part.denominators[metric], whole.denominators[metric])
    assert summarise(SUITE, part).scores["overall"]["gpa"] == pytest.approx(100 / 6)
    assert summarise(SUITE, part).scores["overall"]["moc"] == 0


def test_a_gap_breaks_monotonicity_where_it_begins():
    rows = question([1, 2, 3, 4, 5])
    table = scored(rows, raw(rows, [1, 2, 3, None, 5]))
    assert table.value("moc", 0) == 50
    assert table.value("uda", 0) == 50
    assert table.value("uda_direction", 0) == 50


def test_the_order_of_a_trajectory_is_query_index_and_not_time():
    rows = question([1, 2, 3])
    rows[0]["query_time"], rows[2]["query_time"] = 50.0, 0.5
    table = scored(list(reversed(rows)), raw(rows, [1, 2, 3]))
    assert table.error(0) == "correct"
    assert table.value("moc", 0) == 100


def test_predictions_without_a_manifest_cannot_be_scored():
    rows = question([1, 2])
    answers = predictions(raw(rows, [1, 2]), None)
    with pytest.raises(ValueError, match="without a manifest"):
        building.score(building.compiled(rows), answers)


def test_a_submission_scores_under_a_later_version_by_what_was_asked_alike():
    rows = question([1, 2, 3]) + question([4], question_id="0002", first_q_id=3)
    answers = predictions(raw(rows, [1, 2, 3, 4]), rows)
    renumbered = question([4], question_id="0002") + question([1, 2, 3], first_q_id=1)
    table = building.score(building.compiled(renumbered), answers)
    assert table.errors["invalid"].tolist() == [1, 1]
    fewer = building.score(building.compiled(rows[:3]), answers)
    assert fewer.errors["correct"].tolist() == [1]


def test_any_rows_score_as_they_do_among_all():
    rows = []
    draw = np.random.default_rng(5)
    for number in range(40):
        counts = sorted(draw.integers(0, 9, draw.integers(1, 7)).tolist())
        rows += question(counts, question_id=f"{number:04d}", first_q_id=len(rows))
    given = raw(rows, [(0, 1, 2, 3, None)[draw.integers(5)] for _ in rows])
    truth, answers = building.compiled(rows), predictions(given, rows)
    whole = building.score(truth, answers)
    chosen = [7, 3, 39, 0, 12]
    part = SUITE.score(truth, answers, chosen, Resources(protocol="svcbench/1"))
    assert part.ids == tuple(whole.ids[row] for row in chosen)
    for metric in SUITE.instance_metrics:
        assert np.array_equal(part.numerators[metric], whole.numerators[metric][chosen])
    for key, counts in whole.errors.items():
        assert np.array_equal(part.errors[key], counts[chosen])
    none = SUITE.score(truth, answers, [], Resources(protocol="svcbench/1"))
    assert len(none) == 0


def unified(rows, given):
    """The unified form of these answers, where None is a time left out."""
    found: dict = {}
    for row, one in zip(rows, given, strict=True):
        entry = found.setdefault(
            row["id"], {"id": row["id"], "query_times": [], "predictions": []}
        )
        if one is not None:
            entry["query_times"].append(row["query_time"])
            entry["predictions"].append(one)
    return list(found.values())


answer = st.one_of(st.none(), st.integers(-3, 12))
questions = st.lists(
    st.tuples(
        st.sampled_from(["O1-Snap", "O2-Unique", "E1-Action", "E2-Periodic"]),
        st.lists(st.tuples(st.integers(0, 12), answer), min_size=1, max_size=6),
    ),
    min_size=1,
    max_size=5,
)


@settings(max_examples=60, deadline=None)
@given(questions, st.randoms(use_true_random=False))
def test_neither_the_order_of_rows_nor_the_format_matters(drawn, shuffle):
    rows, given = [], []
    for number, (subtype, points) in enumerate(drawn):
        counts = [count for count, _ in points]
        rows += question(
            counts,
            question_id=f"{number:04d}",
            subtype=subtype,
            first_q_id=len(rows),
        )
        given += [one for _, one in points]
    plain = raw(rows, given)
    shuffled = shuffle.sample(plain, len(plain))
    truth = building.compiled(rows)
    tables = [
        building.score(truth, predictions(sent, rows))
        for sent in (plain, shuffled, unified(rows, given))
    ]
    for other in tables[1:]:
        for metric in SUITE.instance_metrics:
            assert np.array_equal(
                tables[0].numerators[metric], other.numerators[metric]
            )
        for key, counts in tables[0].errors.items():
            assert np.array_equal(counts, other.errors[key])
