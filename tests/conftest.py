"""What every test may ask for. The embedded services start with the first database."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from leaderboard import embedded

REPOSITORY = Path(__file__).resolve().parent.parent


def pytest_configure() -> None:
    """A TERM ends a run as Ctrl-C does: services stop and directories go."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)


@pytest.fixture(scope="session")
def services() -> Iterator[embedded.Running]:
    """PostgreSQL and Redis of this run; `.kill()` and `.restart()` break them."""
    with embedded.running() as running:
        yield running


@pytest.fixture(scope="session")
def django_db_modify_db_settings(services: embedded.Running) -> None:
    """Have PostgreSQL running before pytest-django makes the test database."""


@pytest.fixture
def stack_env(transactional_db: None) -> dict[str, str]:
    """The environment in which `leaderboard.stack` runs on the test database."""
    name = settings.DATABASES["default"]["NAME"]
    url = os.environ.get("DATABASE_URL") or embedded.database_url()
    return {
        "DATABASE_URL": f"{url.rpartition('/')[0]}/{name}",
        "BROKER_URL": settings.BROKER_URL,
        "DJANGO_SETTINGS_MODULE": "tests.settings",
    }


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The reference data beside the repository, which not every machine has."""
    given = os.environ.get("EGOBOARD_SHARED_DATA")
    path = Path(given) if given else REPOSITORY.parent / "shared" / "data"
    if not path.is_dir():
        pytest.skip(f"no reference data at {path} (set EGOBOARD_SHARED_DATA)")
    return path
