"""The board on a phone, and with the keyboard."""

import pytest

from tests.browser.conftest import Opened, Site

pytestmark = pytest.mark.browser


def test_on_a_phone_the_method_stays_in_sight_while_the_table_scrolls(
    opened: Opened, site: Site
):
    tab = opened(width=360)
    tab.go(site.public["board"])
    method = tab.page.locator("tbody th.method").first
    before = method.bounding_box()["x"]
    moved = tab.page.locator(".scroll").evaluate(
        "box => { box.scrollLeft = 400; return box.scrollLeft }"
    )
    assert moved > 100
    after = method.bounding_box()
    assert 0 <= after["x"] <= before
    assert after["x"] + after["width"] < 250  # and leaves room for a number


def test_the_first_tab_stop_skips_to_the_content(opened: Opened, site: Site):
    tab = opened()
    tab.go(site.public["board"])
    tab.page.keyboard.press("Tab")
    assert tab.page.evaluate("document.activeElement.textContent") == (
        "Skip to the content"
    )
    tab.page.keyboard.press("Enter")
    assert tab.page.evaluate("document.activeElement.id") == "main"


def test_a_column_is_sorted_with_the_keyboard(opened: Opened, site: Site):
    tab = opened()
    tab.go(site.public["board"])
    tab.page.get_by_role("link", name="MoC").focus()
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_url("**sort=moc**")
    sorted_by = tab.page.locator("th[aria-sort=descending]")
    assert "MoC" in sorted_by.inner_text()


def test_what_has_the_focus_can_be_seen(opened: Opened, site: Site):
    tab = opened()
    tab.go(site.public["board"])
    for _ in range(12):
        tab.page.keyboard.press("Tab")
        outline = tab.page.evaluate(
            "getComputedStyle(document.activeElement).outlineStyle"
        )
        assert outline == "solid"


@pytest.mark.parametrize("board", ["crowded board", "judged board", "board"])
def test_the_scores_of_a_board_fit_a_desk_with_their_interval_plot(
    opened: Opened, site: Site, board: str
):
    tab = opened(width=1280)
    tab.go(site.public[board])
    box = tab.page.locator(".scroll")
    assert box.evaluate("box => box.scrollWidth - box.clientWidth") == 0
    assert tab.page.locator("td.whisker svg").first.is_visible()


def test_a_reference_leads_to_its_source_and_a_note_opens(opened: Opened, site: Site):
    tab = opened()
    tab.go(site.public["crowded board"])
    row = tab.page.locator("tr", has_text="A-published-model-0")
    row.get_by_role("link", name="Source").click()
    assert tab.page.evaluate("location.hash") == "#source-1"
    assert "Paper 0" in tab.page.locator(".sources li:target").inner_text()
    note = row.get_by_text("Transcribed from a figure.")
    assert not note.is_visible()
    row.get_by_text("Note").click()
    assert note.is_visible()


def test_a_published_row_is_one_line_high_on_a_desk(opened: Opened, site: Site):
    tab = opened(width=1280)
    tab.go(site.public["crowded board"])
    row = tab.page.locator("tr", has_text="A-published-model-1")
    assert row.bounding_box()["height"] < 40


def test_a_tag_filters_the_board(opened: Opened, site: Site):
    tab = opened()
    tab.go(site.public["judged board"])
    tab.page.locator("a.tag", has_text="4 segments").first.click()
    tab.page.wait_for_url("**card.segments=4**")
    assert (
        "only segments or window 4 segments" in tab.page.locator("caption").inner_text()
    )
