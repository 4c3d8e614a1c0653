"""How much memory processes have had at most, as Linux counts it."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path


def forget_peaks(pids: Iterable[int]) -> None:
    """Let the peaks begin again from now."""
    for pid in pids:
        Path(f"/proc/{pid}/clear_refs").write_text("5")


def peak_mib(pids: Iterable[int]) -> float:
    """The highest resident set that one of the processes has had, shared parts too."""
    peaks = [0.0]
    for pid in pids:
        with suppress(OSError):  # it has ended
            lines = Path(f"/proc/{pid}/status").read_text().splitlines()
            peaks += [
                int(line.split()[1]) / 1024
                for line in lines
                if line.startswith("VmHWM:")
            ]
    return max(peaks)
