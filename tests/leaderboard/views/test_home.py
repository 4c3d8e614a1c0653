"""The front page."""

import re
import shlex
from datetime import timedelta
from html import unescape

import pytest
from django.test import Client
from django.urls import resolve
from django.utils import timezone
from typer.main import get_command

from leaderboard.client.cli import app
from leaderboard.models import Phase
from leaderboard.views.cards import current_phase, track_cards
from tests.factories import (
    make_baseline,
    make_phase,
    make_scored,
    make_test_set,
    make_track,
)
from tests.leaderboard.views.conftest import text_of

pytestmark = pytest.mark.django_db


def test_a_card_shows_the_best_measured_value_and_the_best_baseline(client: Client):
    test_set = make_test_set()
    make_scored(test_set.phase, skill=0.3)
    best = make_scored(test_set.phase, skill=0.8)
    make_baseline(test_set, skill=0.1)
    floor = make_baseline(test_set, skill=0.2)
    (card,) = track_cards(timezone.now())
    assert card.measured == 2
    assert card.best == f"{best.board_entry.scores['overall']['gpa'][0]:.1f}"
    assert card.floor == f"{floor.scores['overall']['gpa'][0]:.1f}"
    text = text_of(client.get("/"))
    assert f"best GPA {card.best}" in text
    assert "measured here 2" in text


def test_a_private_submission_is_not_counted():
    make_scored(is_public=False)
    (card,) = track_cards(timezone.now())
    assert (card.measured, card.best) == (0, "\N{EN DASH}")


def test_a_hidden_board_tells_nothing_on_its_card():
    phase = make_phase(
        visibility=Phase.Visibility.HIDDEN,
        visible_from=timezone.now() + timedelta(days=1),
    )
    make_scored(test_set=make_test_set(phase))
    (card,) = track_cards(timezone.now())
    assert (card.measured, card.best) == (0, "\N{EN DASH}")


def test_a_track_that_is_not_listed_has_no_card(client: Client):
    make_track(title="Secret track", is_listed=False)
    assert "Secret track" not in client.get("/").content.decode()


def test_a_track_without_phases_leads_to_its_own_page(client: Client):
    track = make_track()
    assert f'href="/tracks/{track.slug}/"' in client.get("/").content.decode()


@pytest.mark.parametrize("tracks", [1, 5])
def test_the_number_of_queries_does_not_depend_on_the_number_of_tracks(
    client: Client, django_assert_num_queries, tracks: int
):
    for _ in range(tracks):
        make_scored()
    with django_assert_num_queries(5):
        client.get("/")


def test_the_open_phase_with_a_test_set_matters_most():
    track, now = make_track(), timezone.now()
    make_phase(track, slug="closed", closes_at=now - timedelta(days=1))
    later = make_phase(track, slug="open", opens_at=now - timedelta(days=2))
    assert current_phase(track.phases.all(), now) == later
    first = make_phase(track, slug="ready", opens_at=now - timedelta(days=9))
    make_test_set(first)
    assert current_phase(track.phases.all(), now) == first


def test_without_an_open_phase_the_next_one_is_shown():
    track, now = make_track(), timezone.now()
    make_phase(track, slug="far", opens_at=now + timedelta(days=9))
    near = make_phase(track, slug="near", opens_at=now + timedelta(days=2))
    assert current_phase(track.phases.all(), now) == near


def test_the_commands_on_the_page_work_as_they_stand(client: Client):
    make_phase()
    html = client.get("/").content.decode()
    curl, terminal = (
        unescape(shown) for shown in re.findall(r"<code>(.*?)</code>", html, re.DOTALL)
    )
    address = curl.split()[-1].removeprefix("http://testserver")
    assert resolve(address).url_name == "phase-submissions"
    commands = get_command(app).commands
    for line in terminal.replace("\\\n", "").splitlines():
        _, name, *arguments = shlex.split(line)
        if name == "login":
            arguments += ["--token", "ego_1"]  # it asks for this one
        commands[name].make_context(name, arguments)  # raises for what it lacks
