"""Every page: no violated policy, no sideways scrolling, sound for all readers."""

from pathlib import Path

import pytest

from tests.browser.conftest import Opened, Site

pytestmark = pytest.mark.browser

MEASURES = (Path(__file__).parent / "measures.js").read_text(encoding="utf-8")
MEASURES = MEASURES[MEASURES.index("()") :].rstrip().removesuffix(";")


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_is_sound(opened: Opened, site: Site, width: int, scheme: str):
    tab = opened(width=width, color_scheme=scheme)
    found = {name: faults(tab, path) for name, path in site.public.items()}
    tab.sign_in(site.username)
    found |= {name: faults(tab, path) for name, path in site.private.items()}
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


def test_the_page_of_an_unknown_address_is_sound(opened: Opened, site: Site):
    tab = opened()
    assert tab.go("/nowhere/") == 404
    assert tab.page.evaluate(MEASURES) == []


def faults(tab, path: str) -> list[str]:
    """What the console, the policy and the measures say against a page."""
    status = tab.go(path)
    wrong = [] if status == 200 else [f"answers {status}"]
    return wrong + tab.page.evaluate(MEASURES) + tab.complaints


def test_these_measures_see_what_is_wrong(opened: Opened, site: Site):
    tab = opened(width=360)
    tab.go("/")
    tab.page.evaluate(
        """document.querySelector("main").insertAdjacentHTML("beforeend", `
        <h2>High</h2><h4 id="main">Deep</h4><input><table><th>No scope</th></table>
        <p style="color: #eee">Pale</p><svg width="900" height="9"></svg>
        <a href="/"></a><p aria-labelledby="nobody">x</p>`)"""
    )
    wrong = " ".join(tab.page.evaluate(MEASURES))
    for word in ("sideways", "level", "twice", "label", "scope", "text", "nobody"):
        assert word in wrong
    assert "contrast" not in wrong  # the policy kept the inline style from working
    assert "Content Security Policy" in " ".join(tab.complaints)
    tab.page.evaluate(
        """for (const one of document.querySelectorAll("main p"))
        one.style.setProperty("color", "#aaa")"""
    )
    assert "contrast" in " ".join(tab.page.evaluate(MEASURES))
