"""One connection to a judge: requests, retries, and bounded replies."""

import asyncio
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

import httpx

from evaluation.judges import JudgeUnavailable
from evaluation.judges.chat import BrokenReply
from evaluation.judges.retrying import Breaker, RetryPolicy, wished_pause

MAX_REPLY = 1024 * 1024  # bytes
T = TypeVar("T")
Trust = ssl.SSLContext | bool


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """Where the judge is. `url` ends before `/chat/completions`, as in `…/v1`."""

    url: str
    model: str
    api_key: str = field(default="", repr=False)
    concurrency: int = 64
    timeout_s: float = 60.0  # for one whole reply


def trusted(endpoint: Endpoint) -> Trust:
    """The certificates to trust, loaded once for all connections; none for http."""
    is_plain = httpx.URL(endpoint.url).scheme == "http"
    return False if is_plain else ssl.create_default_context()


def connect(trust: Trust) -> httpx.AsyncHTTPTransport:
    """A transport of its own, hence one connection, per worker.

    A shared pool's bookkeeping grows with the square of its size and outweighs the
    judge at 64 connections; a whole client costs as much again in redirects, cookies
    and the like.
    """
    return httpx.AsyncHTTPTransport(verify=trust, trust_env=False)


class Conversation:
    """One connection, its retries and the breaker that all share."""

    def __init__(
        self,
        connection: httpx.AsyncHTTPTransport,
        endpoint: Endpoint,
        policy: RetryPolicy,
        breaker: Breaker,
    ) -> None:
        self._connection = connection
        self._endpoint = endpoint
        self._policy = policy
        self._breaker = breaker

    async def request(
        self,
        method: str,
        path: str,
        read: Callable[[int, bytes], T],
        *,
        content: bytes | None = None,
        seed: str,
    ) -> T:
        """What `read` makes of the reply, after as many attempts as it takes."""
        for attempt in range(self._policy.attempts):
            try:
                result = await self._once(method, path, read, content)
            except BrokenReply as failure:
                if not failure.is_busy:
                    self._breaker.failed(str(failure))
                cause = str(failure)
                pause = self._policy.pause(attempt, seed, failure.wish_s)
                self._breaker.bear(pause, cause)
            else:
                self._breaker.succeeded()
                return result
            await asyncio.sleep(pause)
        raise JudgeUnavailable(
            f"no readable reply in {self._policy.attempts} attempts, last: {cause}"
        )

    async def _once(
        self,
        method: str,
        path: str,
        read: Callable[[int, bytes], T],
        content: bytes | None,
    ) -> T:
        request = self._request(method, path, content)
        try:
            # The transport's own limits are per chunk; a dripping server passes them.
            async with asyncio.timeout(self._endpoint.timeout_s):
                reply = await self._connection.handle_async_request(request)
                try:
                    body = await _bounded(reply)
                finally:
                    await reply.aclose()
        except (httpx.HTTPError, httpx.StreamError, TimeoutError) as error:
            raise BrokenReply(f"{type(error).__name__}: {error}") from error
        try:
            return read(reply.status_code, body)
        except BrokenReply as failure:
            headers = reply.headers
            failure.wish_s = wished_pause(
                headers.get("Retry-After"), headers.get("Date")
            )
            raise

    def _request(self, method: str, path: str, content: bytes | None) -> httpx.Request:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._endpoint.api_key:
            headers["Authorization"] = f"Bearer {self._endpoint.api_key}"
        url = f"{self._endpoint.url.rstrip('/')}/{path}"
        limits = httpx.Timeout(self._endpoint.timeout_s).as_dict()
        return httpx.Request(
            method,
            url,
            headers=headers,
            content=content,
            extensions={"timeout": limits},
        )


async def _bounded(reply: httpx.Response) -> bytes:
    parts, size = [], 0
    async for chunk in reply.aiter_raw():
        parts.append(chunk)
        size += len(chunk)
        if size > MAX_REPLY:
            raise BrokenReply(f"a reply of more than {MAX_REPLY} bytes")
    return b"".join(parts)
