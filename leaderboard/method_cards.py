"""The method card: what a suite asks about a method; boards are filtered by it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.core.exceptions import ValidationError

from evaluation.suite import AnySuite, CardField

MAX_LENGTH = 80  # characters of a free text
PREFIX = "card."  # of a filter in an address: `?card.strategy=stepwise`


@dataclass(frozen=True, kw_only=True)
class Said:
    """One answer on a card, with the question."""

    field: CardField
    value: str


def check_printable(text: str) -> None:
    """A validator of names that stand on boards and in terminals."""
    if not text.isprintable():
        message = "must be printable, on one line"
        raise ValidationError(message, code="not_printable")


def check_value(field: CardField, value: str) -> None:
    """Raises ValidationError for what a field cannot hold, saying what it can."""
    if field.choices and value not in field.choices:
        choices = ", ".join(field.choices)
        raise ValidationError(f"must be one of: {choices}", code="unknown_choice")
    if len(value) > MAX_LENGTH:
        message = f"must have {MAX_LENGTH} characters at most, got {len(value)}"
        raise ValidationError(message, code="too_long")
    check_printable(value)


def checked(suite: AnySuite, given: Mapping[str, str]) -> dict[str, str]:
    """The card as it is kept: known fields, in the suite's order, none empty.

    Raises ValidationError, for every field that is wrong.
    """
    known = {field.key: field for field in suite.card_fields}
    stripped = {key: value.strip() for key, value in given.items()}
    wrong: dict[str, ValidationError] = {}
    for key, value in stripped.items():
        try:
            _check(known, key, value)
        except ValidationError as error:
            wrong[key] = error
    if wrong:
        raise ValidationError(wrong)
    return {key: stripped[key] for key in known if stripped.get(key)}


def sound(suite: AnySuite, given: Mapping[str, str]) -> dict[str, str]:
    """The part of what was given that the suite's card could hold."""
    found: dict[str, str] = {}
    for key, value in given.items():
        try:
            found |= checked(suite, {key: value})
        except ValidationError:
            continue
    return found


def filters(asked: Mapping[str, str]) -> dict[str, str]:
    """What an address's query asks of cards, by field."""
    return {
        name.removeprefix(PREFIX): asked[name]
        for name in asked
        if name.startswith(PREFIX)
    }


def said(suite: AnySuite, card: Mapping[str, str]) -> Sequence[Said]:
    """A card's answers to the suite's questions, in its order."""
    return [
        Said(field=field, value=card[field.key])
        for field in suite.card_fields
        if card.get(field.key)
    ]


def _check(known: Mapping[str, CardField], key: str, value: str) -> None:
    if key not in known:
        there = ", ".join(known) or "none"
        message = f"is no field of the card; there are: {there}"
        raise ValidationError(message, code="unknown_field")
    if value:
        check_value(known[key], value)
