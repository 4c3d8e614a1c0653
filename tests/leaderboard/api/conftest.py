"""What every test of the API needs: keys to seal by, and throttles that start anew."""

import pytest
from django.core.cache import cache
from pytest_django.fixtures import Settings

from leaderboard import embedded


@pytest.fixture(autouse=True)
def sealing(settings: Settings) -> None:
    settings.STATIC_ROOT.mkdir(exist_ok=True)  # or WhiteNoise warns
    settings.SEAL_RECIPIENT = embedded.seal_recipient()
    settings.SEAL_IDENTITY_FILE = str(embedded.seal_identity_file())


@pytest.fixture(autouse=True)
def no_earlier_requests() -> None:
    cache.clear()
