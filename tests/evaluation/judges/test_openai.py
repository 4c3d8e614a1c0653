"""The OpenAI judge against a real server on a socket, with failures on purpose."""

import socket
from collections.abc import Iterator

import pytest

from evaluation.judges import JudgeUnavailable, Question, retrying
from evaluation.judges.cache import CachedJudge, MemoryStore
from evaluation.judges.chat import check_status
from evaluation.judges.conversation import Endpoint, trusted
from evaluation.judges.lexical import LexicalJudge
from evaluation.judges.openai import OpenAIJudge
from evaluation.judges.prompts import DEFAULT_PROFILE, make_profile, messages
from evaluation.judges.retrying import Breaker, RetryPolicy, wished_pause
from tests.evaluation.judges.chat_server import MODEL, ChatServer, running

FAST = RetryPolicy(base_s=0.001, longest_s=0.01, attempts=16)
A = Question("attribute", "a red cup", "red cup")


def questions(count: int) -> list[Question]:
    kinds = ("attribute", "relation", "key_state")
    return [
        Question(kinds[n % 3], f"a red cup on shelf {n % 7}", f"red cup {n}")
        for n in range(count)
    ]


def a_judge(server: ChatServer, **changes: object) -> OpenAIJudge:
    options: dict[str, object] = {"concurrency": 16, "timeout_s": 5.0, **changes}
    endpoint = Endpoint(url=server.url, model=MODEL, **options)  # type: ignore[arg-type]
    return OpenAIJudge(endpoint, policy=FAST)


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with running(ChatServer()) as ready:
        yield ready


def test_questions_are_answered_in_order(server: ChatServer) -> None:
    asked = questions(100)

    assert a_judge(server).ask(asked) == LexicalJudge().ask(asked)
    assert server.seen["answered"] == 100


def test_the_request_is_greedy_short_and_without_thinking(server: ChatServer) -> None:
    a_judge(server, api_key="secret").ask([A])

    assert server.requests == [
        {
            "model": MODEL,
            "messages": messages(DEFAULT_PROFILE, A),
            "temperature": 0,
            "max_tokens": 256,
            "stream": False,
            "chat_template_kwargs": {"enable_thinking": False},
        }
    ]
    assert server.headers[0]["authorization"] == "Bearer secret"


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_failures_of_every_kind_change_no_answer(seed: int) -> None:
    failures = {
        "429": 0.06,
        "500": 0.06,
        "503": 0.04,
        "half": 0.06,
        "garbage": 0.06,
        "empty": 0.04,
        "slow": 0.04,
        "timeout": 0.03,
    }
    asked = questions(200)

    with running(ChatServer(failures=failures, seed=seed)) as server:
        answers = a_judge(server, timeout_s=1.0).ask(asked)

    assert answers == LexicalJudge().ask(asked)
    assert set(failures) <= set(server.seen)


def test_a_wish_to_wait_is_honoured_and_opens_no_breaker() -> None:
    policy = RetryPolicy(base_s=60, longest_s=60, failures_to_open=2)
    server = ChatServer(script=["429"] * 5, retry_after="0")

    with running(server):
        endpoint = Endpoint(url=server.url, model=MODEL)
        answer = OpenAIJudge(endpoint, policy=policy).ask([A])[0]

    assert answer.score == 5
    assert server.seen == {"429": 5, "answered": 1}


def test_a_wish_to_wait_for_long_parks_the_work() -> None:
    with (
        running(ChatServer(script=["429"], retry_after="3600")) as server,
        pytest.raises(JudgeUnavailable, match="asks to wait 3600 s"),
    ):
        a_judge(server).ask([A])


def test_a_server_that_only_fails_is_left_alone_soon() -> None:
    with (
        running(ChatServer(failures={"500": 1.0})) as server,
        pytest.raises(JudgeUnavailable, match="failed 32 times in a row"),
    ):
        a_judge(server).ask(questions(500))

    assert 32 <= server.seen["500"] <= 48


def test_one_question_that_never_gets_a_reply_parks_the_work() -> None:
    with (
        running(ChatServer(script=["500"] * 16)) as server,
        pytest.raises(JudgeUnavailable, match="no readable reply in 16 attempts"),
    ):
        a_judge(server).ask([A])


def test_a_judge_that_is_down_is_unavailable() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        judge = OpenAIJudge(Endpoint(url=url, model=MODEL), policy=FAST)

        with pytest.raises(JudgeUnavailable):
            judge.ask([A])


def test_killed_in_the_middle_and_restarted_it_loses_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("evaluation.judges.cache.BATCH", 50)
    store, asked = MemoryStore(), questions(200)
    port = free_port()
    with running(ChatServer(dies_after=120), port) as dying:
        judge = a_judge(dying)
        with pytest.raises(JudgeUnavailable):
            CachedJudge(judge, store).ask(asked)
    with pytest.raises(JudgeUnavailable):
        CachedJudge(judge, store).ask(asked)

    with running(ChatServer(), port) as back:
        answers = CachedJudge(judge, store).ask(asked)

    assert [a.score for a in answers] == [a.score for a in LexicalJudge().ask(asked)]
    assert back.seen["answered"] == 100  # two whole batches were kept


def test_a_server_with_another_model_is_refused() -> None:
    with (
        running(ChatServer(model="other-model")) as server,
        pytest.raises(JudgeUnavailable, match="offers other-model, not 'tiny-judge'"),
    ):
        a_judge(server).ask([A])


def test_an_answer_by_another_model_is_refused() -> None:
    with (
        running(ChatServer(answering_as="other-model")) as server,
        pytest.raises(JudgeUnavailable, match="answers as 'other-model'"),
    ):
        a_judge(server).ask([A])


@pytest.mark.parametrize("status", ["401", "404", "400 unknown field"])
def test_a_refusal_needs_a_person_and_scores_nothing(status: str) -> None:
    with (
        running(ChatServer(script=[status])) as server,
        pytest.raises(JudgeUnavailable, match=f"status {status[:3]}"),
    ):
        a_judge(server).ask([A])


def test_a_refusal_tells_its_kind_but_never_the_prompt() -> None:
    told = b'{"error": {"type": "invalid_request_error", "message": "red cup"}}'
    other = b'{"error": {"type": "red cup!", "message": "red cup"}}'

    for body, words in ((told, "status 400 (invalid_request_error);"), (other, "400;")):
        with pytest.raises(JudgeUnavailable) as refused:
            check_status(400, body)
        assert words in str(refused.value)
        assert "red cup" not in str(refused.value)


def test_a_question_beyond_the_context_has_no_score() -> None:
    script = ["400 exceeds the maximum context length"]
    with running(ChatServer(script=script)) as server:
        answers = a_judge(server).ask([A])

    assert answers[0].score is None


def test_replies_that_are_no_score_are_left_to_the_caller(server: ChatServer) -> None:
    server.replies["red cup"] = ["between 1 and 9", "nine"]
    judge = a_judge(server)

    assert [judge.ask([A])[0].score for _ in range(2)] == [1, None]


def test_no_question_means_no_request(server: ChatServer) -> None:
    assert a_judge(server).ask([]) == []
    assert server.requests == []


def test_the_judge_id_names_model_and_wording_but_not_the_server() -> None:
    words = dict.fromkeys(("attribute", "relation", "key_state"), "{sentence}{phrase}")
    other = make_profile(system="x", **words)
    ids = [
        OpenAIJudge(Endpoint(url="http://a/v1", model="m")).judge_id,
        OpenAIJudge(Endpoint(url="http://b/v1", model="m")).judge_id,
        OpenAIJudge(Endpoint(url="http://a/v1", model="n")).judge_id,
        OpenAIJudge(Endpoint(url="http://a/v1", model="m"), other).judge_id,
    ]

    assert ids[0] == ids[1]
    assert len(set(ids)) == 3


def test_certificates_are_checked_unless_the_address_is_plain_http() -> None:
    assert trusted(Endpoint(url="http://judge/v1", model="m")) is False
    for url in ("https://judge/v1", "HTTPS://judge/v1"):
        assert trusted(Endpoint(url=url, model="m"))


def test_the_key_is_not_shown() -> None:
    assert "secret" not in repr(Endpoint(url="http://a", model="m", api_key="secret"))


def test_pauses_grow_with_jitter_and_repeat_for_a_question() -> None:
    policy = RetryPolicy(base_s=1.0, longest_s=8.0)
    pauses = [policy.pause(n, "question", None) for n in range(8)]

    assert pauses == [policy.pause(n, "question", None) for n in range(8)]
    for n, pause in enumerate(pauses):
        assert min(8.0, 2.0**n) / 2 <= pause <= min(8.0, 2.0**n)
    assert policy.pause(0, "question", None) != policy.pause(0, "another", None)


def test_one_question_does_not_wait_longer_than_the_longest_silence() -> None:
    """A deadline of whoever asks is kept, however few failures there are to count."""
    policy = RetryPolicy(base_s=1.0, longest_s=60.0, longest_silence_s=0.2)
    with running(ChatServer()) as server:
        url = server.url
    judge = OpenAIJudge(Endpoint(url=url, model=MODEL), policy=policy)

    with pytest.raises(JudgeUnavailable, match="has not answered for 0 s"):
        judge.ask([A])


def test_a_reply_ends_the_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter([0.0, 20.0, 40.0, 51.0])
    monkeypatch.setattr(retrying.time, "monotonic", lambda: next(now))
    breaker = Breaker(100, 30.0)  # at 0
    breaker.bear(10.0, "refused")  # at 20
    breaker.succeeded()  # at 40
    breaker.bear(19.0, "refused")  # at 51


def test_a_success_closes_the_breaker() -> None:
    breaker = Breaker(2)
    breaker.failed("x")
    breaker.succeeded()
    breaker.failed("x")

    with pytest.raises(JudgeUnavailable, match="2 times in a row, last: y"):
        breaker.failed("y")


@pytest.mark.parametrize(
    ("header", "date", "seconds"),
    [
        (None, None, None),
        ("7", None, 7.0),
        ("soon", None, None),
        (
            "Wed, 21 Oct 2026 07:28:05 GMT",
            "Wed, 21 Oct 2026 07:28:00 GMT",
            5.0,
        ),
        ("Wed, 21 Oct 2026 07:28:05 GMT", None, None),
        ("Wed, 21 Oct 2026 07:27:05 GMT", "Wed, 21 Oct 2026 07:28:00 GMT", 0.0),
    ],
)
def test_retry_after_is_seconds_or_a_date(
    header: str | None, date: str | None, seconds: float | None
) -> None:
    assert wished_pause(header, date) == seconds


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
