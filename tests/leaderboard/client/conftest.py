"""What the command needs: a site that runs, and a home of its own."""

from pathlib import Path

import pytest
from django.conf import settings as site
from django.core.cache import cache
from pytest_django.fixtures import Settings
from pytest_django.live_server_helper import LiveServer

from leaderboard import embedded
from tests.leaderboard.client.terminal import Terminal


@pytest.fixture(scope="session", autouse=True)
def static_root() -> None:
    """WhiteNoise warns without one, and the live server starts with the session."""
    site.STATIC_ROOT.mkdir(exist_ok=True)


@pytest.fixture
def sealing(settings: Settings) -> None:
    settings.SEAL_RECIPIENT = embedded.seal_recipient()
    settings.SEAL_IDENTITY_FILE = str(embedded.seal_identity_file())
    cache.clear()


@pytest.fixture
def terminal(live_server: LiveServer, sealing: None, tmp_path: Path) -> Terminal:
    """Where the command is typed, with nothing configured but the site's URL."""
    return Terminal(home=tmp_path, url=live_server.url)
