"""Never asking twice."""

from collections.abc import Sequence

import pytest

from evaluation.judges import Answer, JudgeUnavailable, Question, cache
from evaluation.judges.answers import answer_of, ask_once_each
from evaluation.judges.cache import CachedJudge, MemoryStore, question_key

A = Question("attribute", "a red cup", "red cup")
B = Question("relation", "a red cup", "red cup")


class CountedJudge:
    """Answers from a table, fails when told to, counts every question."""

    def __init__(self, replies: dict[Question, str], judge_id: str = "one") -> None:
        self.judge_id = judge_id
        self.replies = replies
        self.asked: list[Question] = []
        self.fails_after = 10**9

    def ask(self, questions: Sequence[Question]) -> list[Answer]:
        if len(self.asked) >= self.fails_after:
            raise JudgeUnavailable("down")
        self.asked += questions
        return [answer_of(self.replies.get(question, "3")) for question in questions]


def test_a_known_answer_is_not_asked_again_even_by_another_wrapper() -> None:
    store = MemoryStore()
    judge = CountedJudge({A: "4"})

    first = CachedJudge(judge, store).ask([A, B])
    second = CachedJudge(judge, store).ask([B, A, A])

    assert judge.asked == [A, B]
    assert [(a.score, a.is_cached) for a in first] == [(4, False), (3, False)]
    assert [(a.score, a.is_cached) for a in second] == [(3, True), (4, True), (4, True)]


def test_judges_do_not_share_answers() -> None:
    store = MemoryStore()
    one, other = CountedJudge({A: "1"}), CountedJudge({A: "2"}, judge_id="other")

    CachedJudge(one, store).ask([A])

    assert CachedJudge(other, store).ask([A])[0].score == 2


def test_an_unreadable_answer_becomes_final_only_when_asked_twice() -> None:
    store = MemoryStore()
    judge = CountedJudge({A: "no idea"})
    cached = CachedJudge(judge, store)

    replies = ask_once_each(cached, [A], retry_invalid=True)
    again = ask_once_each(CachedJudge(judge, store), [A], retry_invalid=True)

    assert judge.asked == [A, A]
    assert (replies.retried, replies.invalid) == (1, 1)
    assert (again.asked, again.cached, again.retried, again.invalid) == (0, 1, 0, 1)


def test_a_retry_that_is_readable_is_what_is_kept() -> None:
    store = MemoryStore()
    judge = CountedJudge({A: "no idea"})
    cached = CachedJudge(judge, store)

    cached.ask([A])
    judge.replies[A] = "2"
    cached.ask([A])

    assert CachedJudge(judge, store).ask([A])[0].score == 2
    assert judge.asked == [A, A]


def test_what_was_answered_before_a_failure_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cache, "BATCH", 10)
    store = MemoryStore()
    judge = CountedJudge({})
    judge.fails_after = 20
    questions = [Question("attribute", f"cup {n}", "cup") for n in range(35)]

    with pytest.raises(JudgeUnavailable):
        CachedJudge(judge, store).ask(questions)
    judge.fails_after = 10**9
    CachedJudge(judge, store).ask(questions)

    assert judge.asked == questions


def test_a_slow_judge_is_left_in_time_and_goes_on_where_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cache, "BATCH", 10)
    clock = iter(range(0, 1000, 20))  # a reading every 20 seconds
    monkeypatch.setattr(cache.time, "monotonic", lambda: next(clock))
    store, judge = MemoryStore(), CountedJudge({})
    questions = [Question("attribute", f"cup {n}", "cup") for n in range(35)]

    with pytest.raises(JudgeUnavailable, match="20 of 35 questions are answered"):
        CachedJudge(judge, store, budget_s=30).ask(questions)
    answers = CachedJudge(judge, store, budget_s=30).ask(questions)

    assert judge.asked == questions
    assert [answer.is_cached for answer in answers] == [True] * 20 + [False] * 15


def test_the_key_keeps_the_parts_apart() -> None:
    keys = {
        question_key("judge", Question("attribute", "ab", "c")),
        question_key("judge", Question("attribute", "a", "bc")),
        question_key("judge", Question("relation", "ab", "c")),
        question_key("judge2", Question("attribute", "ab", "c")),
    }

    assert len(keys) == 4
    assert all(len(key) == 64 for key in keys)
