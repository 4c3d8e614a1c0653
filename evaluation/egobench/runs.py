"""A trajectory as it is scored, and what its entry reports about the run."""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

RELIABILITIES = (
    "role_consistency",
    "instruction_following",
    "resilience",
    "contextual_robustness",
)
MAX_NUMBER = 1e9  # of rounds or tokens; a larger one is no report
MAX_TOLD = 64 * 1024  # bytes of a field about the run; a longer one is ignored
UNKNOWN = (None,) * len(RELIABILITIES)
RawField = msgspec.Raw | msgspec.UnsetType


@dataclass(frozen=True, kw_only=True, slots=True)
class Trajectory:
    """A task's calls in order. `syntax` says what is malformed, None if nothing is."""

    calls: Sequence[object]
    syntax: str | None
    is_array: bool = True  # False: tool_calls is something else, so nothing counts
    rounds: float | None = None
    tokens: float | None = None
    reliabilities: Sequence[float | None] = UNKNOWN

    @property
    def has_sound_user(self) -> bool | None:
        """Whether all four checks of the simulated user hold; None if not all told."""
        if any(value is None for value in self.reliabilities):
            return None
        return all(value == 1 for value in self.reliabilities)


def number(raw: RawField) -> float | None:
    """A number of the run's report; anything else there is ignored (Q28)."""
    value = _value(raw)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= MAX_NUMBER else None


def reliabilities(raw: RawField) -> Sequence[float | None]:
    """The simulated user's four checks, 0 to 1; None for what is not told.

    `user_performance` is an object with a truth value or a share for each check, or
    an array of them, one per round, whose mean is taken.
    """
    value = _value(raw)
    if not isinstance(value, dict):
        return UNKNOWN
    return tuple(_share(value.get(name)) for name in RELIABILITIES)


def _share(value: object) -> float | None:
    if isinstance(value, list):
        shares = [share for share in map(_share, value) if share is not None]
        return sum(shares) / len(shares) if shares else None
    if isinstance(value, int | float) and 0 <= value <= 1:
        return float(value)
    return None


def _value(raw: RawField) -> object:
    if isinstance(raw, msgspec.UnsetType) or len(memoryview(raw)) > MAX_TOLD:
        return None
    try:
        value: object = msgspec.json.decode(raw)
    except (msgspec.MsgspecError, RecursionError):
        return None
    return value
