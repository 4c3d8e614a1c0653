"""The page of a track."""

from datetime import UTC, datetime

import pytest
from django.test import Client

from evaluation import SUITES
from leaderboard.models import Phase
from tests.factories import make_phase, make_track
from tests.leaderboard.views.conftest import text_of

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
    text = text_of(response)
    for one in declared:
        assert " ".join(one.split()) in text


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


def test_there_is_no_page_for_an_unknown_track(client: Client):
    assert client.get("/tracks/nothing/").status_code == 404
