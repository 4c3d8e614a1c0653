"""Means, ratios, balanced means, subsets and error counts."""

import numpy as np
import pytest

from evaluation.aggregate import subset_masks, summarise
from evaluation.suite import Family
from tests.evaluation.tabling import metric, suite, table


def test_a_mean_is_over_the_instances_it_applies_to():
    summary = summarise(suite(), table([100, None, 50, 0]))
    assert summary.scores["overall"]["m"] == 50
    assert summary.counts["overall"]["m"] == 3


def test_a_ratio_of_sums_weighs_by_its_denominators():
    made = table([300, 100], denominators=[3, 7])
    assert summarise(suite(), made).scores["overall"]["m"] == 40


def test_nothing_to_average_is_none_and_not_zero():
    summary = summarise(suite(), table([None, None]))
    assert summary.scores["overall"]["m"] is None
    assert summary.counts["overall"]["m"] == 0


def test_subsets_come_in_the_order_to_show():
    made = table(
        [1, 2, 3, 4, 5], tags={"kind": ["z", "a", "y", "b", ""], "more": ["q"] * 5}
    )
    families = (
        Family(key="kind", label="", order=("b", "absent", "a")),
        Family(key="more", label=""),
        Family(key="unknown", label=""),
    )
    masks = subset_masks(suite(families=families), made)
    assert list(masks) == [
        "overall",
        "kind:b",
        "kind:a",
        "kind:z",
        "kind:y",
        "more:q",
    ]
    assert masks["kind:a"].tolist() == [False, True, False, False, False]


def test_a_balanced_metric_weighs_the_values_of_its_family_alike():
    made = table([100, 100, 100, 0], tags={"kind": ["a", "a", "a", "b"]})
    balanced = suite([metric(balanced_by="kind")])
    summary = summarise(balanced, made)
    assert summary.scores["overall"]["m"] == 50
    assert summary.scores["kind:a"]["m"] == 100
    assert summary.counts["overall"]["m"] == 4


def test_weights_are_shared_among_the_values_that_are_there():
    made = table([100, 0, 50, None, 70], tags={"kind": ["a", "b", "c", "d", "other"]})
    weights = {"a": 3.0, "b": 1.0, "d": 4.0}
    weighted = suite([metric(balanced_by="kind", weights=weights)])
    summary = summarise(weighted, made)
    assert summary.scores["overall"]["m"] == 75
    assert summary.counts["overall"]["m"] == 2
    assert summary.scores["kind:d"]["m"] is None


def test_values_without_a_weight_count_only_where_nothing_has_one():
    made = table([100, 0, 50, 70], tags={"kind": ["a", "b", "b", "c"]})
    summary = summarise(suite([metric(balanced_by="kind", weights={"a": 1.0})]), made)
    assert summary.scores["overall"]["m"] == 100
    assert summary.counts["overall"]["m"] == 1
    assert summary.scores["kind:b"]["m"] == 25
    assert summary.counts["kind:b"]["m"] == 2


def test_errors_are_counted_in_every_subset():
    made = table([100, 0, 100], tags={"kind": ["a", "a", "b"]})
    errors = summarise(suite(), made).errors
    assert errors["overall"] == {"right": 2, "wrong": 1}
    assert errors["kind:a"] == {"right": 1, "wrong": 1}


def test_the_order_of_instances_never_shows_in_a_score():
    draw = np.random.default_rng(1)
    values = [draw.uniform(0, 100) for _ in range(5000)]
    first = summarise(suite(), table(values)).scores["overall"]["m"]
    draw.shuffle(values)
    assert summarise(suite(), table(values)).scores["overall"]["m"] == first


def test_an_empty_table_has_no_scores():
    summary = summarise(suite(), table([]))
    assert summary.scores == {"overall": {"m": None}}


def test_whole_numbers_are_averaged_exactly():
    made = table([1e15, 1, 1, -1e15])
    assert summarise(suite(), made).scores["overall"]["m"] == pytest.approx(0.5)
