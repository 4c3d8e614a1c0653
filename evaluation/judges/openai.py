"""A judge behind any server that speaks the OpenAI protocol, such as vLLM."""

import asyncio
from collections.abc import Iterator, Sequence

from evaluation.judges import Answer, JudgeUnavailable, Question
from evaluation.judges.cache import question_key
from evaluation.judges.chat import check_models, read_completion, request_body
from evaluation.judges.conversation import (
    Conversation,
    Endpoint,
    Trust,
    connect,
    trusted,
)
from evaluation.judges.prompts import DEFAULT_PROFILE, JudgeProfile, fingerprint
from evaluation.judges.retrying import Breaker, RetryPolicy


class OpenAIJudge:
    """Asks many questions at once and gives up, for now, when the server is down.

    A bad reply (429, 5xx, timeout, half a body, garbage) is asked again with growing
    pauses; many in a row, or one question failing to the end, raise JudgeUnavailable.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        profile: JudgeProfile = DEFAULT_PROFILE,
        policy: RetryPolicy | None = None,
    ) -> None:
        self._endpoint = endpoint
        self._profile = profile
        self._policy = policy or RetryPolicy()
        self._is_checked = False

    @property
    def judge_id(self) -> str:
        return f"openai {self._endpoint.model} prompts:{fingerprint(self._profile)}"

    def ask(self, questions: Sequence[Question]) -> list[Answer]:
        """Answer all questions, in order. Raises JudgeUnavailable."""
        return asyncio.run(self._ask_all(questions)) if questions else []

    async def _ask_all(self, questions: Sequence[Question]) -> list[Answer]:
        answers: dict[int, Answer] = {}
        waiting = iter(enumerate(questions))
        workers = min(self._endpoint.concurrency, len(questions))
        breaker = self._breaker()
        trust = trusted(self._endpoint)
        await self._check_model(breaker, trust)
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(workers):
                    group.create_task(self._work(breaker, trust, waiting, answers))
        except* JudgeUnavailable as failed:
            raise JudgeUnavailable(str(failed.exceptions[0])) from failed
        return [answers[index] for index in range(len(questions))]

    async def _work(
        self,
        breaker: Breaker,
        trust: Trust,
        waiting: Iterator[tuple[int, Question]],
        answers: dict[int, Answer],
    ) -> None:
        model = self._endpoint.model
        async with connect(trust) as connection:
            conversation = Conversation(
                connection, self._endpoint, self._policy, breaker
            )
            for index, question in waiting:
                answers[index] = await conversation.request(
                    "POST",
                    "chat/completions",
                    lambda status, body: read_completion(status, body, model),
                    content=request_body(model, self._profile, question),
                    seed=question_key("", question),
                )

    async def _check_model(self, breaker: Breaker, trust: Trust) -> None:
        """Once per judge: the server must offer the model that the judge id names."""
        if self._is_checked:
            return
        model = self._endpoint.model
        async with connect(trust) as connection:
            await Conversation(
                connection, self._endpoint, self._policy, breaker
            ).request(
                "GET",
                "models",
                lambda status, body: check_models(status, body, model),
                seed="models",
            )
        self._is_checked = True

    def _breaker(self) -> Breaker:
        default = max(16, 2 * self._endpoint.concurrency)
        limit = self._policy.failures_to_open or default
        return Breaker(limit, self._policy.longest_silence_s)
