"""The API tokens page."""

import pytest
from django.test import Client

from leaderboard import tokens
from leaderboard.models import ApiToken
from leaderboard.teams import personal_team
from tests.factories import make_user
from tests.leaderboard.views.conftest import text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def user(client: Client):
    user = make_user()
    client.force_login(user)
    return user


def make_token(user) -> ApiToken:
    token, _ = tokens.create(
        user=user, team=personal_team(user), name="Nightly run", scope="read", days=30
    )
    return token


def test_a_new_token_is_shown_once_and_works(client: Client, user):
    said = {"name": "CI", "scope": "submit", "days": "30"}
    response = client.post("/tokens/", {**said, "team": personal_team(user).pk})
    text = response.context["text"]
    assert text.startswith("ego_")
    assert text in response.content.decode()
    assert "no-store" in response["Cache-Control"]
    assert text not in client.get("/tokens/").content.decode()
    api = Client(headers={"Authorization": f"Token {text}"})
    assert api.get("/api/v1/submissions").status_code == 200


def test_the_list_shows_scope_team_and_last_use(client: Client, user):
    make_token(user)
    text = text_of(client.get("/tokens/"))
    assert f"read {user.username}" in text
    assert "Nightly run" in text
    assert "never" in text


def test_other_peoples_tokens_are_not_listed_and_cannot_be_revoked(
    client: Client, user
):
    foreign = make_token(make_user())
    assert "Nightly run" not in text_of(client.get("/tokens/"))
    path = f"/tokens/{foreign.public_id}/revoke/"
    assert client.get(path).status_code == 404
    assert client.post(path).status_code == 404
    assert ApiToken.objects.filter(pk=foreign.pk).exists()


def test_revoking_asks_first(client: Client, user):
    token = make_token(user)
    path = f"/tokens/{token.public_id}/revoke/"
    assert "Revoke “Nightly run”?" in text_of(client.get(path))
    assert ApiToken.objects.exists()
    assert "“Nightly run” no longer works." in text_of(client.post(path, follow=True))
    assert not ApiToken.objects.exists()


def test_an_error_keeps_what_was_written(client: Client, user):
    said = {"name": "CI", "scope": "host", "days": "30"}
    response = client.post("/tokens/", {**said, "team": personal_team(user).pk})
    assert 'value="CI"' in response.content.decode()
    assert not ApiToken.objects.exists()
