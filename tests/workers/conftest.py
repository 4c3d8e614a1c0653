"""Every test here runs as a worker does: it may open what is sealed."""

import pytest
from pytest_django import Settings

from tests.workers import small
from workers import resources


@pytest.fixture(autouse=True)
def keys(settings: Settings) -> None:
    small.give_keys(settings)
    resources._compiled.cache_clear()
    resources._answers.cache_clear()
