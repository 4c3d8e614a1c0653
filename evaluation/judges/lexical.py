"""A judge without a model: token overlap. Never comparable with a real judge."""

import re
from collections.abc import Sequence

from evaluation.judges import Answer, Question
from evaluation.judges.answers import answer_of

TOKEN = re.compile(r"\w+")
IGNORED = frozenset({"a", "an", "the", "is", "are", "and", "of"})


class LexicalJudge:
    """Five times the share of the phrase's tokens found in the sentence, rounded."""

    judge_id = "lexical (not comparable)"

    def ask(self, questions: Sequence[Question]) -> list[Answer]:
        return [answer_of(str(overlap(q.sentence, q.phrase))) for q in questions]


def overlap(sentence: str, phrase: str) -> int:
    """5 h / n rounded half up, for n tokens in the phrase, h of them in the sentence."""
    wanted = tokens(phrase)
    found = len(wanted & tokens(sentence))
    return (10 * found + len(wanted)) // (2 * len(wanted)) if wanted else 0


def tokens(text: str) -> frozenset[str]:
    """The distinct words of a text, lower-cased, without articles and the like."""
    return frozenset(TOKEN.findall(text.lower())) - IGNORED
