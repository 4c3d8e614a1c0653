"""Score tables: what has no room is left out whole, and names never are."""

import io

import pytest
from rich.console import Console

from evaluation import SUITES
from evaluation.score_tables import Cell, Cells, drawn, fitting, layouts, left_out

SUITE = SUITES["egobench"]
LONGEST = "scenario_mode:restaurant/static"


def cells(**missing: None) -> Cells:
    """A value with an interval for every metric that is not told to be missing."""
    cell = Cell(value="100.00", spread="[100.00, 100.00]")
    row = {metric.key: missing.get(metric.key, cell) for metric in SUITE.metrics}
    row = {key: None if key in missing else value for key, value in row.items()}
    return {"overall": row, LONGEST: row}


def printed(given: Cells, width: int) -> str:
    layout = fitting(SUITE, given, "subset", width)
    out = io.StringIO()
    console = Console(file=out, width=max(width, layout.width), color_system=None)
    console.print(drawn(layout, given, "subset"))
    return out.getvalue()


def test_a_wide_terminal_shows_all_and_information_last():
    fullest = layouts(SUITE, cells(), "subset")[0]
    text = printed(cells(), fullest.width)
    head = text[: text.index("overall")]
    assert "Tokens" in head
    assert head.index("MicroAcc") < head.index("Rounds")
    assert text.count("100.00 [100.00, 100.00]") == 2 * len(SUITE.metrics)
    assert max(map(len, text.splitlines())) == fullest.width
    assert left_out(fullest, fullest) == ""


def test_without_room_for_all_information_goes_first():
    fullest, scores, _ = layouts(SUITE, cells(), "subset")
    layout = fitting(SUITE, cells(), "subset", fullest.width - 1)
    assert layout == scores
    assert all(not metric.is_information for metric in layout.metrics)
    text = printed(cells(), fullest.width - 1)
    assert text.count("[100.00, 100.00]") == 8
    assert left_out(layout, fullest).startswith("no room for Rounds, Calls, Tokens")


@pytest.mark.parametrize("width", [80, 60, 20])
def test_a_narrow_terminal_loses_intervals_and_no_name(width: int):
    text = printed(cells(), width)
    lines = text.splitlines()
    assert sum(LONGEST in line for line in lines) == 1
    assert "[" not in text
    assert "…" not in text
    (line,) = (line for line in lines if LONGEST in line)
    assert line.split() == [LONGEST, *["100.00"] * 4]
    layout = fitting(SUITE, cells(), "subset", width)
    assert "intervals" in left_out(layout, layouts(SUITE, cells(), "subset")[0])


def test_eighty_columns_are_enough_for_the_scores():
    assert fitting(SUITE, cells(), "subset", 80).width <= 80


def test_metrics_without_any_value_are_left_out():
    given = cells(tokens=None, micro_acc=None)
    text = printed(given, 1000)
    assert "Tokens" not in text
    assert "MicroAcc" not in text
    assert "ToolSucc" in text


def test_a_value_that_does_not_apply_to_a_subset_is_a_dash():
    row = dict(cells()["overall"])
    given = {"overall": row, "mode:easy": {**row, "tool_succ": None}}
    (line,) = (one for one in printed(given, 80).splitlines() if "mode:easy" in one)
    assert line.split() == ["mode:easy", "100.00", "-", "100.00", "100.00"]


def test_a_hostile_name_reaches_the_terminal_harmless():
    given = {"variant:\x1b[31mred\n": dict(cells()["overall"])}
    text = printed(given, 120)
    assert "\x1b" not in text
    assert len([line for line in text.splitlines() if "red" in line]) == 1
