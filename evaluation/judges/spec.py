"""Judges by name, as the command line and the phases give them."""

from collections.abc import Callable
from pathlib import Path

import httpx

from evaluation.judges import Judge
from evaluation.judges.conversation import Endpoint
from evaluation.judges.lexical import LexicalJudge
from evaluation.judges.openai import OpenAIJudge
from evaluation.judges.prompts import DEFAULT_PROFILE, JudgeProfile
from evaluation.judges.recorded import read_recording
from evaluation.judges.retrying import RetryPolicy
from evaluation.judges.transformers import load_judge
from evaluation.problems import InvalidUpload, Problem

FORMS = "lexical, recorded:FILE.jsonl, openai:MODEL@URL or transformers:MODEL"


class InvalidSpec(InvalidUpload):
    """A judge's name that names no judge."""

    def __init__(self, detail: str) -> None:
        super().__init__([Problem(code="judge", detail=detail)])


def from_spec(
    spec: str,
    *,
    profile: JudgeProfile = DEFAULT_PROFILE,
    api_key: str = "",
    concurrency: int = 64,
    policy: RetryPolicy | None = None,
) -> Judge:
    """The judge named. Raises InvalidSpec; recordings and models are read here."""
    kind, _, rest = spec.partition(":")

    def openai() -> Judge:
        endpoint = _endpoint(rest, api_key=api_key, concurrency=concurrency)
        return OpenAIJudge(endpoint, profile, policy)

    makers: dict[str, Callable[[], Judge]] = {
        "lexical": LexicalJudge,
        "recorded": lambda: _recorded(rest),
        "openai": openai,
        "transformers": lambda: _transformers(rest, profile),
    }
    if kind not in makers or bool(rest) == (kind == "lexical"):
        raise InvalidSpec(f"{spec!r} names no judge; give {FORMS}")
    return makers[kind]()


def is_comparable(judge_id: str) -> bool:
    """Whether a judge's numbers may stand beside others of the same judge."""
    return not judge_id.startswith("lexical")


def _recorded(file: str) -> Judge:
    path = Path(file)
    if not path.is_file():
        raise InvalidSpec(f"{file} is not a file; give recorded:FILE.jsonl")
    try:
        return read_recording(path)
    except ValueError as error:
        raise InvalidSpec(f"{file} is no recording: {error}") from error


def _transformers(folder: str, profile: JudgeProfile) -> Judge:
    try:
        return load_judge(folder, profile=profile)
    except OSError as error:  # the library's for a folder or cache without a model
        detail = f"{folder!r} is no folder of a model; give transformers:FOLDER"
        raise InvalidSpec(detail) from error


def _endpoint(rest: str, *, api_key: str, concurrency: int) -> Endpoint:
    model, _, url = rest.rpartition("@")
    try:
        parsed = httpx.URL(url)
    except httpx.InvalidURL as error:
        raise InvalidSpec(f"{url!r} is no URL: {error}") from error
    if not model or parsed.scheme not in ("http", "https") or not parsed.host:
        raise InvalidSpec(
            f"'openai:{rest}' lacks a model or a URL; give openai:MODEL@http://HOST/v1"
        )
    return Endpoint(url=url, model=model, api_key=api_key, concurrency=concurrency)
