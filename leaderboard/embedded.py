"""The PostgreSQL, Redis and keys that a server without configuration brings along.

Importing this starts nothing and asks nothing of Django: the settings import it.
"""

import fcntl
import hashlib
import os
import re
import secrets
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from pyrage import x25519

from leaderboard.daemons import Daemon, NotStarted, redis
from leaderboard.postgres import DATABASE, PORT, USER, postgres

# A Unix socket's path holds 107 bytes on Linux, 103 elsewhere, and must survive
# being written into a URL.
SOCKET_DIRECTORY = re.compile(r"[A-Za-z0-9._/-]{1,85}")


class AlreadyRunning(RuntimeError):
    """Another server uses the same directory."""


@dataclass(frozen=True, kw_only=True)
class Running:
    """The embedded services that this process started; None where one is given."""

    postgres: Daemon | None
    redis: Daemon | None

    def all(self) -> list[Daemon]:
        return [one for one in (self.postgres, self.redis) if one is not None]

    def revive(self) -> list[str]:
        """Start the services that died again, and return their names."""
        dead = [one for one in self.all() if not one.is_alive]
        for one in dead:
            one.start()
        return [one.name for one in dead]


def var_dir() -> Path:
    """Return the directory of everything that the server writes."""
    default = Path(__file__).resolve().parent.parent / "var"
    return Path(os.environ.get("EGOBOARD_VAR") or default).resolve()


def socket_dir() -> Path:
    """Return the directory of the sockets: under var/, or a short one in its stead."""
    sockets = var_dir() / "sockets"
    if SOCKET_DIRECTORY.fullmatch(str(sockets)):
        return sockets
    name = hashlib.sha256(os.fsencode(var_dir())).hexdigest()[:12]
    return Path(tempfile.gettempdir()).resolve() / f"egoboard-{name}"


def database_url(name: str = DATABASE) -> str:
    host = quote(str(socket_dir()), safe="")
    return f"postgresql://{USER}@{host}:{PORT}/{name}"


def broker_url() -> str:
    return f"redis+socket://{socket_dir()}/redis.sock?virtual_host=0"


def secret(name: str) -> str:
    """Return the secret of that name, made on first use and the same ever after."""
    return _kept(var_dir() / "keys" / name, lambda: secrets.token_urlsafe(48))


def seal_identity_file() -> Path:
    """Return the file of the age identity that opens sealed test sets."""
    path = var_dir() / "keys" / "seal_identity.txt"
    _kept(path, lambda: str(x25519.Identity.generate()))
    return path


def seal_recipient() -> str:
    """Return the age recipient that test sets are sealed to."""
    identity = x25519.Identity.from_str(seal_identity_file().read_text().strip())
    return str(identity.to_public())


def kept_recipient() -> str:
    """Return that recipient where a server has made its key already, else nothing."""
    is_made = (var_dir() / "keys" / "seal_identity.txt").exists()
    return seal_recipient() if is_made else ""


def is_embedded(variable: str, env: Mapping[str, str] = os.environ) -> bool:
    """Tell whether nobody configured this service, so that we bring it."""
    return not env.get(variable)


@contextmanager
def running() -> Iterator[Running]:
    """Run the services that nobody configured for as long as the block lasts."""
    with ExitStack() as stack:
        has_postgres, has_redis = map(is_embedded, ("DATABASE_URL", "BROKER_URL"))
        if has_postgres or has_redis:
            stack.enter_context(_only_one(var_dir()))
            _make_directories()
        services = Running(
            postgres=postgres(**_places("postgres")) if has_postgres else None,
            redis=redis(**_places("redis")) if has_redis else None,
        )
        for service in services.all():
            stack.callback(service.stop)
            service.start()
        yield services


def _places(name: str) -> dict[str, Path]:
    var = var_dir()
    log = var / "log" / f"{name}.log"
    return {"data": var / name, "sockets": socket_dir(), "log": log}


def _make_directories() -> None:
    (var_dir() / "log").mkdir(mode=0o700, exist_ok=True)
    sockets = socket_dir()
    sockets.mkdir(mode=0o700, exist_ok=True)
    # In a shared temporary directory somebody else may have been there first. Root
    # has given the directory away, to the user that PostgreSQL runs as.
    if sockets.is_symlink() or os.geteuid() not in {0, sockets.stat().st_uid}:
        raise NotStarted(f"{sockets} belongs to another user; remove it")
    sockets.chmod(0o700)


@contextmanager
def _only_one(var: Path) -> Iterator[None]:
    var.mkdir(parents=True, exist_ok=True)
    with (var / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise AlreadyRunning(
                f"another Egoboard runs on {var}; stop it, "
                "or name another directory in EGOBOARD_VAR"
            ) from None
        yield


def _kept(path: Path, make: Callable[[], str]) -> str:
    """Return a file's content, made once even when several processes come first."""
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "w") as file:
            file.write(make())
        with suppress(FileExistsError):
            os.link(draft, path)
        Path(draft).unlink()
    return path.read_text()
