"""`manage.py serve`: the whole server in one process, from nothing to nothing."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture
def env() -> Iterator[dict[str, str]]:
    """Nothing configured, and a directory that does not exist yet."""
    ours = {"DATABASE_URL", "BROKER_URL", "DJANGO_SETTINGS_MODULE"}
    kept = {key: value for key, value in os.environ.items() if key not in ours}
    with tempfile.TemporaryDirectory(prefix="egoboard-test-") as path:
        yield kept | {"EGOBOARD_VAR": f"{path}/var"}


def serve(port: int, env: dict[str, str]) -> subprocess.Popen[str]:
    argv = [sys.executable, "manage.py", "serve", "--no-samples", "--concurrency=1"]
    return subprocess.Popen(
        [*argv, f"--port={port}"],
        cwd=REPOSITORY,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@contextmanager
def patience(server: subprocess.Popen[str]) -> Iterator[None]:
    """End a server that never announces itself, so that reading it ends too."""
    timer = threading.Timer(60, server.terminate)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def processes_of(var: str) -> list[str]:
    """Return the processes whose environment or command names the directory."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            told = (process / "environ").read_bytes() + b"\0"
            command = (process / "cmdline").read_bytes()
        except OSError:
            continue
        if f"EGOBOARD_VAR={var}\0".encode() in told or var.encode() in command:
            found.append(command.decode())
    return found


@pytest.mark.faults
def test_it_comes_up_by_itself_and_leaves_nothing_behind(env: dict[str, str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with serve(port, env) as server, patience(server):
        assert server.stdout is not None
        printed = ""
        while f"Egoboard is at http://localhost:{port}/" not in printed:
            line = server.stdout.readline()
            assert line, printed
            printed += line
        urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=10).close()
        assert processes_of(env["EGOBOARD_VAR"])

        server.send_signal(signal.SIGTERM)
        assert server.wait(30) == 0
        assert server.stdout.read().endswith("Everything has stopped.\n")
    assert processes_of(env["EGOBOARD_VAR"]) == []


def test_a_port_that_is_taken_is_named(env: dict[str, str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with serve(port, env) as server:
            output, _ = server.communicate(timeout=30)

    assert server.returncode == 1
    assert f"make run PORT={port + 1}" in output
