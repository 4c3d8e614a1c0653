"""Real workers, beat, PostgreSQL and Redis, and ways to wait for what they do."""

import signal
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from django.db import OperationalError, connection
from pytest_django import Settings

from leaderboard import processes, stack
from leaderboard.supervisor import Child
from tests.workers import small

# Everything happens in seconds: a lost worker is noticed after the lease.
LIMITS = {
    "EGOBOARD_SOFT_LIMIT": "4",
    "EGOBOARD_HARD_LIMIT": "5",
    "EGOBOARD_LEASE": "6",
    "EGOBOARD_VISIBILITY": "30",
    "EGOBOARD_SWEEP": "1",
    "EGOBOARD_RETRY_SECONDS": "0.1",
    "EGOBOARD_SHARD_SECONDS": "0.000000001",  # one instance per shard
}


@dataclass(kw_only=True)
class Processes:
    """Starts what a server consists of, and ends all of it with the test."""

    env: Mapping[str, str]
    logs: Path
    running: list[processes.Process] = field(default_factory=list)
    children: dict[int, Child] = field(default_factory=dict)  # by process id

    def worker(self, concurrency: int = 2, **env: str) -> processes.Process:
        child = stack.worker(concurrency=concurrency, env={**self.env, **env})
        name = f"worker{len(self.running)}"
        argv = [name + "@%h" if word == "worker@%h" else word for word in child.argv]
        return self._start(Child(name=name, argv=argv, env=child.env))

    def beat(self) -> processes.Process:
        return self._start(stack.beat(env=self.env))

    def wait_for(self, worker: processes.Process) -> None:
        """Wait until a worker takes tasks."""
        log = self.logs / f"{worker.pid}.log"
        assert until(lambda: " ready." in log.read_text()), log.read_text()

    def said(self) -> str:
        """All logs, for the message of a test that fails."""
        return "\n".join(path.read_text()[-6000:] for path in self.logs.glob("*.log"))

    def _start(self, child: Child) -> processes.Process:
        draft = self.logs / f"{child.name}.starting"
        with draft.open("wb") as output:
            process = processes.spawn(child.argv, output=output, env=child.env)
        draft.rename(self.logs / f"{process.pid}.log")
        self.running.append(process)
        self.children[process.pid] = child
        return process

    def revive(self) -> None:
        """Start again what has ended by itself, as the supervisor does."""
        for process in [one for one in self.running if one.poll() is not None]:
            self.running.remove(process)
            self._start(self.children[process.pid])


@pytest.fixture
def server(
    stack_env: dict[str, str], settings: Settings, tmp_path: Path
) -> Iterator[Processes]:
    """What starts processes on the test's database, with LIMITS."""
    small.give_keys(settings)
    logs = tmp_path / "logs"
    logs.mkdir()
    env = {
        **stack_env,
        **LIMITS,
        "DJANGO_SETTINGS_MODULE": "tests.faults.worker_settings",
        "EGOBOARD_TEST_SCORED": str(tmp_path / "scored"),
        "EGOBOARD_TEST_PACE": "0.06",
    }
    found = Processes(env=env, logs=logs)
    yield found
    for process in found.running:
        process.send_signal(signal.SIGTERM) if process.poll() is None else None
    for process in found.running:
        processes.stop(process, signal.SIGKILL, grace_seconds=5)


@pytest.fixture
def scored(tmp_path: Path) -> Callable[[], list[int]]:
    """The first instance of every shard that any worker has begun to score."""
    path = tmp_path / "scored"
    return lambda: list(map(int, path.read_text().split())) if path.exists() else []


def until(condition: Callable[[], object], seconds: float = 100) -> object:
    """Wait for a true answer, through a database that restarts; the last answer."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            answer = condition()
        except OperationalError:
            connection.close()
            answer = None
        if answer or time.monotonic() > deadline:
            return answer
        time.sleep(0.05)
