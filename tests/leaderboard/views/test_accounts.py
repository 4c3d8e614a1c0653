"""Signing up, in and out."""

import re

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client

from tests.factories import PASSWORD, make_user
from tests.leaderboard.views.conftest import text_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_earlier_attempts() -> None:
    cache.clear()


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


@pytest.mark.parametrize(
    "name", ["\u0430lice", "ali\u200bce", "System", "admin", "staff"]
)
def test_nobody_signs_up_as_somebody_else(client: Client, name: str):
    said = {"username": name, "email": "ada@example.org"}
    client.post(
        "/accounts/signup/", {**said, "password1": PASSWORD, "password2": PASSWORD}
    )
    assert not User.objects.exists()


def test_guessing_a_password_ends_soon(client: Client):
    user = make_user()
    wrong = {"login": user.username, "password": "no"}
    for _ in range(6):
        text = text_of(client.post("/accounts/login/", wrong))
    assert "Too many failed login attempts" in text
    right = {"login": user.username, "password": PASSWORD}
    assert client.post("/accounts/login/", right).status_code == 200


def test_a_page_that_was_asked_for_too_often_says_so(client: Client):
    for number in range(6):
        said = {"email": f"{number % 1}@example.org"}
        response = client.post("/accounts/password/reset/", said)
    assert response.status_code == 429
    assert "Please wait some minutes" in text_of(response)


def test_signing_in_leads_nowhere_outside(client: Client):
    user = make_user()
    said = {"login": user.username, "password": PASSWORD, "next": "//evil.example"}
    assert client.post("/accounts/login/", said).url == "/"


def test_staff_sign_in_where_failed_attempts_count(client: Client):
    """The admin's own form would let anyone guess for ever."""
    staff = make_user(is_staff=True)
    right = {"username": staff.username, "password": PASSWORD, "next": "/admin/"}
    response = client.post("/admin/login/", right)
    assert response.url.startswith("/accounts/login/?next=%2Fadmin%2F")
    assert client.get("/admin/").status_code == 302  # still a stranger
    login = client.post(response.url, {"login": staff.username, "password": PASSWORD})
    assert login.url == "/admin/"
    assert client.get("/admin/").status_code == 200


def test_who_is_not_staff_is_told_so_at_the_admin(client: Client):
    client.force_login(make_user())
    assert client.get("/admin/", follow=True).status_code == 403
