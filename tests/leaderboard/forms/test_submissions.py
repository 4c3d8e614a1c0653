"""The form of the submit page."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from pytest_django import Settings

from evaluation import SUITES
from leaderboard.forms.submissions import SubmissionForm
from leaderboard.teams import personal_team
from tests.factories import make_phase, make_team, make_user

pytestmark = pytest.mark.django_db
SUITE = SUITES["svcbench"]


def filled(user, data: bytes = b"{}", **said: object) -> SubmissionForm:
    team = personal_team(user)
    said = {"method": "Mine", "team": team.pk, "key": "k" * 36, **said}
    return SubmissionForm(
        user, SUITE, said, {"upload": SimpleUploadedFile("a.jsonl", data)}
    )


def test_a_file_a_name_and_a_team_are_enough():
    form = filled(make_user())
    assert form.is_valid(), form.errors
    assert form.entry().method == "Mine"
    assert not form.entry().is_public  # an unticked box says no


def test_the_teams_to_choose_from_are_the_users_own():
    user, other = make_user(), make_user()
    own, foreign = make_team(user, name="Ours"), make_team(other, name="Theirs")
    offered = set(SubmissionForm(user, SUITE).fields["team"].queryset)
    assert offered == {personal_team(user), own}
    assert "team" in filled(user, team=foreign.pk).errors


def test_a_file_over_the_limit_is_told_its_size_and_what_to_do(settings: Settings):
    settings.MAX_UPLOAD_MIB = 1
    form = filled(make_user(), b"x" * (1024 * 1024 + 1))
    (message,) = form.errors["upload"]
    assert "1.0\N{NO-BREAK SPACE}MB; 1 MiB are allowed. Compress it" in message


def test_an_empty_file_is_told_so():
    (message,) = filled(make_user(), b"").errors["upload"]
    assert message.startswith("This file is empty")


def test_the_same_press_has_the_same_key_and_other_content_another():
    user, phase = make_user(), make_phase()
    forms = [
        filled(user),
        filled(user),
        filled(user, b"[]"),
        filled(user, method="Other"),
        filled(user, key="l" * 36),
    ]
    assert all(form.is_valid() for form in forms)
    keys = [form.idempotency_key(phase) for form in forms]
    assert keys[0] == keys[1]
    assert len(set(keys)) == 4
    assert max(map(len, keys)) <= 200


def test_each_page_that_is_shown_has_a_key_of_its_own():
    user = make_user()
    keys = {SubmissionForm(user, SUITE)["key"].value() for _ in range(3)}
    assert len(keys) == 3
