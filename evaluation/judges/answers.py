"""Reading a judge's reply as a score, and asking again what could not be read."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.judges import Answer, Judge, Question

DIGITS = re.compile(r"\d+")
SIGNED = re.compile(r"(?<!\w)[-\u2212]\d")
LOWEST, HIGHEST = 0, 5
MAX_DIGITS = 18  # more is no score in any reading
UNREADABLE = -1  # what the released evaluator takes for an answer without digits


def first_number(text: str) -> int:
    """The first run of digits as an integer, -1 without one: the released reading."""
    found = DIGITS.search(text)
    return int(found.group()[:MAX_DIGITS]) if found else UNREADABLE


def score_of(text: str) -> int | None:
    """The score 0-5 in an answer: its first number, None when that is outside 0-5."""
    found = DIGITS.search(text)
    if found is None or SIGNED.match(text, max(found.start() - 1, 0)):
        return None
    number = first_number(text)
    return number if LOWEST <= number <= HIGHEST else None


def answer_of(text: str) -> Answer:
    """A reply as an Answer."""
    return Answer(text=text, score=score_of(text))


@dataclass(frozen=True, kw_only=True)
class Replies:
    """Answers by question, and what asking them took."""

    answers: dict[Question, Answer]
    asked: int = 0
    cached: int = 0
    retried: int = 0
    invalid: int = 0


def ask_once_each(
    judge: Judge, questions: Sequence[Question], *, retry_invalid: bool
) -> Replies:
    """Ask every distinct question once; unreadable answers, if wanted, once more.

    A cached answer is final: it was asked twice when it was stored. Raises
    JudgeUnavailable.
    """
    distinct = list(dict.fromkeys(questions))
    answers = dict(zip(distinct, judge.ask(distinct), strict=True)) if distinct else {}
    cached = sum(answer.is_cached for answer in answers.values())
    again = [
        question
        for question, answer in answers.items()
        if retry_invalid and answer.score is None and not answer.is_cached
    ]
    if again:
        answers.update(zip(again, judge.ask(again), strict=True))
    return Replies(
        answers=answers,
        asked=len(distinct) - cached,
        cached=cached,
        retried=len(again),
        invalid=sum(answer.score is None for answer in answers.values()),
    )
