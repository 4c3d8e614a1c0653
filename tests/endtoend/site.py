"""A site of `manage.py serve`, started once and looked at from outside only."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

from leaderboard import processes
from leaderboard.postgres import DATABASE, PORT, USER
from tests.conftest import REPOSITORY

START_SECONDS = 180
# Waits are short; what is measured here keeps the settings of a real server.
QUICK = {
    "EGOBOARD_SWEEP": "1",
    "EGOBOARD_JUDGE_PAUSE": "1",
    "EGOBOARD_SOFT_LIMIT": "45",  # a third of it is what a silent judge is given
    "EGOBOARD_SHARD_SECONDS": "2",  # 16 scenes, 4,000 tasks, 100,000 questions
}


@dataclass(frozen=True, kw_only=True)
class Site:
    """Where it is, and how its owner gets at it."""

    url: str
    var: Path
    log: Path
    env: Mapping[str, str]
    process: processes.Process

    def manage(self, *words: object) -> str:
        """What `manage.py` prints, as its owner runs it in another terminal."""
        argv = [sys.executable, "manage.py", *map(str, words)]
        return run(argv, cwd=REPOSITORY, env=self.env)

    def ask(self, query: str, *values: object) -> list[tuple[object, ...]]:
        """Rows of the database."""
        place = {"host": f"{self.var}/sockets", "port": PORT, "user": USER}
        with psycopg.connect(dbname=DATABASE, **place) as connection:
            return connection.execute(query, values).fetchall()  # type: ignore[arg-type]

    def count(self, table: str, condition: str = "true", *values: object) -> int:
        query = f"select count(*) from leaderboard_{table} where {condition}"  # noqa: S608
        return int(str(self.ask(query, *values)[0][0]))

    def pids(self, word: str) -> list[int]:
        """Processes of the site whose command line has the word."""
        found = []
        for place in Path("/proc").glob("[0-9]*"):
            try:
                told = (place / "environ").read_bytes() + b"\0"
                command = (place / "cmdline").read_bytes().decode()
            except OSError:
                continue
            mine = f"EGOBOARD_VAR={self.var}\0".encode() in told
            if mine and word in command:
                found.append(int(place.name))
        return found


@contextmanager
def serving(folder: Path) -> Iterator[Site]:
    """A site with its samples, on a port of its own, until the block ends."""
    port, log = free_port(), folder / "serve.log"
    env = {
        key: value
        for key, value in os.environ.items()
        if not re.match(r"EGOBOARD_|DATABASE_URL|BROKER_URL|SECRET_KEY|DJANGO_", key)
    }
    env |= {**QUICK, "EGOBOARD_VAR": str(folder / "var"), "PYTHONUNBUFFERED": "1"}
    argv = [sys.executable, "manage.py", "serve", f"--port={port}", "--concurrency=2"]
    with log.open("wb") as output:
        process = processes.spawn(argv, output=output, env=env, cwd=REPOSITORY)
    try:
        until(lambda: _is_ready(log) or process.poll() is not None, START_SECONDS)
        assert _is_ready(log), log.read_text()[-4000:]
        url = f"http://127.0.0.1:{port}"
        yield Site(url=url, var=folder / "var", log=log, env=env, process=process)
    finally:
        processes.stop(process, signal.SIGTERM, grace_seconds=40)


def _is_ready(log: Path) -> bool:
    """Whether it is announced, and nothing of its own is left to do."""
    said = log.read_text()
    return "Egoboard is at" in said and "sample submissions are scored" in said


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def run(argv: list[str], *, wanted: int = 0, **how: object) -> str:
    """What a command prints; its failure is the test's."""
    done = subprocess.run(
        argv,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        timeout=300,
        **how,
    )  # type: ignore[call-overload]
    assert done.returncode == wanted, (
        f"{argv} ended with {done.returncode}:\n{done.stdout[-3000:]}\n"
        f"{done.stderr[-3000:]}"
    )
    return str(done.stdout) + str(done.stderr)


def until(condition: Callable[[], object], seconds: float = 90) -> object:
    """Wait for a true answer; the last answer."""
    deadline = time.monotonic() + seconds
    while not (answer := condition()) and time.monotonic() < deadline:
        time.sleep(0.1)
    return answer
