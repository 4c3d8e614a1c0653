"""What people do in the browser."""

from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page

PASSWORD = "a long pass phrase"
SCORED_MS = 120_000


@dataclass(frozen=True, kw_only=True)
class Person:
    """Somebody at a browser."""

    page: Page
    url: str
    name: str
    complaints: list[str]

    def go(self, path: str) -> None:
        answer = self.page.goto(self.url + path)
        assert answer is not None, path
        assert answer.ok, (path, answer.status)

    def sign_up(self) -> None:
        self.go("/accounts/signup/")
        fill = self.page.get_by_label
        fill("Username").fill(self.name)
        fill("Email").fill(f"{self.name}@example.org")
        fill("Password", exact=True).fill(PASSWORD)
        fill("Password (again)").fill(PASSWORD)
        self.press("Sign up")
        self.page.get_by_role("link", name=self.name, exact=True).wait_for()

    def press(self, button: str) -> None:
        self.page.get_by_role("button", name=button, exact=True).click()

    def make_token(self, name: str) -> str:
        """The text of a new token, which is shown once."""
        self.go("/tokens/")
        self.page.get_by_label("Name").fill(name)
        self.press("Make it")
        return self.page.locator("code.secret").inner_text()

    def submit(self, phase: str, file: Path, method: str) -> str:
        """Choose a file and submit it; the address of the submission's page."""
        self.go(f"/tracks/{phase}/submit/")
        self.page.get_by_label("Predictions file").set_input_files(file)
        self.page.get_by_label("Method name").fill(method)
        self.press("Submit")
        self.page.wait_for_url("**/submissions/*-*/", timeout=SCORED_MS)
        return self.page.url.removeprefix(self.url)

    def watch(self, word: str) -> str:
        """Wait, without reloading, until the page says that; what it says then."""
        badge = self.page.locator("#live .state .badge").get_by_text(word, exact=True)
        badge.wait_for(timeout=SCORED_MS)
        return self.page.locator("main").inner_text()

    def left_today(self, phase: str) -> str:
        self.go(f"/tracks/{phase}/submit/")
        return self.page.locator("#quota-title + dl dd").first.inner_text()
