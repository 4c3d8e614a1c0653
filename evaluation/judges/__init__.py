"""Judges: what rates a sentence against a phrase, 0 to 5.

`Judge` is the one protocol; back ends live in modules beside this one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

Kind = Literal["attribute", "relation", "key_state"]


@dataclass(frozen=True)
class Question:
    """How well does `sentence` contain the concept of `phrase`?"""

    kind: Kind
    sentence: str
    phrase: str


@dataclass(frozen=True, kw_only=True)
class Answer:
    """A judge's reply: `score` is 0-5, or None when it could not be read as one."""

    text: str
    score: int | None
    is_cached: bool = False


class JudgeUnavailable(Exception):
    """The judge cannot be reached for now; the shard should wait, not fail."""


class Judge(Protocol):
    @property
    def judge_id(self) -> str:
        """Name, model and prompt hash; a board never ranks two ids together."""

    def ask(self, questions: Sequence[Question]) -> list[Answer]:
        """Answer all questions, in order. Raises JudgeUnavailable."""
