"""Settings that must hold together."""

import pytest
from django.core.checks import run_checks
from pytest_django import Settings

from leaderboard.checks import limits_are_ordered

LIMITS = (
    "SOFT_LIMIT_SECONDS",
    "HARD_LIMIT_SECONDS",
    "LEASE_SECONDS",
    "VISIBILITY_SECONDS",
)


def test_the_defaults_are_in_order() -> None:
    assert limits_are_ordered(None) == []


@pytest.mark.parametrize("position", range(3))
@pytest.mark.parametrize("change", [0, 1], ids=["equal", "larger"])
def test_limits_out_of_order_are_an_error(
    settings: Settings, position: int, change: int
) -> None:
    above = getattr(settings, LIMITS[position + 1])
    setattr(settings, LIMITS[position], above + change)
    (error,) = [found for found in run_checks() if found.id == "egoboard.E001"]
    assert f"{LIMITS[position]}={above + change}" in error.msg
