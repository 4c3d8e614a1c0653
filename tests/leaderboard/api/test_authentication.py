"""Tokens in the Authorization header: who is asking, and for how long."""

from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from leaderboard.models import ApiToken
from tests.factories import make_user
from tests.leaderboard.api.doors import anonymous, token_text, with_token

pytestmark = pytest.mark.django_db

LIST = "/api/v1/tokens"


def asked(header: str) -> int:
    client = anonymous()
    client.credentials(HTTP_AUTHORIZATION=header)
    return client.get(LIST).status_code


def test_a_token_is_known_by_its_text() -> None:
    text = token_text(make_user(), "read")
    assert text.startswith("ego_")
    assert asked(f"Token {text}") == asked(f"token  {text}") == 200


@pytest.mark.parametrize(
    "header",
    [
        "Token",
        "Token ",
        "Token ego_",
        "Token ego_0 ego_1",
        "Token \xff\xfe",
        "Token \u4e00",
        "Token \0",
        "\xff token",
        "Bearer ego_0",
        "Basic dTpw",
        "Token " + "x" * 5000,
    ],
)
def test_what_is_no_token_is_answered_401(header: str) -> None:
    assert asked(header) == 401


def test_a_token_that_differs_in_its_end_is_refused() -> None:
    text = token_text(make_user())
    assert asked(f"Token {text[:-1]}") == asked(f"Token {text}0") == 401


def test_an_expired_token_is_refused_and_says_so() -> None:
    client = with_token(make_user())
    ApiToken.objects.update(expiry=timezone.now() - timedelta(seconds=1))
    answer = client.get(LIST)
    assert (answer.status_code, answer.json()["code"]) == (401, "token_expired")
    assert ApiToken.objects.exists()  # listed still, so that its owner sees why


def test_a_token_of_a_closed_account_is_refused() -> None:
    user = make_user()
    client = with_token(user)
    user.is_active = False
    user.save()
    assert client.get(LIST).status_code == 401


def test_a_use_is_noted_once_a_minute(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    client = with_token(make_user(), "read")
    client.get(LIST)
    used = ApiToken.objects.get().last_used_at
    assert used is not None
    with django_assert_num_queries(2):  # the token, the list
        client.get(LIST)
    assert ApiToken.objects.get().last_used_at == used


def test_reading_what_is_public_asks_for_no_token() -> None:
    client = anonymous()
    client.credentials(HTTP_AUTHORIZATION="Token ego_wrong")
    assert client.get("/api/v1/tracks").status_code == 200
