"""Reading replies as scores, and asking once more."""

from collections.abc import Sequence

import pytest

from evaluation.judges import Answer, Question
from evaluation.judges.answers import answer_of, ask_once_each, first_number, score_of

A = Question("attribute", "a red cup", "red cup")
B = Question("relation", "a red cup", "red cup")


class ScriptedJudge:
    """Says the next of a list of replies to each question."""

    judge_id = "scripted"

    def __init__(self, replies: dict[Question, list[str]]) -> None:
        self.replies = replies
        self.asked: list[list[Question]] = []

    def ask(self, questions: Sequence[Question]) -> list[Answer]:
        self.asked.append(list(questions))
        return [answer_of(self.replies[question].pop(0)) for question in questions]


@pytest.mark.parametrize(
    ("text", "number", "score"),
    [
        ("3", 3, 3),
        ("Score: 4", 4, 4),
        ("4.5", 4, 4),
        ("5/5", 5, 5),
        ("45", 45, None),
        ("6", 6, None),
        ("-1", 1, None),
        ("\u22121", 1, None),
        ("five", -1, None),
        ("", -1, None),
        ("On a scale from 0 to 5: 4", 0, 0),
        ("<think>\n\n</think>\n\n2", 2, 2),
        ("3-4", 3, 3),
        ("\uff13", 3, 3),
        ("\u0664", 4, 4),
        ("\u00b3", -1, None),
        ("9" * 5000, int("9" * 18), None),
    ],
)
def test_the_first_number_counts_when_it_is_a_score(
    text: str, number: int, score: int | None
) -> None:
    assert first_number(text) == number
    assert score_of(text) == score


def test_a_repeated_question_is_asked_once() -> None:
    judge = ScriptedJudge({A: ["2"], B: ["3"]})

    replies = ask_once_each(judge, [A, B, A, A], retry_invalid=True)

    assert judge.asked == [[A, B]]
    assert {q: a.score for q, a in replies.answers.items()} == {A: 2, B: 3}
    assert (replies.asked, replies.retried, replies.invalid) == (2, 0, 0)


def test_an_unreadable_answer_is_asked_once_more_and_then_stands() -> None:
    judge = ScriptedJudge({A: ["none", "4"], B: ["none", "none"]})

    replies = ask_once_each(judge, [A, B], retry_invalid=True)

    assert judge.asked == [[A, B], [A, B]]
    assert [replies.answers[q].score for q in (A, B)] == [4, None]
    assert (replies.retried, replies.invalid) == (2, 1)


def test_the_released_way_never_asks_again() -> None:
    judge = ScriptedJudge({A: ["none"]})

    assert ask_once_each(judge, [A], retry_invalid=False).invalid == 1


def test_nothing_to_ask_asks_nothing() -> None:
    judge = ScriptedJudge({})

    assert ask_once_each(judge, [], retry_invalid=True).answers == {}
    assert judge.asked == []
