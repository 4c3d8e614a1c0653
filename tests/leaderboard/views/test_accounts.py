"""Signing up, in and out."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.factories import PASSWORD, make_user
from tests.leaderboard.views.conftest import text_of

pytestmark = pytest.mark.django_db


def test_signing_up_signs_in_and_leads_home(client: Client):
    said = {"username": "ada", "email": "ada@example.org"}
    response = client.post(
        "/accounts/signup/", {**said, "password1": PASSWORD, "password2": PASSWORD}
    )
    assert response.url == "/"
    assert User.objects.get().username == "ada"
    text = text_of(client.get("/"))
    assert "ada Sign out" in text


def test_an_error_on_sign_up_is_told_beside_its_field(client: Client):
    said = {"username": "ada", "email": "ada", "password1": "1", "password2": "2"}
    html = client.post("/accounts/signup/", said).content.decode()
    assert "Enter a valid email address." in html
    assert html.count('aria-invalid="true"') >= 2


def test_signing_in_goes_on_to_the_page_that_asked_for_it(client: Client):
    user = make_user()
    response = client.get("/submissions/")
    login = client.post(response.url, {"login": user.username, "password": PASSWORD})
    assert login.url == "/submissions/"


def test_a_wrong_password_is_told(client: Client):
    user = make_user()
    said = {"login": user.username, "password": "no"}
    text = text_of(client.post("/accounts/login/", said))
    assert "not correct" in text


def test_signing_out_asks_first(client: Client):
    client.force_login(make_user())
    assert "Sign out?" in text_of(client.get("/accounts/logout/"))
    assert client.post("/accounts/logout/").url == "/"
    assert "Sign in" in text_of(client.get("/"))


def test_a_forgotten_password_can_be_replaced_by_mail(client: Client, mailoutbox):
    user = make_user()
    client.post("/accounts/password/reset/", {"email": user.email}, follow=True)
    link = re.search(r"http://testserver(\S+)", mailoutbox[0].body)
    page = client.get(link.group(1), follow=True)
    assert "Choose a new password" in text_of(page)
    new = {"password1": "another long phrase", "password2": "another long phrase"}
    done = client.post(page.request["PATH_INFO"], new, follow=True)
    assert "Your password is changed" in text_of(done)
    assert client.login(username=user.username, password="another long phrase")


def test_a_used_link_says_so(client: Client):
    text = text_of(client.get("/accounts/password/reset/key/1-no-such/", follow=True))
    assert "does not work any more" in text


@pytest.mark.parametrize(
    "path",
    [
        "email",
        "password/change",
        "logout",
        "reauthenticate",
    ],
)
def test_account_pages_wear_the_sites_clothes(client: Client, path: str):
    client.force_login(make_user())
    html = client.get(f"/accounts/{path}/").content.decode()
    assert 'class="site-header"' in html
    assert "<script>" not in html


@pytest.mark.parametrize("path", ["inactive", "confirm-email", "password/reset/done"])
def test_account_pages_of_visitors_do_too(client: Client, path: str):
    html = client.get(f"/accounts/{path}/").content.decode()
    assert 'class="site-header"' in html


def test_an_address_can_be_added_and_is_listed(client: Client):
    client.force_login(make_user())
    said = {"email": "second@example.org", "action_add": ""}
    text = text_of(client.post("/accounts/email/", said, follow=True))
    assert "second@example.org" in text
