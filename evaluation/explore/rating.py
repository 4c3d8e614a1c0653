"""From questions to scores, for all scenes of a shard at once."""

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.explore.questions import Questions
from evaluation.judges import Answer, Judge, Question
from evaluation.judges.answers import Replies, ask_once_each, first_number


@dataclass(frozen=True, kw_only=True)
class Ratings:
    """One scene's scores in annotation order; 0 where the judge was not asked."""

    attributes: tuple[int, ...]
    relations: tuple[int, ...]
    key_states: tuple[int, ...]


class JudgeNeeded(ValueError):
    """EXPLORE-Bench cannot be scored without a judge."""


def rate(
    asked: Sequence[Questions], judge: Judge | None, *, is_strict: bool
) -> tuple[list[Ratings], Replies]:
    """Ask every distinct question of all scenes and hand the scores back.

    Strict: an answer outside 0-5 is asked once more, then counts 0. Compat: the first
    number counts whatever it is, -1 without one. Raises JudgeUnavailable.
    """
    if judge is None:
        raise JudgeNeeded("explore needs a judge; name one, for example `lexical`")
    every = [question for scene in asked for question in scene.in_order]
    replies = ask_once_each(judge, every, retry_invalid=is_strict)
    score = _strict_score if is_strict else _released_score
    scores = {q: score(answer) for q, answer in replies.answers.items()}
    return [
        Ratings(
            attributes=_scores(scene.attributes, scores),
            relations=_scores(scene.relations, scores),
            key_states=_scores(scene.key_states, scores),
        )
        for scene in asked
    ], replies


def _strict_score(answer: Answer) -> int:
    return 0 if answer.score is None else answer.score


def _released_score(answer: Answer) -> int:
    return first_number(answer.text)


def _scores(
    questions: Sequence[Question | None], scores: dict[Question, int]
) -> tuple[int, ...]:
    return tuple(0 if q is None else scores[q] for q in questions)
