"""One site for all, and the people who use it."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.endtoend.api import Caller
from tests.endtoend.browsing import Person
from tests.endtoend.site import Site, serving

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is missing")

ARGS = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.endtoend)


@pytest.fixture(scope="package")
def site(shared_data: Path) -> Iterator[Site]:
    """A whole server with its samples, and three phases that wait for a test set."""
    if shutil.which("curl") is None:
        pytest.skip("no curl on the path")
    for package in ("torch", "spacy"):  # the samples are of all suites
        if find_spec(package) is None:
            pytest.skip(f"{package} is not installed; see the extra `explore`")
    with tempfile.TemporaryDirectory(prefix="egoboard-e2e-") as folder:
        Path(folder).chmod(0o755)  # PostgreSQL may run as another user
        with serving(Path(folder)) as found:
            yield found


@pytest.fixture(scope="module")
def chromium() -> Iterator[sync_api.Browser]:
    """Closed with the module: while it runs, no other event loop can."""
    path = os.environ.get("EGOBOARD_CHROMIUM") or shutil.which("chromium")
    if not path:
        pytest.skip("no Chromium on the path (or name one in EGOBOARD_CHROMIUM)")
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=ARGS.split())
        yield started
        started.close()


@pytest.fixture(scope="module")
def newcomer(site: Site, chromium: sync_api.Browser) -> Iterator[Callable[..., Person]]:
    """Opens a browser for somebody new: `newcomer("ada")`."""
    with ExitStack() as stack:

        def arrive(name: str) -> Person:
            context = chromium.new_context()
            stack.callback(context.close)
            complaints: list[str] = []
            page = context.new_page()
            page.on(
                "console",
                lambda told: (
                    complaints.append(told.text)
                    if told.type in ("error", "warning")
                    else None
                ),
            )
            page.on("pageerror", lambda error: complaints.append(str(error)))
            person = Person(page=page, url=site.url, name=name, complaints=complaints)
            person.sign_up()
            return person

        yield arrive


@pytest.fixture(scope="package")
def anonymous(site: Site) -> Caller:
    return Caller(url=site.url)


@pytest.fixture(scope="package")
def caller(site: Site) -> Caller:
    """Somebody who has a token and no browser."""
    text = site.manage("shell", "--no-imports", "-c", MAKE_TOKEN).split()[-1]
    return Caller(url=site.url, token=text)


MAKE_TOKEN = """
from django.contrib.auth.models import User
from leaderboard import teams, tokens
user = User.objects.create_user("robot", "robot@example.org", "a long pass phrase")
team = teams.personal_team(user)
print(tokens.create(user=user, team=team, name="CI", scope="submit", days=9)[1])
"""
