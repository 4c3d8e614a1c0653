"""The embedded services and keys: made once, kept, recovered."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import dj_database_url
import psycopg
import pytest
import redis

from leaderboard import embedded, processes

HOLD = """
import sys
from leaderboard import embedded
try:
    with embedded.running():
        print("up", flush=True)
        sys.stdin.read()
except embedded.AlreadyRunning as problem:
    print(problem, flush=True)
"""


@pytest.fixture
def var(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A directory of its own, with services of its own.

    Not under tmp_path: pytest closes its parent to all others whenever it starts, and
    the PostgreSQL of a root user is another.
    """
    for name in ("DATABASE_URL", "BROKER_URL"):
        monkeypatch.delenv(name, raising=False)
    with tempfile.TemporaryDirectory(prefix="egoboard-test-") as path:
        monkeypatch.setenv("EGOBOARD_VAR", f"{path}/var")
        yield Path(path).resolve() / "var"


def hold(code: str = HOLD) -> subprocess.Popen[str]:
    """Run the services in another process, until its standard input is closed."""
    return subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def rows() -> int:
    """Add a row to a table and count them."""
    with psycopg.connect(embedded.database_url()) as connection:
        connection.execute("create table if not exists kept (id int)")
        connection.execute("insert into kept values (1)")
        found = connection.execute("select count(*) from kept").fetchone()
    assert found is not None
    return int(found[0])


def broker() -> redis.Redis:
    return redis.Redis(unix_socket_path=str(embedded.socket_dir() / "redis.sock"))


def is_gone(pid: int) -> bool:
    for _ in range(200):
        if not Path(f"/proc/{pid}").exists():
            return True
        time.sleep(0.05)
    return False


def pids(var: Path) -> list[int]:
    files = (var / "postgres" / "postmaster.pid", var / "redis" / "redis.pid")
    return [int(file.read_text().split()[0]) for file in files]


def test_a_secret_is_made_once_whoever_asks_first(var: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        answers = set(pool.map(lambda _: embedded.secret("some"), range(50)))

    assert len(answers) == 1
    assert len(answers.pop()) >= 50
    assert [file.name for file in (var / "keys").iterdir()] == ["some"]
    assert (var / "keys" / "some").stat().st_mode & 0o777 == 0o600


def test_the_recipient_belongs_to_the_identity_and_stays(var: Path) -> None:
    assert embedded.kept_recipient() == ""  # a command that comes first makes none
    recipient = embedded.seal_recipient()

    assert recipient.startswith("age1")
    assert embedded.seal_recipient() == embedded.kept_recipient() == recipient
    identity = embedded.seal_identity_file()
    assert identity.read_text().startswith("AGE-SECRET-KEY-1")
    assert identity.stat().st_mode & 0o777 == 0o600


def test_the_addresses_are_known_before_anything_runs(var: Path) -> None:
    parsed = dj_database_url.parse(embedded.database_url())

    assert parsed["HOST"] == str(embedded.socket_dir())
    assert parsed["NAME"] == "egoboard"
    assert embedded.broker_url().startswith("redis+socket:///")
    assert not var.exists()


def test_a_deep_directory_has_its_sockets_in_a_short_one(
    var: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EGOBOARD_VAR", str(var / ("deep and with spaces/" * 6)))

    assert len(str(embedded.socket_dir())) < 90
    assert var not in embedded.socket_dir().parents
    with embedded.running():
        assert rows() == 1
        assert broker().ping()
    embedded.socket_dir().rmdir()


def test_data_survives_a_stop_and_the_processes_do_not(var: Path) -> None:
    with embedded.running():
        assert rows() == 1
        broker().rpush("queue", "message")
        running = pids(var)
    assert all(map(is_gone, running))

    with embedded.running():
        assert rows() == 2
        assert broker().llen("queue") == 1


def test_data_survives_the_crash_of_a_service(var: Path) -> None:
    with embedded.running() as services:
        assert rows() == 1
        for pid in pids(var):
            os.kill(pid, signal.SIGKILL)
        assert services.postgres is not None
        assert services.postgres.process is not None
        services.postgres.process.wait(10)

        assert "PostgreSQL" in services.revive()
        assert rows() == 2


def test_services_end_with_a_server_that_is_killed(var: Path) -> None:
    with hold() as server:
        assert server.stdout is not None
        assert server.stdout.readline() == "up\n"
        running = pids(var)
        server.kill()

    assert all(map(is_gone, running))


def test_orphans_of_a_killed_server_are_replaced(var: Path) -> None:
    untied = "from leaderboard import processes; processes.LIBC = None\n"
    with hold(untied + HOLD) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == "up\n"
        orphans = pids(var)
        assert rows() == 1
        server.kill()
    assert not any(not Path(f"/proc/{pid}").exists() for pid in orphans)

    with embedded.running():
        assert all(map(is_gone, orphans))
        assert rows() == 2


def test_a_pid_that_became_a_stranger_s_is_left_alone(var: Path) -> None:
    with embedded.running():
        assert rows() == 1
    with subprocess.Popen(["sleep", "60"]) as stranger:
        text = f"{stranger.pid}\n{var / 'postgres'}\n1\n5432\n\n\n1 1\nready\n"
        (var / "postgres" / "postmaster.pid").write_text(text)
        (var / "redis" / "redis.pid").write_text(f"{stranger.pid}\n")

        with embedded.running():
            assert rows() == 2
        assert stranger.poll() is None
        stranger.kill()


def test_an_initialisation_that_was_cut_short_is_begun_anew(var: Path) -> None:
    (var / "postgres.new" / "base").mkdir(parents=True)

    with embedded.running():
        assert rows() == 1


def test_a_second_server_on_the_same_directory_is_refused(var: Path) -> None:
    with embedded.running():
        output, _ = hold().communicate(timeout=30)

        assert output.startswith(f"another Egoboard runs on {var}")


def test_a_service_that_is_given_is_not_started(
    var: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://elsewhere/egoboard")
    monkeypatch.setenv("BROKER_URL", "amqp://elsewhere")

    with embedded.running() as services:
        assert services.all() == []
    assert not var.exists()


def test_a_process_is_tied_to_us_only_where_linux_can() -> None:
    assert (processes.LIBC is not None) == (sys.platform == "linux")
