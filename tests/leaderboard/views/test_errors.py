"""What is shown when something is wrong."""

import pytest
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.test import Client, RequestFactory
from django.views import defaults

from leaderboard.views import urls
from tests.factories import make_user
from tests.leaderboard.views.conftest import text_of


@pytest.mark.django_db
def test_an_unknown_address_says_so_with_the_way_back(client: Client):
    response = client.get("/nowhere/")
    assert response.status_code == 404
    assert "Nothing here" in text_of(response)
    assert 'href="/"' in response.content.decode()


def test_the_page_of_a_server_error_needs_no_database():
    # without the django_db mark any query would fail this test
    response = defaults.server_error(RequestFactory().get("/"))
    assert response.status_code == 500
    assert "That is our fault." in text_of(response)


def test_the_page_of_a_bad_request_needs_no_database():
    response = defaults.bad_request(RequestFactory().get("/"), SuspiciousOperation())
    assert response.status_code == 400
    assert "cannot read" in text_of(response)


@pytest.mark.django_db
def test_a_forbidden_page_says_so(rf: RequestFactory):
    request = rf.get("/")
    request.user = make_user()
    response = defaults.permission_denied(request, PermissionDenied())
    assert response.status_code == 403
    assert "Not allowed" in text_of(response)


@pytest.mark.django_db
def test_a_form_without_its_security_token_is_told_what_to_do():
    client = Client(enforce_csrf_checks=True)
    client.force_login(make_user())
    response = client.post("/tokens/", {"name": "CI"})
    assert response.status_code == 403
    assert "Please send that again" in text_of(response)


@pytest.mark.django_db
def test_pages_forbid_inline_code_by_policy(client: Client):
    policy = client.get("/")["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe-inline" not in policy


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/", "/accounts/login/", "/accounts/signup/"])
def test_no_page_has_inline_script_or_style(client: Client, path: str):
    html = client.get(path).content.decode()
    assert "<style" not in html
    assert " style=" not in html
    assert "<script>" not in html
    assert " onclick=" not in html


def test_every_page_has_a_name():
    assert all(pattern.name for pattern in urls.urlpatterns)
