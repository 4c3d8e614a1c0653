"""A judge that replays a recording; what it never heard is an error."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import msgspec

from evaluation.judges import Answer, Kind, Question
from evaluation.judges.answers import answer_of
from evaluation.problems import InvalidUpload, Problem


class Recorded(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a recording: a question, and its score or the whole reply."""

    kind: Literal["attribute", "relation", "key_state"]
    sentence: str
    phrase: str
    score: int | None = None
    text: str | None = None


class NotRecorded(InvalidUpload):
    """The recording lacks a question: it belongs to other predictions."""

    def __init__(self, question: Question) -> None:
        # The phrase is an annotation, which no message may show.
        detail = (
            f"the recording lacks a question about a {question.kind};"
            " record these predictions first"
        )
        super().__init__([Problem(code="not_recorded", detail=detail)])


class RecordedJudge:
    """Answers by kind, sentence and phrase; of repeated questions the last counts."""

    def __init__(self, recording: bytes) -> None:
        digest = hashlib.sha256(recording).hexdigest()
        self._judge_id = f"recorded sha256:{digest[:16]}"
        self._answers: dict[tuple[Kind, str, str], Answer] = {}
        for number, line in enumerate(recording.splitlines(), start=1):
            if line.strip():
                call = _decode(line, number)
                text = _reply(call) if call.text is None else call.text
                key = (call.kind, call.sentence, call.phrase)
                self._answers[key] = answer_of(text)

    @property
    def judge_id(self) -> str:
        return self._judge_id

    def ask(self, questions: Sequence[Question]) -> list[Answer]:
        """Replay. Raises NotRecorded."""
        return [self._replay(question) for question in questions]

    def _replay(self, question: Question) -> Answer:
        key = (question.kind, question.sentence, question.phrase)
        if key not in self._answers:
            raise NotRecorded(question)
        return self._answers[key]


def read_recording(path: Path) -> RecordedJudge:
    """The judge of a JSONL file of {"kind", "sentence", "phrase", "score"}."""
    return RecordedJudge(path.read_bytes())


def _reply(call: Recorded) -> str:
    """A reply that reads as the score; -1 stands for a reply without a number."""
    return "" if call.score is None or call.score < 0 else str(call.score)


def _decode(line: bytes, number: int) -> Recorded:
    try:
        call = msgspec.json.decode(line, type=Recorded)
    except msgspec.DecodeError as error:
        raise ValueError(f"line {number} of the recording: {error}") from error
    if call.score is None and call.text is None:
        raise ValueError(f"line {number} of the recording needs a score or a text")
    return call
