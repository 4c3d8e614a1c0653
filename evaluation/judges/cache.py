"""Never ask twice: a judge that looks answers up before it asks.

Answers are stored after every batch, so a judge that fails later costs nothing that
was already answered, and who has little time can ask for the rest another time.
"""

import hashlib
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from evaluation.judges import Answer, Judge, JudgeUnavailable, Question

BATCH = 256  # four rounds of 64 questions at once: what a failure may cost


class AnswerStore(Protocol):
    """Where answers live, by judge id and question key."""

    def get(self, judge_id: str, keys: Sequence[str]) -> dict[str, Answer]:
        """The answers known for these keys."""

    def put(self, judge_id: str, answers: Mapping[str, Answer]) -> None:
        """Keep answers; storing one twice is harmless."""


class MemoryStore:
    """An AnswerStore that lasts as long as the process."""

    def __init__(self) -> None:
        self._answers: dict[tuple[str, str], Answer] = {}

    def get(self, judge_id: str, keys: Sequence[str]) -> dict[str, Answer]:
        return {
            key: self._answers[judge_id, key]
            for key in keys
            if (judge_id, key) in self._answers
        }

    def put(self, judge_id: str, answers: Mapping[str, Answer]) -> None:
        self._answers.update({(judge_id, key): a for key, a in answers.items()})


class CachedJudge:
    """A judge with a memory.

    An unreadable answer is stored only when the question was asked before and could
    not be read then either: so the retry really asks, and its outcome is final.
    """

    def __init__(
        self, judge: Judge, store: AnswerStore, budget_s: float = math.inf
    ) -> None:
        """`budget_s`: how long after the first batch another one may begin."""
        self._judge = judge
        self._store = store
        self._budget_s = budget_s
        self._unreadable: set[str] = set()

    @property
    def judge_id(self) -> str:
        return self._judge.judge_id

    def ask(self, questions: Sequence[Question]) -> list[Answer]:
        """Answer from the store where possible. Raises JudgeUnavailable."""
        keys = [question_key(self.judge_id, question) for question in questions]
        known = self._store.get(self.judge_id, list(dict.fromkeys(keys)))
        answers = {k: replace(answer, is_cached=True) for k, answer in known.items()}
        missing = {
            key: question
            for key, question in zip(keys, questions, strict=True)
            if key not in known
        }
        pending, began = list(missing.items()), time.monotonic()
        for start in range(0, len(pending), BATCH):
            if start and time.monotonic() - began > self._budget_s:
                raise JudgeUnavailable(
                    f"it is slow: {start} of {len(pending)} questions are answered "
                    "and kept, the rest is asked next time"
                )
            answers.update(self._ask_batch(pending[start : start + BATCH]))
        return [answers[key] for key in keys]

    def _ask_batch(self, batch: Sequence[tuple[str, Question]]) -> dict[str, Answer]:
        replies = self._judge.ask([question for _, question in batch])
        answers = {key: reply for (key, _), reply in zip(batch, replies, strict=True)}
        final = {
            key: answer
            for key, answer in answers.items()
            if answer.score is not None or key in self._unreadable
        }
        self._store.put(self.judge_id, final)
        self._unreadable.difference_update(final)
        self._unreadable.update(answers.keys() - final.keys())
        return answers


def question_key(judge_id: str, question: Question) -> str:
    """SHA-256 of a question under a judge id, which carries the prompts' hash."""
    digest = hashlib.sha256()
    for part in (judge_id, question.kind, question.sentence, question.phrase):
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()
