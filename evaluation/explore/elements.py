"""Error types: each annotated element gets exactly one label, so that they add up.

Elements are a scene's distinct objects, every object's attribute phrase, every
relation phrase and every key state.
"""

from collections.abc import Sequence

from evaluation.explore.matching import Match
from evaluation.explore.rating import Ratings
from evaluation.suite import ErrorType

RIGHT_FROM = 3  # of 5

ERRORS = (
    ErrorType(
        key="object_missed",
        label="Object missed",
        meaning="No noun of the description is the object's best match",
    ),
    ErrorType(
        key="attribute_wrong",
        label="Attribute wrong",
        meaning="The judge gives an object's attributes less than 3 of 5",
    ),
    ErrorType(
        key="relation_wrong",
        label="Relation wrong",
        meaning="The judge gives a relation less than 3 of 5",
    ),
    ErrorType(
        key="key_state_wrong",
        label="Key state wrong",
        meaning="The judge gives an abnormal scene's key state less than 3 of 5",
    ),
    ErrorType(
        key="right",
        label="Right",
        meaning="The object is matched, or the judge gives at least 3 of 5",
        is_right=True,
    ),
)


def count_errors(match: Match, ratings: Ratings) -> dict[str, int]:
    """How many elements of one scene carry each label."""
    wrong = {
        "object_missed": sum(not nouns for nouns in match.nouns),
        "attribute_wrong": _below(ratings.attributes),
        "relation_wrong": _below(ratings.relations),
        "key_state_wrong": _below(ratings.key_states),
    }
    elements = (
        len(match.nouns)
        + len(ratings.attributes)
        + len(ratings.relations)
        + len(ratings.key_states)
    )
    return {**wrong, "right": elements - sum(wrong.values())}


def _below(scores: Sequence[int]) -> int:
    return sum(score < RIGHT_FROM for score in scores)
