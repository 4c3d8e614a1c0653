"""The page of a track."""

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from django.test import Client
from django.utils import timezone

from evaluation import SUITES
from leaderboard.models import JudgeProfile, Phase
from tests.factories import make_judge, make_phase, make_test_set, make_track
from tests.leaderboard.views.conftest import text_of
from tests.leaderboard.views.suites import FOURTH, fourth

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("slug", sorted(SUITES))
def test_the_page_tells_everything_that_the_suite_declares(client: Client, slug: str):
    suite = SUITES[slug]
    phase = make_phase(make_track(suite=slug))
    response = client.get(f"/tracks/{phase.track.slug}/")
    declared = [
        *(metric.label for metric in suite.metrics),
        *(metric.meaning for metric in suite.metrics),
        *(error.meaning for error in suite.errors),
        *(family.label for family in suite.families),
        *(format_.example for format_ in suite.formats),
        *suite.deviations,
        suite.paper,
    ]
    text = spoken(text_of(response))
    for one in declared:
        assert spoken(one) in text
    assert "`" not in text_of(response)


def spoken(text: str) -> str:
    """Without backticks, and without the blanks that tags leave."""
    return "".join(text.replace("`", "").split())


def test_phases_state_their_quota_and_dates_in_their_own_time_zone(client: Client):
    phase = make_phase(
        time_zone="Asia/Shanghai",
        opens_at=datetime(2026, 3, 1, 16, 0, tzinfo=UTC),
        daily_quota=7,
        total_quota=1234,
    )
    text = text_of(client.get(f"/tracks/{phase.track.slug}/"))
    assert "Opens 2 Mar 2026, 00:00 Asia/Shanghai" in text
    assert "7 a day (Asia/Shanghai), 1,234 in all" in text


def test_a_frozen_board_says_since_when(client: Client):
    phase = make_phase(
        visibility=Phase.Visibility.FROZEN,
        frozen_at=datetime(2026, 3, 1, 16, 0, tzinfo=UTC),
    )
    text = text_of(client.get(f"/tracks/{phase.track.slug}/"))
    assert "frozen since 1 Mar 2026, 16:00 UTC" in text


def test_a_paper_s_address_is_a_link(client: Client):
    phase = make_phase(make_track(suite="egobench"))
    html = client.get(f"/tracks/{phase.track.slug}/").content.decode()
    paper = SUITES["egobench"].paper
    assert f'<a href="{paper}" rel="nofollow">' in html


def test_texts_of_a_suite_are_never_markup_and_show_code(client: Client, monkeypatch):
    odd = replace(fourth(), deviations=("Not `<b>` but <i>this</i> `one.",))
    monkeypatch.setitem(SUITES, FOURTH, odd)
    phase = make_phase(make_track(suite=FOURTH))
    html = client.get(f"/tracks/{phase.track.slug}/").content.decode()
    said = "Not <code>&lt;b&gt;</code> but &lt;i&gt;this&lt;/i&gt; `one."
    assert f"<li>{said}</li>" in html


def test_the_buttons_lead_to_the_first_phase_that_has_a_test_set(client: Client):
    track = make_track()
    make_phase(track, slug="early")
    ready = make_phase(track, slug="ready")
    make_phase(track, slug="late", opens_at=timezone.now())
    draft = make_test_set(track.phases.get(slug="early"), status="draft")
    make_test_set(ready)
    html = client.get(f"/tracks/{track.slug}/").content.decode()
    actions = html[html.index('class="actions"') :].partition("</div>")[0]
    assert re.findall(r'href="([^"]*)"', actions) == [
        f"/tracks/{track.slug}/ready/",
        f"/tracks/{track.slug}/ready/submit/",
    ]
    assert html.count("This phase has no test set yet") == 2
    assert draft.phase.slug == "early"


def test_without_any_test_set_nothing_can_be_submitted(client: Client):
    phase = make_phase()
    html = client.get(f"/tracks/{phase.track.slug}/").content.decode()
    assert f"/tracks/{phase.track.slug}/{phase.slug}/" in html
    assert "/submit/" not in html


def test_a_phase_names_its_judge_and_how_far_it_can_be_trusted(client: Client):
    judge = make_judge(
        title="Small judge", agreement=0.9, agreement_low=0.875, agreement_high=0.94
    )
    phase = make_phase(judge_profile=judge)
    text = text_of(client.get(f"/tracks/{phase.track.slug}/"))
    told = "Small judge, agreement with people: Spearman ρ 0.90 (0.88–0.94)"  # noqa: RUF001
    assert f"Judge {told} not comparable with published numbers" in text
    JudgeProfile.objects.update(is_comparable=True, agreement=None)
    text = text_of(client.get(f"/tracks/{phase.track.slug}/"))
    assert "Judge Small judge Rules" in text


def test_there_is_no_page_for_an_unknown_track(client: Client):
    assert client.get("/tracks/nothing/").status_code == 404
