"""Which subsets and error types a phase tells, and in which order."""

import random

import pytest

from evaluation import SUITES
from leaderboard import feedback
from leaderboard.models import Phase, Track


def phase(policy: str) -> Phase:
    return Phase(track=Track(suite="egobench"), feedback=policy)


def test_subsets_stand_by_family_then_by_value_and_numbers_count_as_numbers():
    right = [
        "overall",
        "mode:easy",
        "mode:hard",
        "mode:static",
        "scenario:retail",
        "scenario:kitchen",
        "scenario:garage",
        "scenario_mode:kitchen/easy",
        "scenario_mode:retail/easy",
        "variant:kitchen",
        "variant:kitchen4",
        "variant:retail2",
        "variant:retail10",
        "unheard:of",
    ]
    for seed in range(20):
        given = right.copy()
        random.Random(seed).shuffle(given)  # noqa: S311
        assert feedback.in_order(SUITES["egobench"], given) == right


@pytest.mark.parametrize(
    "values", [["a9", "a10"], ["a1b2", "a1b10"], ["A2", "b1"], ["1", "2", "11"]]
)
def test_names_are_sorted_as_people_do(values: list[str]):
    keys = [f"variant:{value}" for value in values]
    assert feedback.in_order(SUITES["egobench"], reversed(keys)) == keys


def test_a_name_of_very_many_digits_is_sorted_too():
    keys = ["variant:2", f"variant:{'9' * 9000}"]
    assert feedback.in_order(SUITES["egobench"], reversed(keys)) == keys


def test_aggregate_feedback_tells_overall_scores_and_no_errors():
    recorded = {"mode:easy": 1, "overall": 2}
    policy = phase(Phase.Feedback.AGGREGATE)
    assert feedback.scores(policy, recorded) == {"overall": 2}
    assert feedback.errors(policy, recorded) == {}
    assert not feedback.has_breakdowns(policy)


@pytest.mark.parametrize("policy", [Phase.Feedback.BREAKDOWNS, "instances"])
def test_other_policies_tell_all_of_it_in_order(policy: str):
    recorded = {"mode:easy": 1, "overall": 2}
    assert list(feedback.scores(phase(policy), recorded)) == ["overall", "mode:easy"]
    assert list(feedback.errors(phase(policy), recorded)) == ["overall", "mode:easy"]
    assert feedback.has_instances(phase(policy)) == (policy == "instances")
