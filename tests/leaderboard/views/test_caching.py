"""What caches between may keep of pages."""

import pytest
from django.test import Client

from tests.factories import make_scored, make_user

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "path", ["/", "/submissions/", "/accounts/email/", "/nowhere/"]
)
def test_a_page_of_someone_signed_in_is_theirs_alone(client: Client, path: str):
    client.force_login(make_user())
    directives = client.get(path)["Cache-Control"].split(", ")
    assert {"private", "no-cache"} <= set(directives)


def test_a_private_submission_is_not_kept_by_caches(client: Client):
    submission = make_scored(user=(user := make_user()), is_public=False).submission
    client.force_login(user)
    answer = client.get(f"/submissions/{submission.pk}/")
    assert answer.status_code == 200
    assert "private" in answer["Cache-Control"]


def test_a_strangers_page_may_be_kept(client: Client):
    assert not client.get("/").has_header("Cache-Control")


def test_what_a_page_says_itself_stands(client: Client):
    client.force_login(make_user())
    assert "no-store" in client.get("/tokens/")["Cache-Control"]
    assert client.get("/api/v1/tracks")["Cache-Control"] == "public, max-age=30"
