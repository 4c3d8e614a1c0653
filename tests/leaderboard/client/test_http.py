"""Attempts: what is repeated, with what, and when it is given up."""

from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from leaderboard.client import http
from leaderboard.client.config import Config
from leaderboard.client.faults import INPUTS_FAULT, OUR_FAULT, Refusal, Unreachable
from leaderboard.client.http import Site
from leaderboard.client.packing import Parcel

Handler = Callable[[httpx.Request], httpx.Response]


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    slept: list[float] = []
    monkeypatch.setattr(http.time, "sleep", slept.append)
    return slept


def site(handler: Handler) -> Site:
    config = Config(url="https://example.org", token="ego_1")
    return Site(config, httpx.MockTransport(handler))


def refusing(status: int, code: str, **headers: str) -> httpx.Response:
    body = {"status": status, "code": code, "detail": "No.", "errors": []}
    return httpx.Response(status, json=body, headers=headers)


def test_a_retry_sends_the_whole_file_again_under_the_same_key(
    pauses: list[float], tmp_path: Path
) -> None:
    seen: list[tuple[str, bytes]] = []

    def handler(request: httpx.Request) -> httpx.Response:
        seen.append((request.headers["Idempotency-Key"], request.read()))
        if len(seen) == 1:
            raise httpx.ReadError("connection lost")
        return httpx.Response(503 if len(seen) == 2 else 202, content=b"{}")

    path = tmp_path / "mine.jsonl"
    path.write_bytes(b"predictions")
    parcel = Parcel(path=path, name="mine.jsonl")
    assert site(handler).send("x", parcel, {"method": "M"}, "key 1") == b"{}"
    assert [key for key, _ in seen] == ["key 1"] * 3
    assert all(b"predictions" in body and b"mine.jsonl" in body for _, body in seen)
    assert pauses == list(http.PAUSES[:2])


def test_it_gives_up_in_the_end(pauses: list[float]) -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused")

    with pytest.raises(Unreachable, match="refused") as fault:
        site(handler).get("tracks")
    assert pauses == list(http.PAUSES)
    assert fault.value.status == OUR_FAULT


def test_a_server_that_keeps_failing_is_the_servers_fault(pauses: list[float]) -> None:
    with pytest.raises(Refusal) as fault:
        site(lambda _: refusing(500, "internal_error")).get("tracks")
    assert fault.value.status == OUR_FAULT
    assert len(pauses) == len(http.PAUSES)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 413])
def test_a_refusal_is_not_asked_again(pauses: list[float], status: int) -> None:
    with pytest.raises(Refusal) as fault:
        site(lambda _: refusing(status, "no")).get("tracks")
    assert (fault.value.status, fault.value.document.code) == (INPUTS_FAULT, "no")
    assert pauses == []


@pytest.mark.parametrize("code", ["throttled", "busy"])
def test_a_throttled_request_waits_as_long_as_it_is_told(
    pauses: list[float], code: str
) -> None:
    answers = iter(
        [
            refusing(429, code, **{"Retry-After": "7"}),
            httpx.Response(200, content=b"[]"),
        ]
    )
    assert site(lambda _: next(answers)).get("tracks") == b"[]"
    assert pauses == [7.0]


def test_a_used_up_quota_is_not_waited_for(pauses: list[float]) -> None:
    answer = refusing(429, "quota_exceeded", **{"Retry-After": "7"})
    with pytest.raises(Refusal):
        site(lambda _: answer).get("tracks")
    assert pauses == []


def test_the_token_is_sent_as_the_site_wants_it() -> None:
    asked: list[httpx.Request] = []

    def handler(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(200, content=b"[]")

    site(handler).get("tracks", {"page": "2"})
    assert str(asked[0].url) == "https://example.org/api/v1/tracks?page=2"
    assert asked[0].headers["Authorization"] == "Token ego_1"


@pytest.mark.parametrize("content", [b"<html>", b"{}", b'{"a": 1}', b"\xff"])
def test_an_answer_of_something_else_is_said_so(content: bytes) -> None:
    with pytest.raises(Unreachable, match="is the URL that of the site"):
        http.decode(content, tuple[int, ...])


def test_a_redirect_names_the_right_url() -> None:
    moved = httpx.Response(301, headers={"Location": "https://www.example.org/"})
    with pytest.raises(Refusal, match=r"https://www\.example\.org/"):
        site(lambda _: moved).get("tracks")
