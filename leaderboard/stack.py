"""The processes that make a server: web, worker, beat, and what each is told."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from leaderboard import embedded
from leaderboard.supervisor import Child

AS_ROOT = "ignore:You're running the worker with superuser privileges"
RECIPIENT, IDENTITY = "EGOBOARD_SEAL_RECIPIENT", "EGOBOARD_SEAL_IDENTITY_FILE"
NOTHING: Mapping[str, str] = {}


def web(*, host: str, port: int, env: Mapping[str, str] = NOTHING) -> Child:
    argv = [sys.executable, "-m", "gunicorn", "leaderboard.wsgi:application"]
    argv += ["--worker-class", "gthread", "--workers", "2", "--threads", "8"]
    argv += ["--bind", f"{host}:{port}", "--graceful-timeout", "10"]
    argv += ["--log-level", "warning", "--no-control-socket"]
    if Path("/dev/shm").is_dir():  # noqa: S108 (gunicorn makes its own file in it)
        # A heartbeat on a slow disk looks like a worker that hangs.
        argv += ["--worker-tmp-dir", "/dev/shm"]  # noqa: S108
    told = {**_environment(), "EGOBOARD_DB_POOL": "1", **env}
    return Child(name="web", argv=argv, env=told)


def worker(*, concurrency: int, env: Mapping[str, str] = NOTHING) -> Child:
    argv = [sys.executable, "-m", "celery", "-A", "workers.app", "--quiet", "worker"]
    argv += ["--queues", "check,score,judge,upkeep", "--concurrency", str(concurrency)]
    argv += ["--hostname", "worker@%h", "--loglevel", "INFO"]
    # What workers tell each other serves only tools that we do not run.
    argv += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    told = {
        **_environment(),
        # Two libraries that spin on the same cores wait for each other.
        "OMP_WAIT_POLICY": "PASSIVE",
        "PYTHONWARNINGS": AS_ROOT,  # root in a container, or trying this out
        # Django's checks load every page; `serve` has run them, and a broken page
        # must not stop the scoring.
        "CELERY_SKIP_CHECKS": "1",
        **_identity(),
        **env,
    }
    return Child(name="worker", argv=argv, env=told, ready=" ready.")


def beat(*, env: Mapping[str, str] = NOTHING) -> Child:
    argv = [sys.executable, "-m", "celery", "-A", "workers.app", "--quiet", "beat"]
    argv += ["--schedule", str(embedded.var_dir() / "beat"), "--pidfile", ""]
    argv += ["--loglevel", "WARNING"]
    return Child(name="beat", argv=argv, env={**_environment(), **env})


def samples(*, env: Mapping[str, str] = NOTHING) -> Child:
    """Return the command that fills an empty site; it is run once, not kept."""
    argv = [sys.executable, "manage.py", "load_samples"]
    return Child(name="samples", argv=argv, env={**_environment(), **env})


def _environment() -> dict[str, str]:
    """Return what every process is told: our environment without the identity."""
    env = {key: value for key, value in os.environ.items() if key != IDENTITY}
    env.setdefault(RECIPIENT, "")
    env[RECIPIENT] = env[RECIPIENT] or embedded.seal_recipient()
    return env | {"PYTHONUNBUFFERED": "1"}


def _identity() -> dict[str, str]:
    """Return where the identity is: only workers may open what is sealed."""
    if os.environ.get(IDENTITY):
        return {IDENTITY: os.environ[IDENTITY]}
    if os.environ.get(RECIPIENT):  # somebody's own key, and not for this machine
        return {}
    return {IDENTITY: str(embedded.seal_identity_file())}
