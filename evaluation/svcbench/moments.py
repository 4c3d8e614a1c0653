"""Query times found by value: written otherwise, a time is still the same one."""

from evaluation.svcbench.counts import LIMIT
from evaluation.svcbench.draft import TOLERANCE, is_near


class Moments:
    """Query times found by value, in constant time however many there are."""

    def __init__(self) -> None:
        self._times: list[float] = []
        self._cells: dict[int, list[int]] = {}  # a cell is one tolerance wide

    def add(self, time: float) -> None:
        self._cells.setdefault(_cell(time), []).append(len(self._times))
        self._times.append(time)

    def near(self, value: object) -> list[int]:
        """Positions, in the order added, of the times that a JSON value is."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return []
        if abs(value) > LIMIT:
            return []
        middle = _cell(value)
        found = [
            k for c in range(middle - 2, middle + 3) for k in self._cells.get(c, ())
        ]
        return sorted(k for k in found if is_near(value, self._times[k]))


def _cell(time: float) -> int:
    return int(time / TOLERANCE)
