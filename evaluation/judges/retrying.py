"""When to try a judge again, how long to wait, and when to stop troubling it."""

import random
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from evaluation.judges import JudgeUnavailable


@dataclass(frozen=True, kw_only=True)
class RetryPolicy:
    """Exponential back-off with jitter, in seconds; a server's own wish comes first."""

    attempts: int = 12
    base_s: float = 0.5
    longest_s: float = 30.0
    longest_wish_s: float = 60.0  # a server that asks for more is down for now
    failures_to_open: int = 0  # 0: twice the concurrency, at least 16

    def pause(self, attempt: int, seed: str, wish_s: float | None) -> float:
        """Seconds to wait after the attempt with this number, counted from 0.

        The jitter is seeded by the question: no two questions wait alike, and a rerun
        waits as the first run did. Raises JudgeUnavailable for too long a wish.
        """
        if wish_s is not None:
            if wish_s > self.longest_wish_s:
                raise JudgeUnavailable(f"the judge asks to wait {wish_s:.0f} s")
            return wish_s
        jitter = random.Random(f"{seed}/{attempt}").uniform(0.5, 1.0)  # noqa: S311
        return float(min(self.longest_s, self.base_s * 2.0**attempt) * jitter)


class Breaker:
    """Counts failures in a row, over all questions; opens when there are too many."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._failures = 0

    def succeeded(self) -> None:
        self._failures = 0

    def failed(self, cause: str) -> None:
        """Note a failure. Raises JudgeUnavailable once too many came in a row."""
        self._failures += 1
        if self._failures >= self._limit:
            raise JudgeUnavailable(
                f"the judge failed {self._failures} times in a row, last: {cause}"
            )


def wished_pause(header: str | None, replied_at: str | None = None) -> float | None:
    """Seconds of a Retry-After header; None when absent or unreadable.

    A header that names a date is read against the reply's own Date header.
    """
    if header is None:
        return None
    if header.strip().isdecimal():
        return float(header)
    try:
        until = parsedate_to_datetime(header)
        since = parsedate_to_datetime(replied_at or "")
        return max(0.0, (until - since).total_seconds())
    except (TypeError, ValueError):
        return None
