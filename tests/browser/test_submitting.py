"""Submitting, and following a submission, with and without JavaScript."""

import pytest

from leaderboard.models import Submission
from tests.browser.conftest import Opened, Site, finish_a_part
from tests.workers import small

pytestmark = pytest.mark.browser

FILE = {"name": "mine.jsonl", "mimeType": "application/json"}


@pytest.mark.parametrize("has_scripts", [True, False], ids=["script", "no script"])
def test_a_file_is_checked_and_then_submitted(
    opened: Opened, site: Site, has_scripts: bool
):
    tab = opened(java_script_enabled=has_scripts)
    tab.sign_in(site.username)
    tab.go(site.private["submit"])
    file = {**FILE, "buffer": small.predictions()}
    tab.page.get_by_label("Predictions file").set_input_files(file)
    tab.page.get_by_role("button", name="Check only").click()
    tab.page.get_by_text("This file is sound.").wait_for()
    if not has_scripts:  # the page came anew, and browsers do not keep the file
        tab.page.get_by_label("Predictions file").set_input_files(file)
    tab.page.get_by_label("Method name").fill("From a browser")
    tab.page.get_by_role("button", name="Submit").click()
    tab.page.wait_for_url("**/submissions/*-*/")
    assert tab.page.locator("h1").inner_text() == "From a browser"
    assert Submission.objects.filter(method="From a browser").count() == 1
    assert tab.complaints == []


def test_problems_are_told_while_the_file_stays_chosen(opened: Opened, site: Site):
    tab = opened()
    tab.sign_in(site.username)
    tab.go(site.private["submit"])
    broken = {**FILE, "buffer": b'{"q_id": "nothing", "prediction": 1}\n'}
    tab.page.get_by_label("Predictions file").set_input_files(broken)
    tab.page.get_by_role("button", name="Check only").click()
    tab.page.get_by_text("This file would be rejected").wait_for()
    chosen = "document.querySelector('[type=file]').files.length"
    assert tab.page.evaluate(chosen) == 1
    assert tab.complaints == []


def test_an_open_page_follows_the_work_and_tells_screen_readers(
    opened: Opened, site: Site
):
    tab = opened()
    tab.sign_in(site.username)
    tab.go(site.private["running"])
    tab.page.locator("#live").get_by_text("0 of 3 parts").first.wait_for()
    finish_a_part(site.running)
    tab.page.locator("#live").get_by_text("1 of 3 parts").first.wait_for()
    said = tab.page.locator("#announce").inner_text()
    assert said == "Being scored. 1 of 3 parts are scored."
    assert tab.complaints == []


def test_the_list_follows_the_work(opened: Opened, site: Site):
    tab = opened()
    tab.sign_in(site.username)
    tab.go(site.private["submissions"])
    finish_a_part(site.running)
    tab.page.get_by_text("1 of 3 parts").wait_for()
    assert tab.complaints == []


def test_a_submission_is_withdrawn_without_scripts(opened: Opened, site: Site):
    tab = opened(java_script_enabled=False)
    tab.sign_in(site.username)
    tab.go(site.private["scored"])
    tab.page.get_by_role("link", name="Withdraw").click()
    tab.page.get_by_role("button", name="Withdraw it").click()
    tab.page.get_by_text("is withdrawn.").wait_for()
    assert Submission.objects.filter(status="withdrawn").count() == 1
