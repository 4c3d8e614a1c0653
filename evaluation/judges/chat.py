"""The OpenAI chat protocol: what is sent, and what came back."""

import re
from collections.abc import Sequence

import msgspec

from evaluation.judges import Answer, JudgeUnavailable, Question
from evaluation.judges.answers import answer_of
from evaluation.judges.prompts import MAX_NEW_TOKENS, JudgeProfile, messages
from evaluation.problems import shown

TOO_MANY = 429
TRY_AGAIN = frozenset({408, 409, 425, TOO_MANY})
WORD = re.compile(r"\w{1,40}")
TOO_LONG = (b"context length", b"context_length", b"maximum context", b"too long")


class BrokenReply(Exception):
    """The judge failed in a way that may pass. `is_busy`: it asked for patience."""

    def __init__(
        self, cause: str, *, wish_s: float | None = None, is_busy: bool = False
    ) -> None:
        super().__init__(cause)
        self.wish_s = wish_s
        self.is_busy = is_busy


class _Message(msgspec.Struct):
    content: str | None = None


class _Choice(msgspec.Struct):
    message: _Message


class _Completion(msgspec.Struct):
    choices: list[_Choice]
    model: str | None = None


class _Model(msgspec.Struct):
    id: str


class _Models(msgspec.Struct):
    data: list[_Model]


class _Error(msgspec.Struct):
    type: str | None = None


class _Failure(msgspec.Struct):
    error: _Error


def request_body(model: str, profile: JudgeProfile, question: Question) -> bytes:
    """A completion request: greedy, at most 256 new tokens, thinking off."""
    body = {
        "model": model,
        "messages": messages(profile, question),
        "temperature": 0,
        "max_tokens": MAX_NEW_TOKENS,
        "stream": False,
        "chat_template_kwargs": {"enable_thinking": False},
    }
    return msgspec.json.encode(body)


def read_completion(status: int, body: bytes, model: str) -> Answer:
    """The answer in a reply. Raises BrokenReply or JudgeUnavailable.

    A question that exceeds the model's context has no answer, and never will.
    """
    if status in (400, 413, 422) and any(sign in body.lower() for sign in TOO_LONG):
        return Answer(text="", score=None)
    check_status(status, body)
    try:
        reply = msgspec.json.decode(body, type=_Completion)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BrokenReply(f"unreadable reply: {error}") from error
    if not reply.choices:
        raise BrokenReply("a reply without choices")
    if reply.model is not None and not serves(reply.model, model):
        raise JudgeUnavailable(
            f"the server answers as {shown(reply.model)!r}, expected {model!r}"
        )
    return answer_of(reply.choices[0].message.content or "")


def check_models(status: int, body: bytes, model: str) -> None:
    """Whether the server offers the model. Raises BrokenReply or JudgeUnavailable."""
    check_status(status, body)
    try:
        offered = [each.id for each in msgspec.json.decode(body, type=_Models).data]
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BrokenReply(f"unreadable list of models: {error}") from error
    if model not in offered:
        raise JudgeUnavailable(
            f"the server offers {_listed(offered)}, not {model!r}; start it with"
            " that model or change the judge"
        )


def check_status(status: int, body: bytes) -> None:
    """Raise BrokenReply for what may pass, JudgeUnavailable for what needs a person."""
    if status in TRY_AGAIN or status >= 500:
        raise BrokenReply(f"status {status}", is_busy=status == TOO_MANY)
    if status != 200:
        raise JudgeUnavailable(
            f"the judge refuses with status {status}{_error_type(body)};"
            " check its address, key and model"
        )


def serves(answering: str, model: str) -> bool:
    """Whether a name is the model's, or a dated version of it ("m-2026-01-01")."""
    return answering == model or answering.startswith(f"{model}-")


def _error_type(body: bytes) -> str:
    """The server's word for an error. Its text may repeat the prompt, hence secrets."""
    try:
        kind = msgspec.json.decode(body, type=_Failure).error.type or ""
    except (msgspec.DecodeError, UnicodeDecodeError):
        return ""
    return f" ({kind})" if WORD.fullmatch(kind) else ""


def _listed(names: Sequence[str]) -> str:
    return ", ".join(shown(name) for name in names[:5]) or "no model"
