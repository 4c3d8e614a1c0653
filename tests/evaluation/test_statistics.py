"""Intervals and comparisons: reproducible, clustered, paired, and about right."""

import math
from dataclasses import replace

import numpy as np
import pytest

from evaluation.comparison import NotComparable, compare
from evaluation.statistics import intervals
from evaluation.suite import Family
from tests.evaluation.tabling import metric, suite, table


def made(seed: int, size: int = 60, *, shift: float = 0.0, **given):
    draw = np.random.default_rng(seed)
    return table([draw.uniform(0, 90) + shift for _ in range(size)], **given)


def test_the_same_seed_gives_the_same_intervals_and_another_gives_others():
    first, again = (intervals(suite(), made(1), "address") for _ in range(2))
    assert first == again
    assert intervals(suite(), made(1), "other") != first


def test_a_subset_does_not_depend_on_the_others():
    kinds = ["a", "b"] * 30
    with_family = intervals(suite(), made(1, tags={"kind": kinds}), "s")
    more = Family(key="more", label="")
    tags = {"kind": kinds, "more": ["x"] * 60}
    families = (more, Family(key="kind", label=""))
    with_two = intervals(suite(families=families), made(1, tags=tags), "s")
    for subset in ("overall", "kind:a", "kind:b"):
        assert with_two[subset] == with_family[subset]


def test_an_interval_is_as_wide_as_the_standard_error_says():
    values = made(2, 2000)
    (low, high) = intervals(suite(), values, "s")["overall"]["m"]
    column = values.numerators["m"]
    expected = 2 * 1.96 * column.std() / math.sqrt(len(column))
    assert high - low == pytest.approx(expected, rel=0.1)
    assert low < column.mean() < high


def test_instances_of_one_cluster_are_drawn_together():
    draw = np.random.default_rng(3)
    values = [v for v in (draw.uniform(0, 100) for _ in range(50)) for _ in range(4)]
    clusters = [f"video{row // 4}" for row in range(200)]
    (low, high) = intervals(suite(), table(values, clusters=clusters), "s")["overall"][
        "m"
    ]
    (tight_low, tight_high) = intervals(suite(), table(values), "s")["overall"]["m"]
    assert (high - low) / (tight_high - tight_low) == pytest.approx(2, rel=0.15)


def test_ninety_five_of_a_hundred_intervals_hold_the_truth():
    hits = 0
    for seed in range(200):
        draw = np.random.default_rng(seed)
        values = table([draw.normal(50, 10) for _ in range(60)])
        low, high = intervals(suite(), values, str(seed), resamples=400)["overall"]["m"]
        hits += low <= 50 <= high
    assert 180 <= hits <= 198


def test_nothing_can_be_told_from_one_cluster_or_none():
    one = table([1, 2, 3], clusters=["v"] * 3)
    assert intervals(suite(), one, "s")["overall"]["m"] is None
    applies_once = table([5, None, None])
    assert intervals(suite(), applies_once, "s")["overall"]["m"] is None
    assert intervals(suite(), table([]), "s")["overall"]["m"] is None


def test_resamples_in_which_a_metric_does_not_apply_are_left_out():
    rare = table([10.0, 20.0] + [None] * 8)
    low, high = intervals(suite(), rare, "s")["overall"]["m"]
    assert (low, high) == (10, 20)


def test_balanced_metrics_are_resampled_as_they_are_defined():
    draw = np.random.default_rng(4)
    values = [draw.uniform(0, 100) for _ in range(400)]
    kinds = ["a"] * 390 + ["b"] * 10
    balanced = suite([metric(balanced_by="kind")])
    wide = intervals(balanced, table(values, tags={"kind": kinds}), "s")["overall"]["m"]
    plain = intervals(suite(), table(values), "s")["overall"]["m"]
    b = np.array(values[390:])
    expected = 2 * 1.96 * 0.5 * b.std() / math.sqrt(10)
    assert wide[1] - wide[0] == pytest.approx(expected, rel=0.3)
    assert wide[1] - wide[0] > 2 * (plain[1] - plain[0])


def test_ratios_of_sums_are_resampled_with_their_denominators():
    draw = np.random.default_rng(8)
    totals = [int(draw.integers(1, 31)) for _ in range(300)]
    hits = [100 * int(draw.integers(0, total + 1)) for total in totals]
    values = table(hits, denominators=totals)
    low, high = intervals(suite(), values, "s")["overall"]["m"]
    assert low < sum(hits) / sum(totals) < high


def test_a_submission_does_not_differ_from_itself():
    found = compare(suite(), made(5), made(5), "s").differences["overall"]["m"]
    assert found.value == 0
    assert found.interval == (0, 0)
    assert found.p_value == 1


def test_a_difference_is_b_minus_a_and_pairing_makes_it_sharp():
    a, b = made(6), made(6, shift=5)
    found = compare(suite(), a, b, "s").differences["overall"]["m"]
    assert found.value == pytest.approx(5)
    assert found.interval == pytest.approx((5, 5))
    assert found.p_value < 0.01
    other = compare(suite(), b, a, "s").differences["overall"]["m"]
    assert other.value == pytest.approx(-5)
    unpaired = intervals(suite(), a, "s")["overall"]["m"]
    assert unpaired[1] - unpaired[0] > 5


def test_noise_alone_is_not_significant_too_often():
    false_alarms = 0
    for seed in range(100):
        a, b = made(1000 + seed), made(5000 + seed)
        found = compare(suite(), a, b, str(seed), resamples=400)
        false_alarms += found.differences["overall"]["m"].p_value < 0.05
    assert false_alarms <= 12


def test_subsets_can_be_chosen_and_errors_stand_side_by_side():
    kinds = ["a", "b"] * 30
    a, b = made(1, tags={"kind": kinds}), made(9, tags={"kind": kinds})
    found = compare(suite(), a, b, "s", subsets=["kind:a"])
    assert list(found.differences) == ["kind:a"]
    before, after = found.errors["kind:a"]["right"]
    assert before == int(a.errors["right"][::2].sum())
    assert after == int(b.errors["right"][::2].sum())
    whole = compare(suite(), a, b, "s")
    assert whole.differences["kind:a"] == found.differences["kind:a"]


def test_a_metric_that_does_not_apply_has_no_difference():
    found = compare(suite(), table([None, None]), table([None, None]), "s")
    assert found.differences["overall"]["m"] is None
    one = compare(suite(), table([1, None]), table([4, None]), "s")
    difference = one.differences["overall"]["m"]
    assert (difference.value, difference.interval, difference.p_value) == (
        3,
        None,
        None,
    )


def test_tables_of_other_instances_are_not_compared():
    with pytest.raises(NotComparable, match="A has 60 instances, B has 59"):
        compare(suite(), made(1), made(1, 59), "s")
    other = made(1, clusters=["v"] * 60)
    with pytest.raises(NotComparable, match="is of 'c0' in A and of 'v' in B"):
        compare(suite(), made(1), other, "s")


def clustered(seed: int) -> tuple[np.ndarray, list[str], list[str]]:
    """Values of 80 clusters of 1 to 4 instances that share most of their luck."""
    draw = np.random.default_rng(seed)
    sizes = draw.integers(1, 5, 80)
    luck = np.repeat(draw.normal(0, 15, 80), sizes)
    kinds = np.where(draw.uniform(size=len(luck)) < 0.25, "a", "b")
    values = 50 + luck + draw.normal(0, 5, len(luck)) + np.where(kinds == "a", 8, -8)
    names = np.repeat([f"video{n}" for n in range(80)], sizes)
    return values, names.tolist(), kinds.tolist()


@pytest.mark.parametrize(
    ("balanced_by", "truth"), [(None, 50 - 0.75 * 8 + 0.25 * 8), ("kind", 50.0)]
)
def test_intervals_of_clustered_values_hold_the_truth_as_often_as_they_say(
    balanced_by, truth
):
    """95 of 100, give or take 3; drawn one by one they would hold it far less often."""
    runs, hits, naive = 300, 0, 0
    chosen = suite([metric(balanced_by=balanced_by)], families=())
    for seed in range(runs):
        values, names, kinds = clustered(seed)
        whole = table(values.tolist(), clusters=names, tags={"kind": kinds})
        alone = table(values.tolist(), tags={"kind": kinds})
        for made_of, is_clustered in ((whole, True), (alone, False)):
            found = intervals(chosen, made_of, str(seed), resamples=300)
            low, high = found["overall"]["m"]
            hits += is_clustered and low <= truth <= high
            naive += not is_clustered and low <= truth <= high
    assert 0.92 * runs <= hits <= 0.98 * runs
    assert naive < 0.90 * runs


def test_a_comparison_the_other_way_round_is_its_mirror_image():
    kinds = ["a", "b"] * 30
    a, b = (made(seed, tags={"kind": kinds}) for seed in (11, 12))
    there, back = (
        compare(suite(), *pair, "s").differences for pair in ((a, b), (b, a))
    )
    for subset in ("overall", "kind:a", "kind:b"):
        one, other = there[subset]["m"], back[subset]["m"]
        assert one.value == pytest.approx(-other.value)
        assert one.interval == pytest.approx((-other.interval[1], -other.interval[0]))
        assert one.p_value == other.p_value


def test_a_small_steady_gain_is_told_from_noise_of_the_same_size():
    """Each gains 2 points or loses 1: paired that is plain, whatever tasks are like."""
    a = made(20, 90)
    steady, noise = (np.tile(steps, 30) for steps in ([2.0, 2.0, -1.0], [2.0, -2.0, 0]))
    for steps, is_plain in ((steady, True), (noise, False)):
        b = table((a.numerators["m"] + steps).tolist())
        found = compare(suite(), a, b, "s").differences["overall"]["m"]
        assert found.value == pytest.approx(steps.mean())
        assert (found.p_value < 0.001) is is_plain
        assert (found.interval[0] > 0) is is_plain
    assert found.p_value == pytest.approx(1, abs=0.1)


def test_a_table_that_lacks_what_the_suite_declares_is_not_compared():
    whole = made(1)
    for part in ("numerators", "errors", "tags"):
        poor = replace(whole, **{part: {}})
        with pytest.raises(NotComparable, match="score both again"):
            compare(suite(), whole, poor, "s")
