"""Links that filter a board by what method cards say."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.http import QueryDict

from evaluation.suite import CardField
from leaderboard.boards import Board
from leaderboard.method_cards import PREFIX, said


@dataclass(frozen=True, kw_only=True)
class Choice:
    label: str
    query: str  # of the address that shows it
    is_current: bool


@dataclass(frozen=True, kw_only=True)
class Tag:
    """An answer on a method's card."""

    label: str
    value: str
    query: str


@dataclass(frozen=True, kw_only=True)
class Filter:
    """A field of the card, with all that can be chosen. The first choice is all."""

    field: CardField
    choices: Sequence[Choice]


def filters(board: Board, asked: QueryDict) -> list[Filter]:
    """A line of choices per field; one of free text only while it is filtered by."""
    if not board.total and not board.card:
        return []
    return [
        _filter(board, field, asked)
        for field in board.suite.card_fields
        if field.choices or field.key in board.card
    ]


def tags(board: Board, card: Mapping[str, str], asked: QueryDict) -> list[Tag]:
    """What a card says, each with a link to all that say the same."""
    return [
        Tag(
            label=one.field.label,
            value=one.value,
            query=query(asked, one.field.key, one.value),
        )
        for one in said(board.suite, card)
    ]


def query(asked: QueryDict, field: str, value: str) -> str:
    """The query that asks the same, but this of the field; "" lifts the filter."""
    changed = asked.copy()
    changed.pop("page", None)
    changed.pop(PREFIX + field, None)
    if value:
        changed[PREFIX + field] = value
    return f"?{changed.urlencode()}"


def api_query(board: Board) -> str:
    """What to ask the API for the same board, whichever page of it is shown."""
    query = QueryDict(mutable=True)
    query["subset"], query["sort"] = board.subset, board.metric.key
    query["order"] = "worst_first" if board.is_worst_first else "best_first"
    for field, value in board.card.items():
        query[PREFIX + field] = value
    return query.urlencode()


def _filter(board: Board, field: CardField, asked: QueryDict) -> Filter:
    current = board.card.get(field.key, "")
    values = field.choices or (current,)
    everything = Choice(
        label="All", query=query(asked, field.key, ""), is_current=not current
    )
    return Filter(
        field=field,
        choices=[
            everything,
            *(
                Choice(
                    label=value,
                    query=query(asked, field.key, value),
                    is_current=value == current,
                )
                for value in values
            ),
        ],
    )
