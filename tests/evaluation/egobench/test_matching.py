"""Tidying, equality and matching against hand-written cases (spec 2)."""

import json
from typing import Any

import pytest

from evaluation.egobench.compiled import Stage
from evaluation.egobench.matching import GoalCall, covered, is_plain
from evaluation.egobench.replay import understood
from evaluation.egobench.scenarios import SCENARIOS
from evaluation.egobench.tidying import tidied
from tests.evaluation.egobench.building import GOLDEN, database

CASES = json.loads((GOLDEN / "parameters.json").read_text())
TIDY = [case for case in CASES if case["kind"] == "tidy"]
EQUAL = [case for case in CASES if case["kind"] == "equal"]


def stage(slug: str) -> Stage:
    return Stage(SCENARIOS[slug], SCENARIOS[slug].load(database(slug)))


@pytest.mark.parametrize("case", TIDY, ids=[case["why"] for case in TIDY])
def test_tidying(case: dict[str, Any]) -> None:
    before = json.dumps(case["given"])
    tidy = tidied(case["given"])
    assert tidy == case["expected"]
    assert json.dumps(tidied(tidy)) == json.dumps(tidy), "tidying again changes nothing"
    assert json.dumps(case["given"]) == before, "the input is left alone"


@pytest.mark.parametrize(
    "case", EQUAL, ids=[f"{n}: {case['why']}" for n, case in enumerate(EQUAL)]
)
def test_equality_of_parameters(case: dict[str, Any]) -> None:
    goal, given = tidied(case["goal"]), tidied(case["given"])
    call = GoalCall(tool="x", parameters=goal, is_plain=is_plain(goal))
    used = covered([call], {"x": [(0, given)]}, stage(case["scenario"]).equality)
    assert bool(used) is case["expected"]


def test_unknown_parameters_are_dropped_except_of_tools_that_do_not_exist() -> None:
    tools = SCENARIOS["retail"].tools
    given = {"product_name": "a", "colour": "red"}
    assert understood(tools, "get_price", given) == {"product_name": "a"}
    assert understood(tools, "get_colour", given) == given
    assert given == {"product_name": "a", "colour": "red"}


def test_each_call_is_used_up_once_and_greedily() -> None:
    equality = stage("retail").equality

    def goal(name: str) -> GoalCall:
        given = {"product_name": name}
        return GoalCall(tool="get_price", parameters=given, is_plain=True)

    def match(goals: list[str], given: list[str]) -> list[int]:
        calls = [(n, {"product_name": name}) for n, name in enumerate(given)]
        return covered([goal(name) for name in goals], {"get_price": calls}, equality)

    drops, almonds = "Marble Cocoa Drops", "Cedar Smoked Almonds"
    assert match([drops, drops], [drops]) == [0]
    assert match([drops, almonds], [almonds, drops]) == [1, 0]
    assert match([drops, almonds], ["", drops]) == [0], "no backtracking (Q19)"


def test_tool_names_are_compared_exactly() -> None:
    equality = stage("retail").equality
    call = GoalCall(tool="get_price", parameters={}, is_plain=True)
    for name in ("get_price ", "Get_price"):
        assert covered([call], {name: [(0, {})]}, equality) == []
