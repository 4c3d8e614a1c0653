"""GET and DELETE of tokens: one's own; with a token, its team's, and only itself."""

import pytest
from pytest_django import DjangoAssertNumQueries

from leaderboard.models import ApiToken, AuditEvent
from tests.factories import make_team, make_user
from tests.leaderboard.api.doors import token_text, with_session, with_token

pytestmark = pytest.mark.django_db

LIST = "/api/v1/tokens"


def test_tokens_are_listed_without_their_text() -> None:
    user = make_user()
    text = token_text(user, "read")
    (listed,) = with_session(user).get(LIST).json()
    token = ApiToken.objects.get()
    assert listed["id"] == str(token.public_id)
    assert (listed["name"], listed["scope"]) == (token.name, "read")
    assert listed["team"] == token.team.name
    assert listed["expires_at"].endswith("Z")
    assert listed["last_used_at"] is None
    assert listed["is_current"] is False
    answer = with_session(user).get(LIST).content.decode()
    assert text not in answer
    assert token.digest not in answer


def test_a_token_sees_the_tokens_of_its_team() -> None:
    user = make_user()
    mine, other = make_team(user), make_team(user)
    token_text(user, team=other)
    listed = with_token(user, team=mine).get(LIST).json()
    assert [(one["team"], one["is_current"]) for one in listed] == [(mine.name, True)]


def test_nobody_sees_or_revokes_the_tokens_of_others() -> None:
    owner = make_user()
    team = make_team(owner, other := make_user())
    token_text(owner, team=team)
    token = ApiToken.objects.get()
    client = with_session(other)
    assert client.get(LIST).json() == []
    assert client.delete(f"{LIST}/{token.public_id}").status_code == 404
    assert ApiToken.objects.filter(pk=token.pk).exists()


def test_a_session_revokes_a_token_which_stops_working_at_once() -> None:
    user = make_user()
    client = with_token(user)
    token = ApiToken.objects.get()
    assert with_session(user).delete(f"{LIST}/{token.public_id}").status_code == 204
    assert client.get(LIST).status_code == 401
    assert AuditEvent.objects.filter(action="revoke-token").exists()


def test_a_token_revokes_itself_and_no_other() -> None:
    user = make_user()
    client = with_token(user, "read")
    token = ApiToken.objects.get()
    token_text(user)
    other = ApiToken.objects.exclude(pk=token.pk).get()
    assert client.delete(f"{LIST}/{other.public_id}").status_code == 404
    assert client.delete(f"{LIST}/{token.public_id}").status_code == 204
    assert list(ApiToken.objects.all()) == [other]


def test_tokens_are_not_made_here() -> None:
    answer = with_session(make_user()).post(LIST, {"name": "x", "scope": "host"})
    assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")


def test_a_list_costs_the_same_however_long_it_is(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    user = make_user()
    client = with_session(user)
    for _ in range(5):
        token_text(user, team=make_team(user))
    with django_assert_num_queries(3):  # session, user, tokens
        assert len(client.get(LIST).json()) == 5
