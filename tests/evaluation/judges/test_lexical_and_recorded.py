"""The two judges without a model."""

import json
from pathlib import Path

import pytest

from evaluation.judges import Question
from evaluation.judges.lexical import LexicalJudge, overlap
from evaluation.judges.recorded import NotRecorded, RecordedJudge


@pytest.mark.parametrize(
    ("sentence", "phrase", "score"),
    [
        ("A red cup", "a red cup", 5),
        ("A red cup", "the blue cup", 3),  # 2.5 rounds up
        ("A red cup", "red cup on table tonight", 2),
        ("A RED cup", "Red", 5),
        ("cups", "cup", 0),
        ("anything", "the", 0),
        ("", "cup", 0),
        ("red red red", "red blue green grey black white pink gold rose teal", 1),
    ],
)
def test_overlap_is_five_times_the_share_rounded_half_up(
    sentence: str, phrase: str, score: int
) -> None:
    assert overlap(sentence, phrase) == score
    answer = LexicalJudge().ask([Question("relation", sentence, phrase)])[0]
    assert answer.score == score


def test_the_lexical_judge_says_that_it_is_not_comparable() -> None:
    assert "not comparable" in LexicalJudge().judge_id


def test_the_lexical_formula_is_the_recorded_one(shared_data: Path) -> None:
    file = shared_data / "explore" / "judge" / "terse.jsonl"
    calls = [json.loads(line) for line in file.read_text().splitlines()]

    assert [overlap(c["sentence"], c["phrase"]) for c in calls] == [
        call["score"] for call in calls
    ]


def a_recording(*calls: dict[str, object]) -> bytes:
    return b"\n".join(json.dumps(call).encode() for call in calls)


def a_call(**changes: object) -> dict[str, object]:
    return {"kind": "attribute", "sentence": "s", "phrase": "p", "score": 3, **changes}


def test_a_recording_is_replayed_by_kind_sentence_and_phrase() -> None:
    judge = RecordedJudge(a_recording(a_call(), a_call(kind="relation", score=1)))

    answers = judge.ask(
        [Question("relation", "s", "p"), Question("attribute", "s", "p")]
    )

    assert [answer.score for answer in answers] == [1, 3]


def test_a_recorded_text_is_parsed_like_a_reply() -> None:
    judge = RecordedJudge(a_recording(a_call(score=None, text="I say 45")))

    answer = judge.ask([Question("attribute", "s", "p")])[0]

    assert (answer.text, answer.score) == ("I say 45", None)


def test_minus_one_stands_for_a_reply_without_a_number() -> None:
    judge = RecordedJudge(a_recording(a_call(score=-1)))

    assert judge.ask([Question("attribute", "s", "p")])[0].text == ""


def test_a_missing_call_is_an_error() -> None:
    judge = RecordedJudge(a_recording(a_call()))

    with pytest.raises(NotRecorded, match="lacks a question about a relation"):
        judge.ask([Question("relation", "s", "p")])


@pytest.mark.parametrize(
    "line", [b"{", b'{"kind": "size"}', json.dumps(a_call(score=None)).encode()]
)
def test_a_broken_line_is_named(line: bytes) -> None:
    with pytest.raises(ValueError, match="line 2 of the recording"):
        RecordedJudge(a_recording(a_call()) + b"\n" + line)


def test_two_recordings_are_two_judges() -> None:
    one, other = RecordedJudge(a_recording(a_call())), RecordedJudge(a_recording())

    assert one.judge_id != other.judge_id
