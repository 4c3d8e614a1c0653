"""Requests to the site: repeated where that is safe, and never twice in effect."""

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeVar

import httpx
import msgspec

from leaderboard.client.answers import Document
from leaderboard.client.config import Config
from leaderboard.client.faults import Refusal, Unreachable
from leaderboard.client.packing import Parcel

T = TypeVar("T")
PAUSES = (0.5, 1.0, 2.0, 4.0)  # seconds between attempts
LATER = {"throttled", "busy"}  # codes of 429 that waiting helps with
LONGEST_PAUSE = 60.0
TIMEOUT = httpx.Timeout(60.0, connect=10.0)


class Site:
    """One site's API. Every call raises Refusal or Unreachable."""

    def __init__(
        self, config: Config, transport: httpx.BaseTransport | None = None
    ) -> None:
        headers = {"User-Agent": "egoboard", "Accept": "application/json"}
        if config.token:
            headers["Authorization"] = f"Token {config.token}"
        self.http = httpx.Client(
            base_url=f"{config.url}/api/v1/",
            headers=headers,
            timeout=TIMEOUT,
            transport=transport,
        )

    def get(
        self,
        path: str,
        params: Mapping[str, str] | None = None,
        accept: str = "application/json",
    ) -> bytes:
        return self._ask("GET", path, params=params, headers={"Accept": accept}).content

    def read(
        self, kind: type[T], path: str, params: Mapping[str, str] | None = None
    ) -> T:
        return decode(self.get(path, params), kind)

    def send(
        self, path: str, parcel: Parcel, fields: Mapping[str, str], key: str = ""
    ) -> bytes:
        """POST a file. With a key, or where nothing is kept, repeating is harmless."""
        headers = {"Idempotency-Key": key} if key else {}
        sent = self._ask("POST", path, headers=headers, parcel=parcel, fields=fields)
        return sent.content

    def _ask(
        self,
        method: str,
        path: str,
        *,
        headers: Mapping[str, str],
        params: Mapping[str, str] | None = None,
        parcel: Parcel | None = None,
        fields: Mapping[str, str] | None = None,
    ) -> httpx.Response:
        """Ask until there is an answer worth having, or the attempts are used up."""
        request = partial(
            self.http.request,
            method,
            path,
            headers=headers,
            params=params,
            data=fields,
        )
        for pause in (*PAUSES, None):
            try:
                answer = _with_file(request, parcel)
            except httpx.TransportError as error:
                last, wait = f"{type(error).__name__} {error}", pause
            else:
                last, wait = f"status {answer.status_code}", _wait(answer, pause)
                if wait is None:
                    return _checked(answer)
            if wait is None:
                break
            time.sleep(wait)
        raise Unreachable(f"{self.http.base_url} cannot be reached: {last}")


def _with_file(
    request: Callable[..., httpx.Response], parcel: Parcel | None
) -> httpx.Response:
    """Each attempt reads the file from its beginning."""
    if parcel is None:
        return request()
    with parcel.path.open("rb") as stream:
        return request(files={"file": (parcel.name, stream)})


def decode(data: bytes, kind: type[T]) -> T:
    """JSON as the given type. Raises Unreachable when it is something else."""
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.MsgspecError as error:
        message = (
            f"the answer is not Egoboard's ({error}); is the URL that of the site?"
        )
        raise Unreachable(message) from error


def _wait(answer: httpx.Response, planned: float | None) -> float | None:
    """Seconds until it is worth asking again; None when this is the answer."""
    if planned is None:
        return None
    if answer.status_code >= 500:
        return planned
    if answer.status_code == 429 and _document(answer).code in LATER:
        wait = float(answer.headers.get("Retry-After", "1"))
        return wait if wait <= LONGEST_PAUSE else None
    return None


def _checked(answer: httpx.Response) -> httpx.Response:
    if answer.is_success:
        return answer
    raise Refusal(_document(answer))


def _document(answer: httpx.Response) -> Document:
    try:
        return msgspec.json.decode(answer.content, type=Document)
    except msgspec.MsgspecError:
        where = answer.headers.get("Location", "")
        moved = f"; it points to {where}, use that site's URL" if where else ""
        detail = f"{answer.url} answered {answer.status_code}{moved}"
        return Document(status=answer.status_code, code="unknown", detail=detail)
