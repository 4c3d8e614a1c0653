"""When to try a judge again, how long to wait, and when to stop troubling it."""

import math
import random
import time
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
    longest_silence_s: float = (
        math.inf
    )  # without any reply worth having; then it is down

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
    """Counts failures in a row, over all questions; opens when there are too many.

    It also opens rather than let a pause go beyond the longest silence: few questions
    make few failures, and whoever asks may have a deadline.
    """

    def __init__(self, limit: int, longest_silence_s: float = math.inf) -> None:
        self._limit = limit
        self._longest_silence_s = longest_silence_s
        self._failures = 0
        self._heard_at = time.monotonic()

    def succeeded(self) -> None:
        self._failures = 0
        self._heard_at = time.monotonic()

    def failed(self, cause: str) -> None:
        """Note a failure. Raises JudgeUnavailable once too many came in a row."""
        self._failures += 1
        if self._failures >= self._limit:
            raise JudgeUnavailable(
                f"the judge failed {self._failures} times in a row, last: {cause}"
            )

    def bear(self, pause_s: float, cause: str) -> None:
        """Raises JudgeUnavailable when after the pause it would be silent too long."""
        silence = time.monotonic() - self._heard_at
        if silence + pause_s > self._longest_silence_s:
            raise JudgeUnavailable(
                f"the judge has not answered for {silence:.0f} s, last: {cause}"
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
