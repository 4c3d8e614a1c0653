"""What a method card may say."""

from dataclasses import replace

import pytest
from django.core.exceptions import ValidationError

from evaluation import SUITES
from evaluation.suite import CardField
from leaderboard import method_cards

SUITE = replace(
    SUITES["svcbench"],
    card_fields=(
        CardField(key="sampling", label="Sampling", choices=("64 frames", "1 fps")),
        CardField(key="size", label="Size"),
    ),
)


def test_a_card_is_kept_in_the_suites_order_without_what_is_empty():
    given = {"size": " 8B ", "sampling": "1 fps"}
    assert list(method_cards.checked(SUITE, given).items()) == [
        ("sampling", "1 fps"),
        ("size", "8B"),
    ]
    assert method_cards.checked(SUITE, {"size": " ", "sampling": ""}) == {}
    assert method_cards.checked(SUITE, {}) == {}


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"sampling": "2 fps"}, "must be one of: 64 frames, 1 fps"),
        ({"colour": "red"}, "is no field of the card; there are: sampling, size"),
        ({"size": "x" * 81}, "must have 80 characters at most, got 81"),
        ({"size": "8B\n"}, None),  # blanks at the ends are dropped
        ({"size": "8\nB"}, "must be printable, on one line"),
        ({"size": "8\0B"}, "must be printable, on one line"),
        ({"size": "\u202e8B"}, "must be printable, on one line"),
    ],
)
def test_what_a_card_cannot_hold_is_told_with_what_it_can(given, told):
    if told is None:
        assert method_cards.checked(SUITE, given) == {"size": "8B"}
        return
    with pytest.raises(ValidationError) as caught:
        method_cards.checked(SUITE, given)
    assert caught.value.message_dict == {next(iter(given)): [told]}
    assert method_cards.sound(SUITE, {**given, "sampling": "1 fps"}).keys() <= {
        "sampling"
    }


def test_every_field_that_is_wrong_is_told():
    with pytest.raises(ValidationError) as caught:
        method_cards.checked(SUITE, {"sampling": "no", "size": "\0", "other": "x"})
    assert caught.value.message_dict.keys() == {"sampling", "size", "other"}


def test_filters_are_what_an_address_asks_of_cards():
    asked = {"subset": "overall", "card.size": "8B", "card.": "x", "cards.a": "y"}
    assert method_cards.filters(asked) == {"size": "8B", "": "x"}


def test_what_a_card_said_before_its_suite_changed_is_not_shown():
    said = method_cards.said(SUITE, {"colour": "red", "size": "8B", "sampling": ""})
    assert [(one.field.label, one.value) for one in said] == [("Size", "8B")]
