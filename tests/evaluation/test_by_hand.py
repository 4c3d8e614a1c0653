"""The suites' own metrics over tables small enough to be worked out by hand."""

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from evaluation import SUITES
from evaluation.aggregate import summarise
from evaluation.statistics import intervals
from evaluation.suite import AnySuite
from evaluation.tables import InstanceTable

Values = Sequence[float | None]


def made(
    suite: AnySuite,
    tags: Mapping[str, Sequence[str]],
    values: Mapping[str, Values],
    denominators: Mapping[str, Sequence[float]] | None = None,
    clusters: Sequence[str] | None = None,
) -> InstanceTable:
    """A table of these metrics' values; no other metric applies, no error is told."""
    size = len(next(iter(values.values())))
    nothing = np.zeros(size)
    given = {
        key: (
            np.array([v or 0.0 for v in column]),
            np.array([float(v is not None) for v in column]),
        )
        for key, column in values.items()
    }
    for key, column in (denominators or {}).items():
        given[key] = (given[key][0], np.array(column, np.float64))
    columns = {m.key: given.get(m.key, (nothing, nothing)) for m in suite.metrics}
    return InstanceTable(
        ids=tuple(map(str, range(size))),
        clusters=tuple(clusters or map(str, range(size))),
        tags={
            family.key: tuple(tags.get(family.key, [""] * size))
            for family in suite.families
        },
        numerators={key: pair[0] for key, pair in columns.items()},
        denominators={key: pair[1] for key, pair in columns.items()},
        errors={error.key: np.zeros(size, np.int64) for error in suite.errors},
    )


def test_joint_success_is_the_mean_of_modes_however_many_tasks_each_has():
    """Easy 1 of 3, hard 1 of 1, static 0 of 1: (1/3 + 1 + 0) / 3."""
    suite = SUITES["egobench"]
    modes = ["easy", "easy", "easy", "hard", "static"]
    scenarios = ["retail", "kitchen", "kitchen", "kitchen", "retail"]
    won = [100.0, 0.0, 0.0, 100.0, 0.0]
    table = made(
        suite,
        {"mode": modes, "scenario": scenarios},
        {"joint_succ": won, "tool_succ": won, "micro_acc": [200.0, 0, 100, 300, 100]},
        {"micro_acc": [2, 4, 1, 3, 10]},
    )
    found = summarise(suite, table)
    assert found.scores["overall"]["joint_succ"] == pytest.approx(400 / 9)
    assert found.scores["overall"]["tool_succ"] == 40, "the others are pooled"
    assert found.scores["overall"]["micro_acc"] == 35, "7 of 20 calls"
    assert found.scores["mode:easy"]["joint_succ"] == pytest.approx(100 / 3)
    assert found.scores["scenario:kitchen"]["joint_succ"] == 50, "(0 + 100) / 2"
    assert found.scores["scenario:kitchen"]["micro_acc"] == 50
    assert found.scores["scenario:retail"]["joint_succ"] == 50, "(100 + 0) / 2"
    assert found.counts["overall"] == {
        metric.key: 5 if metric.key in {"joint_succ", "tool_succ", "micro_acc"} else 0
        for metric in suite.metrics
    }
    assert found.scores["overall"]["rounds"] is None


def test_what_a_run_tells_is_averaged_over_the_runs_that_tell():
    suite = SUITES["egobench"]
    table = made(
        suite,
        {"mode": ["easy"] * 3},
        {"rounds": [4.0, None, 1.0], "tokens": [None] * 3},
    )
    found = summarise(suite, table)
    assert found.scores["overall"]["rounds"] == 2.5
    assert (found.counts["overall"]["rounds"], found.counts["overall"]["tokens"]) == (
        2,
        0,
    )


def test_final_scenes_make_the_score_and_middle_ones_only_their_own():
    suite = SUITES["explore"]
    names = ["mid_1", "mid_2", "final", "mid_1", "mid_2", "final"]
    s_uni = [10.0, 30.0, 80.0, 20.0, 50.0, 40.0]
    lengths = ["short"] * 3 + ["long"] * 3
    table = made(
        suite,
        {"scene": names, "length": lengths},
        {"s_uni": s_uni, "s_uni_multi": s_uni, "s_obj": [None, 1, 2, 3, 4, 9]},
    )
    found = summarise(suite, table)
    overall = found.scores["overall"]
    assert (overall["s_uni"], found.counts["overall"]["s_uni"]) == (60, 2)
    assert overall["s_obj"] == 5.5
    assert overall["s_uni_multi"] == pytest.approx(0.2 * 15 + 0.3 * 40 + 0.5 * 60)
    assert found.counts["overall"]["s_uni_multi"] == 6
    assert found.scores["scene:mid_1"]["s_uni"] == 15
    assert found.scores["scene:mid_1"]["s_obj"] == 3
    assert found.counts["scene:mid_1"]["s_obj"] == 1
    assert found.scores["length:long"]["s_uni"] == 40
    assert found.scores["length:long"]["s_uni_multi"] == pytest.approx(39)


def test_an_abnormal_score_is_of_final_scenes_too() -> None:
    """So that S_abn = 0.1 S_uni + 18 S_key holds of the means as of each scene."""
    suite = SUITES["explore"]
    table = made(
        suite,
        {"scene": ["mid_1", "final", "final"]},
        {
            "s_uni": [90.0, 50.0, 30.0],
            "s_key": [5.0, 1.0, 4.0],
            "s_abn": [99.0, 23.0, 75.0],
        },
    )
    found = summarise(suite, table).scores
    assert found["overall"]["s_key"] == 2.5
    assert found["overall"]["s_abn"] == 49 == 0.1 * 40 + 18 * 2.5
    assert found["scene:mid_1"]["s_abn"] == 99


def test_a_question_counts_once_however_many_query_points_it_has():
    suite = SUITES["svcbench"]
    table = made(
        suite,
        {"type": ["O1", "O2", "O2"], "subtype": ["O1-Delta", "O2-Unique", "O2-Gain"]},
        {"gpa": [100.0, 50.0, 0.0], "moc": [None, 25.0, None]},
    )
    found = summarise(suite, table)
    assert found.scores["overall"] == {
        "gpa": 50,
        "moc": 25,
        "uda": None,
        "uda_direction": None,
    }
    assert found.counts["overall"] == {"gpa": 3, "moc": 1, "uda": 0, "uda_direction": 0}
    assert found.scores["type:O2"]["gpa"] == 25
    assert found.scores["subtype:O1-Delta"]["moc"] is None


def test_intervals_of_two_clusters_are_those_of_their_three_resamples():
    """AA, AB and BB with a quarter, a half and a quarter of the draws."""
    suite = SUITES["egobench"]
    table = made(
        suite,
        {"mode": ["easy", "hard", "easy", "hard"]},
        {"joint_succ": [100.0, 0.0, 0.0, 0.0], "micro_acc": [300.0, 0.0, 100.0, 0.0]},
        {"micro_acc": [4, 1, 4, 1]},
        clusters=["A", "A", "B", "B"],
    )
    found = intervals(suite, table, "seed")["overall"]
    assert found["joint_succ"] == (0, 50), "AA: (100 + 0) / 2"
    assert found["micro_acc"] == (20, 60), "BB: 2 of 10 calls, AA: 6 of 10"
    only_easy = intervals(suite, table, "seed")["mode:easy"]["joint_succ"]
    assert only_easy == (0, 100)
