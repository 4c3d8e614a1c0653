"""Child processes that do not outlive us."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None
Process = subprocess.Popen[bytes]


def spawn(
    argv: Sequence[str],
    *,
    output: IO[bytes] | int,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    dies_by: signal.Signals = signal.SIGTERM,
    user: int | None = None,
    group: int | None = None,
) -> Process:
    """Start a process in a session of its own, so that a terminal's Ctrl-C is ours.

    Call it from the main thread: Linux sends `dies_by` when the thread that forked
    is gone, which is how nothing is left behind when we are killed outright.
    """
    return subprocess.Popen(  # noqa: S603 (argv is ours and no shell reads it)
        argv,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        env=env,
        cwd=cwd,
        start_new_session=True,
        preexec_fn=_tied_to(os.getpid(), dies_by),
        user=user,
        group=group,
        extra_groups=None if user is None else [],
    )


def stop(process: Process, how: signal.Signals, grace_seconds: float) -> None:
    """Ask a process to end, and kill its whole group when it does not, or is gone."""
    if process.poll() is None:
        process.send_signal(how)
        with suppress(subprocess.TimeoutExpired):
            process.wait(grace_seconds)
    kill(process)


def kill(process: Process) -> None:
    """Kill a process and the group that it leads, even when the leader is gone."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def stop_stray(pid_file: Path, mark: str, how: signal.Signals) -> None:
    """Stop the process that a killed run left behind, if `pid_file` names one.

    A pid may long belong to somebody else: it counts only when its command line
    contains `mark`. A file that names a stranger is removed, because PostgreSQL
    would take the stranger for a running server and refuse to start.
    """
    pid = _pid_in(pid_file)
    if pid is None or not Path("/proc/self").exists():
        return
    for number in (how, signal.SIGKILL):
        if mark not in _command_of(pid):
            break
        os.kill(pid, number)
        _wait_until(lambda: mark not in _command_of(pid), seconds=15)
    if _command_of(pid):
        pid_file.unlink(missing_ok=True)


def _tied_to(parent: int, number: signal.Signals) -> Callable[[], None] | None:
    if LIBC is None:
        return None
    prctl = LIBC.prctl

    def tie() -> None:
        prctl(PR_SET_PDEATHSIG, number.value)
        if os.getppid() != parent:  # the parent died before the line above
            os._exit(1)

    return tie


def _pid_in(pid_file: Path) -> int | None:
    try:
        return int(pid_file.read_text().split()[0])
    except (FileNotFoundError, IndexError, ValueError):
        return None


def _command_of(pid: int) -> str:
    """Return the command line of a process, or nothing when there is none."""
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return ""
    return words.replace(b"\0", b" ").decode(errors="replace")


def _wait_until(condition: Callable[[], bool], *, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)
