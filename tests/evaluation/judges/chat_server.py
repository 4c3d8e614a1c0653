"""A server speaking the OpenAI protocol on a real socket, with failures on demand.

It answers like the lexical judge. Failures are drawn per request from a seeded
generator, so a run can be repeated.
"""

import asyncio
import json
import random
import re
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from evaluation.judges.lexical import overlap

MODEL = "tiny-judge"
QUOTED = re.compile(r'Sentence: "(.*)"\nPhrase: "(.*)"\nDoes', re.DOTALL)


@dataclass
class ChatServer:
    """What the server does, and what it has seen."""

    latency_s: float = 0.0
    failures: dict[str, float] = field(default_factory=dict)  # kind -> probability
    seed: int = 1
    model: str = MODEL
    answering_as: str | None = None
    script: list[str] = field(default_factory=list)  # failures to begin with
    replies: dict[str, list[str]] = field(default_factory=dict)  # phrase -> replies
    retry_after: str = "0"
    dies_after: int | None = None  # answers; then it hangs up on everyone
    url: str = ""
    seen: Counter[str] = field(default_factory=Counter)
    requests: list[dict[str, object]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)  # noqa: S311

    def failure(self) -> str | None:
        """The failure of the next request, if any."""
        if self.dies_after is not None and self.seen["answered"] >= self.dies_after:
            return "dead"
        if self.script:
            return self.script.pop(0)
        draw = self._random.random()
        for kind, probability in self.failures.items():
            if draw < probability:
                return kind
            draw -= probability
        return None

    async def serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Answer the requests of one connection."""
        try:
            while line := await reader.readline():
                headers = await _headers(reader)
                body = await reader.readexactly(int(headers.get("content-length", "0")))
                path = line.split()[1].decode()
                if not await self._reply(writer, path, headers, body):
                    break
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def _reply(
        self,
        writer: asyncio.StreamWriter,
        path: str,
        headers: dict[str, str],
        body: bytes,
    ) -> bool:
        if path.endswith("/models"):
            await _send(writer, 200, json.dumps({"data": [{"id": self.model}]}))
            return True
        request = json.loads(body)
        self.requests.append(request)
        self.headers.append(headers)
        kind = self.failure()
        self.seen[kind or "answered"] += 1
        await asyncio.sleep(self.latency_s)
        if kind is None:
            await _send(writer, 200, self._completion(request))
            return True
        return await self._fail(writer, kind, request)

    async def _fail(
        self, writer: asyncio.StreamWriter, kind: str, request: dict[str, object]
    ) -> bool:
        whole = self._completion(request)
        if kind == "garbage":
            await _send(writer, 200, "<html>gateway</html>")
        elif kind == "empty":
            await _send(writer, 200, '{"choices": []}')
        elif kind == "half":
            head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(whole)}\r\n\r\n"
            writer.write(head.encode() + whole.encode()[: len(whole) // 2])
            await writer.drain()
            return False
        elif kind == "dead":
            return False
        elif kind == "timeout":
            await asyncio.sleep(30)
            return False
        elif kind == "slow":
            await asyncio.sleep(0.1)
            await _send(writer, 200, whole)
        else:
            extra = f"Retry-After: {self.retry_after}\r\n" if kind == "429" else ""
            await _send(writer, int(kind.split()[0]), kind, extra)
        return True

    def _completion(self, request: dict[str, object]) -> str:
        text = str(request["messages"][1]["content"])  # type: ignore[index]
        sentence, phrase = QUOTED.findall(text)[0]
        planned = self.replies.get(phrase)
        reply = planned.pop(0) if planned else str(overlap(sentence, phrase))
        return json.dumps(
            {
                "model": self.answering_as or self.model,
                "choices": [{"message": {"role": "assistant", "content": reply}}],
            }
        )


async def _headers(reader: asyncio.StreamReader) -> dict[str, str]:
    headers = {}
    while line := (await reader.readline()).strip():
        name, _, value = line.decode().partition(":")
        headers[name.lower()] = value.strip()
    return headers


async def _send(
    writer: asyncio.StreamWriter, status: int, body: str, extra: str = ""
) -> None:
    data = body.encode()
    head = f"HTTP/1.1 {status} X\r\nContent-Length: {len(data)}\r\n{extra}\r\n"
    writer.write(head.encode() + data)
    await writer.drain()


@contextmanager
def running(server: ChatServer, port: int = 0) -> Iterator[ChatServer]:
    """The server on 127.0.0.1, in a thread, for as long as the block runs."""
    loop = asyncio.new_event_loop()
    started = threading.Event()
    stop = asyncio.Event()

    async def main() -> None:
        listening = await asyncio.start_server(server.serve, "127.0.0.1", port)
        server.url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}/v1"
        started.set()
        await stop.wait()
        listening.close()
        rest = asyncio.all_tasks() - {asyncio.current_task()}
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)

    thread = threading.Thread(target=loop.run_until_complete, args=(main(),))
    thread.start()
    started.wait()
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()
