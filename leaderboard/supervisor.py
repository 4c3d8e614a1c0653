"""Keeps a few processes running: one log, one Ctrl-C, nothing left behind."""

import os
import select
import signal
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from types import FrameType

from leaderboard import processes

TICK_SECONDS = 0.2
GRACE_SECONDS = 20.0
SOUND_SECONDS = 60.0  # a child that lived so long starts again without delay
LONGEST_PAUSE_SECONDS = 30.0
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
COLOURS = (36, 35, 33, 32, 34)


@dataclass(frozen=True, kw_only=True)
class Child:
    """A process to keep running. It is ready once it prints a line with `ready`."""

    name: str
    argv: Sequence[str]
    env: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    ready: str = ""


@dataclass(kw_only=True)
class Kept:
    """What the supervisor knows of one child."""

    child: Child
    prefix: str
    process: processes.Process | None = None
    started: float = 0.0
    start_again: float = 0.0
    pause: float = 1.0
    is_ready: bool = False
    unfinished: bytes = b""

    def tend(self, now: float) -> None:
        """Start the child when its time has come, and notice when it has ended."""
        if self.process is None:
            if now >= self.start_again:
                self._start(now)
            return
        status = self.process.poll()
        if status is None:
            return
        processes.kill(self.process)  # what it may have left running in its group
        self.read()
        if now - self.started >= SOUND_SECONDS:
            self.pause = 1.0
        self.say(f"ended with status {status}; starts again in {self.pause:.0f} s")
        self.start_again = now + self.pause
        self.pause = min(self.pause * 2, LONGEST_PAUSE_SECONDS)
        self._forget()

    def read(self) -> None:
        """Pass on what the child has printed, line by line."""
        if self.process is None or self.process.stdout is None:
            return
        with suppress(BlockingIOError):
            while chunk := os.read(self.process.stdout.fileno(), 65536):
                *lines, self.unfinished = (self.unfinished + chunk).split(b"\n")
                for line in lines:
                    self.say(line.decode(errors="replace"))
            self._close_output()

    def say(self, line: str) -> None:
        self.is_ready |= bool(self.child.ready) and self.child.ready in line
        with suppress(BrokenPipeError):  # a lost log line must not stop a server
            sys.stdout.write(f"{self.prefix}{line}\n")
            sys.stdout.flush()

    def end(self) -> None:
        """Kill whatever is left of the child and of its group."""
        if self.process is not None:
            processes.kill(self.process)
            self.read()
            self._forget()

    def _start(self, now: float) -> None:
        self.started, self.is_ready, self.unfinished = now, False, b""
        read_end, write_end = os.pipe()
        os.set_blocking(read_end, False)
        self.process = processes.spawn(
            self.child.argv, output=write_end, env=self.child.env
        )
        os.close(write_end)
        self.process.stdout = os.fdopen(read_end, "rb", buffering=0)

    def _forget(self) -> None:
        self._close_output()
        self.process = None

    def _close_output(self) -> None:
        if self.process is not None and self.process.stdout is not None:
            self.process.stdout.close()
            self.process.stdout = None


def run(
    children: Collection[Child],
    *,
    tick: Callable[[frozenset[str]], None] = lambda ready: None,
    grace_seconds: float = GRACE_SECONDS,
) -> None:
    """Keep the children running until INT, TERM or HUP; a second INT kills at once.

    `tick` is called several times a second with the names of the ready children. An
    error in it ends the children and then this function.
    """
    width = max(len(child.name) for child in children)
    kept = [
        Kept(child=child, prefix=_prefix(child.name, width, number))
        for number, child in enumerate(children)
    ]
    with _asked_to_stop() as asked:
        try:
            while not asked:
                for one in kept:
                    one.tend(time.monotonic())
                _pass_output(kept)
                tick(frozenset(one.child.name for one in kept if one.is_ready))
        finally:
            _stop(kept, asked, grace_seconds)


def _stop(kept: list[Kept], asked: list[int], grace_seconds: float) -> None:
    for one in kept:
        if one.process is not None:
            one.process.terminate()
    deadline = time.monotonic() + grace_seconds
    while time.monotonic() < deadline and asked.count(signal.SIGINT) < 2:
        if all(one.process is None or one.process.poll() is not None for one in kept):
            break
        _pass_output(kept)
    for one in kept:
        one.end()


def _pass_output(kept: list[Kept]) -> None:
    outputs = {
        one.process.stdout.fileno(): one
        for one in kept
        if one.process is not None and one.process.stdout is not None
    }
    for number in select.select(list(outputs), [], [], TICK_SECONDS)[0]:
        outputs[number].read()


@contextmanager
def _asked_to_stop() -> Iterator[list[int]]:
    """Collect the signals that ask us to stop, instead of being ended by them."""
    asked: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        asked.append(number)

    before = {number: signal.signal(number, note) for number in SIGNALS}
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _prefix(name: str, width: int, number: int) -> str:
    text = f"{name:<{width}} | "
    if not sys.stdout.isatty():
        return text
    return f"\x1b[{COLOURS[number % len(COLOURS)]}m{text}\x1b[0m"
