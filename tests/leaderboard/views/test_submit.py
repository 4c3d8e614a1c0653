"""The submit page, and its check before anything counts."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from evaluation import SUITES
from leaderboard.models import Phase, QuotaCounter, Submission
from leaderboard.teams import personal_team
from tests.factories import (
    make_phase,
    make_team,
    make_test_set,
    make_track,
    make_user,
)
from tests.leaderboard.views.conftest import text_of
from tests.leaderboard.views.suites import FOURTH, fourth
from tests.workers import small

pytestmark = pytest.mark.django_db
BROKEN = b'{"q_id": "nothing", "prediction": 1}\n'


@pytest.fixture
def user(client: Client):
    user = make_user()
    client.force_login(user)
    return user


def path(phase: Phase) -> str:
    return f"/tracks/{phase.track.slug}/{phase.slug}/submit/"


def filled(user, data: bytes, action: str = "submit", **said: object) -> dict:
    return {
        "upload": SimpleUploadedFile("answers.jsonl", data),
        "method": "Spoon counter",
        "team": str(personal_team(user).pk),
        "is_public": "on",
        "key": "0" * 36,
        "action": action,
        **said,
    }


def test_the_page_shows_formats_and_what_is_left_of_the_quota(client: Client, user):
    phase = make_test_set(make_phase(daily_quota=7, time_zone="Asia/Shanghai")).phase
    team = make_team(user, name="Our lab")
    text = text_of(client.get(path(phase)))
    assert f"{team.name} 7 of 7 left today" in text
    assert "midnight, Asia/Shanghai" in text
    assert "query_times" in text


def test_a_submission_leads_to_its_own_page(client: Client, user):
    phase = make_test_set().phase
    response = client.post(path(phase), filled(user, b"{}", description="Greedy."))
    submission = Submission.objects.get()
    assert response.status_code == 302
    assert response.url == f"/submissions/{submission.pk}/"
    assert submission.method == "Spoon counter"
    assert submission.description == "Greedy."
    assert submission.is_public
    assert submission.created_by == user
    assert submission.file_name == "answers.jsonl"


def test_pressing_the_button_twice_submits_once(client: Client, user):
    phase = make_test_set().phase
    first = client.post(path(phase), filled(user, b"{}"))
    second = client.post(path(phase), filled(user, b"{}"))
    assert first.url == second.url
    assert Submission.objects.count() == 1
    assert QuotaCounter.objects.get(day=None).used == 1


def test_the_same_page_may_submit_again_with_other_content(client: Client, user):
    phase = make_test_set().phase
    client.post(path(phase), filled(user, b"{}"))
    response = client.post(path(phase), filled(user, b"[]"))
    assert response.status_code == 302
    assert Submission.objects.count() == 2


def test_an_error_keeps_what_was_written(client: Client, user):
    phase = make_test_set().phase
    said = filled(user, b"{}", method="", description="Two stages")
    del said["is_public"]
    response = client.post(path(phase), said)
    assert response.status_code == 422
    html = response.content.decode()
    assert "Two stages" in html
    assert "This field is required." in html
    assert "Choose the file again" in html
    assert " checked" not in html
    assert not Submission.objects.exists()


def test_a_refusal_is_told_with_its_rule(client: Client, user):
    phase = make_test_set(make_phase(daily_quota=1)).phase
    client.post(path(phase), filled(user, b"{}"))
    response = client.post(path(phase), filled(user, b"[]", key="1" * 36))
    assert response.status_code == 422
    assert "this phase allows 1 submissions a day" in text_of(response)


def test_a_closed_phase_takes_nothing_and_says_so(client: Client, user):
    closed = timezone.now() - timedelta(days=1)
    phase = make_test_set(make_phase(closes_at=closed)).phase
    assert "does not take submissions now" in text_of(client.get(path(phase)))
    response = client.post(path(phase), filled(user, b"{}"))
    assert response.status_code == 422
    assert not Submission.objects.exists()


def test_another_teams_name_cannot_be_used(client: Client, user):
    phase, foreign = make_test_set().phase, make_team(make_user())
    response = client.post(path(phase), filled(user, b"{}", team=str(foreign.pk)))
    assert response.status_code == 422
    assert not Submission.objects.exists()


def test_a_file_over_the_limit_gets_a_clear_message(
    client: Client, user, settings: Settings
):
    settings.MAX_UPLOAD_MIB = 1
    phase = make_test_set().phase
    data = b"x" * (1024 * 1024 + 1)
    for action in ("check", "submit"):
        text = text_of(client.post(path(phase), filled(user, data, action)))
        assert "1 MiB are allowed. Compress it" in text


def test_check_only_tells_coverage_and_costs_nothing(client: Client, user):
    phase = small.open_phase()
    said = filled(user, small.predictions(questions=5), "check", method="")
    response = client.post(path(phase), said)
    assert response.status_code == 200
    text = text_of(response)
    assert "This file is sound. It gives 20 of the 24 answers" in text
    assert "This field is required" not in text
    assert not Submission.objects.exists()
    assert not QuotaCounter.objects.exists()


def test_check_only_tells_every_problem_with_its_line(client: Client, user):
    phase = small.open_phase()
    said = filled(user, small.predictions() + BROKEN, "check", description="Kept")
    text = text_of(client.post(path(phase), said))
    assert "would be rejected: 1 problem." in text
    assert "line 25" in text
    assert "unknown_q_id" in text
    assert "Kept" in text
    assert "Spoon counter" in client.post(path(phase), said).content.decode()


def test_htmx_gets_the_outcome_alone_so_that_the_chosen_file_stays(
    client: Client, user
):
    phase = small.open_phase()
    said = filled(user, small.predictions(), "check")
    response = client.post(path(phase), said, headers={"HX-Request": "true"})
    assert "This file is sound." in text_of(response)
    assert "<form" not in response.content.decode()
    assert "HX-Request" in response["Vary"]


def test_check_only_without_a_file_asks_for_one(client: Client, user):
    phase = make_test_set().phase
    response = client.post(path(phase), {"action": "check"})
    assert "Choose the file with your predictions." in text_of(response)


def test_check_only_without_a_test_set_says_so(client: Client, user):
    phase = make_phase()
    response = client.post(path(phase), filled(user, b"{}", "check"))
    assert "no active test set yet" in text_of(response)


@pytest.fixture
def carded(monkeypatch) -> Phase:
    monkeypatch.setitem(SUITES, FOURTH, fourth())
    return make_test_set(make_phase(make_track(suite=FOURTH))).phase


def test_the_method_card_is_asked_for_and_kept(client: Client, user, carded: Phase):
    html = client.get(path(carded)).content.decode()
    assert '<option value="" selected>not said</option>' in html
    assert '<option value="none &amp; bare">none &amp; bare</option>' in html
    assert "What the &lt;hand&gt; wore." in html
    said = filled(user, b"{}", card_glove="none & bare", card_size=" 8B ")
    assert client.post(path(carded), said).status_code == 302
    assert Submission.objects.get().card == {"glove": "none & bare", "size": "8B"}


def test_a_card_may_be_left_empty(client: Client, user, carded: Phase):
    client.post(path(carded), filled(user, b"{}", card_glove="", card_size=""))
    assert Submission.objects.get().card == {}


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"card_glove": "torn"}, "torn is not one of the available choices"),
        ({"card_size": "x" * 81}, "at most 80 characters (it has 81)"),
        ({"card_size": "8\u202eB"}, "must be printable, on one line"),
        ({"method": "Spoon\u200bcounter"}, "must be printable, on one line"),
    ],
)
def test_what_cannot_stand_on_a_board_is_refused(
    client: Client, user, carded: Phase, said: dict[str, str], told: str
):
    response = client.post(path(carded), filled(user, b"{}", **said))
    assert response.status_code == 422
    assert told in text_of(response)
    assert not Submission.objects.exists()


def test_a_check_keeps_what_was_said_on_the_card(client: Client, user, monkeypatch):
    suite = replace(SUITES["svcbench"], card_fields=fourth().card_fields)
    monkeypatch.setitem(SUITES, "svcbench", suite)
    said = filled(user, small.predictions(), "check", card_glove="worn", card_size="8B")
    html = client.post(path(small.open_phase()), said).content.decode()
    assert "This file is sound." in html
    assert '<option value="worn" selected>' in html
    assert 'value="8B"' in html


def test_a_suite_without_card_fields_asks_for_none(client: Client, user):
    phase = make_test_set().phase
    assert "Method card" not in text_of(client.get(path(phase)))
