"""Descriptions cut into sub-captions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.explore.captions import (
    MAX_CHARACTERS,
    MAX_SUBCAPTION_CHARACTERS,
    MAX_SUBCAPTIONS,
    split,
    too_long,
    unfit,
)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", []),
        ("A cup", ["A cup"]),
        ("A cup. A bowl.", ["A cup", "A bowl"]),
        ("A cup\nA bowl\\nA pan</s>A lid", ["A cup", "A bowl", "A pan", "A lid"]),
        ("3.5 cm, e.g. this", ["3", "5 cm, e", "g", "this"]),
        ("One! Two? Three; four\u3002five", ["One! Two? Three; four\u3002five"]),
        (" \u00a0A cup\u2003\r\n\t. \t", ["A cup"]),
        ("...</s>\\n\n", []),
        ("</S>", ["</S>"]),
    ],
)
def test_is_cut_as_released(text: str, parts: list[str]) -> None:
    assert split(text) == parts


@given(st.text(alphabet="a. \n\\n</s>\t\u00a0"))
def test_parts_are_never_blank_and_hold_no_separator(text: str) -> None:
    for part in split(text):
        assert part == part.strip() != ""
        assert not set(part) & {".", "\n"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a" * (MAX_CHARACTERS + 1), f"has {MAX_CHARACTERS + 1} characters; at most"),
        ("a." * (MAX_SUBCAPTIONS + 1), f"has {MAX_SUBCAPTIONS + 1} sentences; at most"),
        ("a" * (MAX_SUBCAPTION_CHARACTERS + 1), "has a sentence of 5001 characters"),
    ],
)
def test_too_long_says_what_is_accepted(text: str, message: str) -> None:
    assert message in (too_long(text) or "")


def test_the_limits_themselves_are_accepted() -> None:
    sentence = "a" * (MAX_SUBCAPTION_CHARACTERS - 1) + "."

    assert too_long(sentence * (MAX_CHARACTERS // len(sentence))) is None
    assert too_long("a." * MAX_SUBCAPTIONS) is None


def test_half_a_surrogate_pair_is_no_text() -> None:
    assert "character 2" in (unfit("ab\ud83d") or "")
    assert unfit("ab\U0001f642") is None
