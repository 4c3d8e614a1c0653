"""The browsable page in a real browser: it draws itself offline, under its CSP."""

import os
import shutil

import pytest
from django.conf import settings as site
from pytest_django.live_server_helper import LiveServer

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="session", autouse=True)
def static_root() -> None:
    """WhiteNoise warns without one, and the live server starts with the session."""
    site.STATIC_ROOT.mkdir(exist_ok=True)


@pytest.fixture
def unsafe_async(monkeypatch: pytest.MonkeyPatch) -> None:
    """Playwright's event loop makes Django refuse the test's own database calls."""
    monkeypatch.setitem(os.environ, "DJANGO_ALLOW_ASYNC_UNSAFE", "1")


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine")
def test_the_page_draws_every_operation_and_loads_nothing_from_elsewhere(
    unsafe_async: None, live_server: LiveServer
) -> None:
    from playwright.sync_api import sync_playwright

    asked: list[str] = []
    complaints: list[str] = []
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: complaints.append(message.text))
        page.goto(f"{live_server.url}/api/docs/")
        page.wait_for_selector(".opblock-summary-path")
        operations = page.locator(".opblock").count()
        page.locator(".opblock-summary").first.click()
        page.wait_for_selector(".opblock.is-open .responses-wrapper")
        browser.close()
    assert operations == 15
    assert [
        url for url in asked if not url.startswith((live_server.url, "data:"))
    ] == []
    assert [text for text in complaints if "Content Security Policy" in text] == []
