"""The supervisor: it restarts, prefixes, stops, and leaves nothing behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from leaderboard.supervisor import Child, Kept, run

SLEEPER = "import time; print('awake', flush=True); time.sleep(600)"
STUBBORN = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN);" + SLEEPER
PARENT = f"""
import subprocess, sys, time
child = subprocess.Popen(
    [sys.executable, "-c", {SLEEPER!r}], stdout=subprocess.PIPE, text=True
)
print("grandchild", child.pid, child.stdout.readline(), flush=True)
"""


def python(code: str, name: str = "one", ready: str = "") -> Child:
    return Child(name=name, argv=[sys.executable, "-c", code], ready=ready)


class StopWhen:
    """Sends ourselves a signal as soon as something has been printed."""

    def __init__(self, capsys: pytest.CaptureFixture[str], text: str, *kinds: int):
        self.capsys, self.text, self.kinds = capsys, text, list(kinds)
        self.seen = ""
        self.ready: frozenset[str] = frozenset()
        self.deadline = time.monotonic() + 30

    def __call__(self, ready: frozenset[str]) -> None:
        assert time.monotonic() < self.deadline, self.seen
        self.seen += self.capsys.readouterr().out
        self.ready |= ready
        if self.text in self.seen:
            while self.kinds:
                os.kill(os.getpid(), self.kinds.pop())


def is_gone(pid: int) -> bool:
    for _ in range(200):
        status = Path(f"/proc/{pid}/stat")
        if not status.exists() or ") Z " in status.read_text():
            return True
        time.sleep(0.05)
    return False


def test_every_line_carries_the_name_of_its_process(
    capsys: pytest.CaptureFixture[str],
) -> None:
    stop = StopWhen(capsys, "second |", signal.SIGTERM)
    run([python(SLEEPER), python(SLEEPER, name="second")], tick=stop)

    assert "second | awake\n" in stop.seen
    assert "one    | awake\n" in stop.seen + capsys.readouterr().out


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_children_and_then_us(
    kind: signal.Signals, capsys: pytest.CaptureFixture[str]
) -> None:
    before = signal.getsignal(kind)
    run([python(SLEEPER)], tick=StopWhen(capsys, "awake", kind))

    assert signal.getsignal(kind) is before


def test_a_child_is_ready_once_it_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    stop = StopWhen(capsys, "awake", signal.SIGTERM)
    run([python(SLEEPER, ready="awake"), python(SLEEPER, name="other")], tick=stop)

    assert stop.ready <= {"one"}


def test_a_child_that_crashed_starts_again(capsys: pytest.CaptureFixture[str]) -> None:
    stop = StopWhen(capsys, "starts again in 2 s", signal.SIGTERM)
    run([python("import os; print('hello', flush=True); os._exit(3)")], tick=stop)

    assert stop.seen.count("hello") == 2
    assert "ended with status 3; starts again in 1 s" in stop.seen


def test_the_pause_grows_to_half_a_minute_and_shrinks_after_a_sound_life(
    capsys: pytest.CaptureFixture[str],
) -> None:
    kept = Kept(child=python("pass"), prefix="")
    now, pauses = 0.0, []
    for lived in (1, 1, 1, 1, 1, 1, 1, 61):
        now = kept.start_again
        kept.tend(now)
        assert kept.process is not None
        kept.process.wait(30)
        kept.tend(now + lived)
        pauses.append(kept.start_again - now - lived)

    assert pauses == [1, 2, 4, 8, 16, 30, 30, 1]


def test_a_child_that_will_not_end_is_killed_after_the_grace(
    capsys: pytest.CaptureFixture[str],
) -> None:
    begun = time.monotonic()
    run(
        [python(STUBBORN)],
        tick=StopWhen(capsys, "awake", signal.SIGTERM),
        grace_seconds=0.5,
    )

    assert 0.5 <= time.monotonic() - begun < 10


def test_a_second_interrupt_kills_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    stop = StopWhen(capsys, "awake", signal.SIGINT, signal.SIGINT)
    begun = time.monotonic()
    run([python(STUBBORN)], tick=stop, grace_seconds=60)

    assert time.monotonic() - begun < 30


@pytest.mark.parametrize(
    ("ending", "then"), [("", "ended with status 0"), ("time.sleep(600)", "awake")]
)
def test_what_a_child_started_ends_with_it(
    ending: str, then: str, capsys: pytest.CaptureFixture[str]
) -> None:
    stop = StopWhen(capsys, then, signal.SIGTERM)
    run([python(PARENT + ending)], tick=stop)

    assert is_gone(int(stop.seen.partition("grandchild ")[2].split()[0]))


def test_an_error_of_the_tick_ends_the_children(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def tick(ready: frozenset[str]) -> None:
        if ready:
            raise RuntimeError("no more")

    child = python(
        "import os; print('pid', os.getpid(), flush=True);" + SLEEPER, ready="awake"
    )
    with pytest.raises(RuntimeError, match="no more"):
        run([child], tick=tick)

    assert is_gone(int(capsys.readouterr().out.split()[3]))


def test_children_end_with_a_supervisor_that_is_killed() -> None:
    code = f"""
import sys
from leaderboard.supervisor import Child, run
code = "import os; print('pid', os.getpid(), flush=True);" + {SLEEPER!r}
run([Child(name="one", argv=[sys.executable, "-c", code])])
"""
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True
    ) as supervisor:
        assert supervisor.stdout is not None
        pid = int(supervisor.stdout.readline().split()[3])
        supervisor.kill()

    assert is_gone(pid)
