"""The form of the API tokens page."""

import pytest

from leaderboard.forms.tokens import TokenForm
from leaderboard.teams import personal_team
from tests.factories import make_team, make_user

pytestmark = pytest.mark.django_db


def filled(user, **said: object) -> TokenForm:
    team = personal_team(user)
    return TokenForm(
        user, {"name": "CI", "team": team.pk, "scope": "submit", "days": 30, **said}
    )


def test_a_name_a_team_a_scope_and_a_lifetime_are_taken():
    form = filled(make_user())
    assert form.is_valid(), form.errors
    assert form.cleaned_data["days"] == 30


def test_only_staff_are_offered_the_scope_of_hosts():
    assert "scope" in filled(make_user(), scope="host").errors
    assert filled(make_user(is_staff=True), scope="host").is_valid()


def test_no_other_team_or_lifetime_can_be_chosen():
    foreign = make_team(make_user())
    errors = filled(make_user(), team=foreign.pk, days=100_000).errors
    assert set(errors) == {"team", "days"}
