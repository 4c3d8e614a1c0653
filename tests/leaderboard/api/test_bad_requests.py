"""Requests that cannot be understood: the asker's fault, never a crash."""

from uuid import uuid4

import pytest
from rest_framework.test import APIClient

from leaderboard.api import urls
from tests.factories import make_submission, make_track, make_user
from tests.leaderboard.api.doors import anonymous, problem, with_token


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    [
        "/api/",
        "/api/v1",
        "/api/v1/",
        "/api/v2/tracks",
        "/api/v1/tracks/",
        "/api/v1/tracks/none",
        "/api/v1/tracks/a%00b",
        "/api/v1/tracks/%FF%FE",
        "/api/v1/tracks/none/phases/none",
        "/api/v1/tracks/none/phases/none/manifest",
        "/api/v1/tracks/none/phases/none/leaderboard",
        "/api/v1/tracks/none/phases/none/leaderboard?format=csv",
        "/api/v1/submissions/not-a-uuid",
    ],
)
@pytest.mark.parametrize("method", ["get", "post", "delete"])
def test_an_unknown_address_is_a_problem_document(path: str, method: str) -> None:
    answer = getattr(anonymous(), method)(path)
    if answer.status_code == 405:
        problem(answer, 405, "method_not_allowed")
    else:
        problem(answer, 404, "not_found")


@pytest.mark.django_db
def test_an_unsupported_method_is_a_problem_document() -> None:
    answer = anonymous().delete("/api/v1/tracks")
    problem(answer, 405, "method_not_allowed")
    assert answer["Allow"] == "GET, HEAD, OPTIONS"


@pytest.mark.django_db
def test_a_media_type_that_we_do_not_have_is_a_problem_document() -> None:
    track = make_track()
    answer = anonymous().get(
        f"/api/v1/tracks/{track.slug}", headers={"Accept": "text/html"}
    )
    problem(answer, 406, "not_acceptable")
    problem(anonymous().get("/api/v1/tracks?format=xml"), 404, "not_found")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("body", "media_type", "status", "code"),
    [
        (b"{", "application/json", 400, "parse_error"),
        (b"\xff", "application/json", 400, "parse_error"),
        (b'{"is_public": NaN}', "application/json", 400, "parse_error"),
        (b"[" * 500_000, "application/json", 400, "parse_error"),
        (b"[1]", "application/json", 400, "invalid_request"),
        (b"null", "application/json", 400, "invalid_request"),
        (b"", "application/json", 400, "invalid_request"),
        (b"x", "text/plain", 415, "unsupported_media_type"),
        (b"x", "multipart/form-data", 400, "parse_error"),
        (
            b'{"is_public": "' + b"x" * 2_000_000 + b'"}',
            "application/json",
            413,
            "too_large",
        ),
    ],
)
def test_a_body_that_cannot_be_read_is_the_askers_fault(
    body: bytes, media_type: str, status: int, code: str
) -> None:
    user = make_user()
    submission = make_submission(user=user)
    answer = with_token(user).post(
        f"/api/v1/submissions/{submission.pk}/publish", body, content_type=media_type
    )
    problem(answer, status, code)


@pytest.mark.django_db
def test_a_broken_form_is_the_askers_fault() -> None:
    track = make_track()
    where = f"/api/v1/tracks/{track.slug}/phases/none/submissions"
    client = with_token(make_user())
    problem(client.post(where, {}), 404, "not_found")
    problem(
        client.post(where, b"{}", content_type="application/json"), 404, "not_found"
    )


@pytest.mark.django_db
def test_a_broken_form_of_a_session_is_the_askers_fault() -> None:
    submission = make_submission(user=(user := make_user()))
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(user)
    client.cookies["csrftoken"] = "a" * 32  # so that the form is searched for its twin
    answer = client.post(
        f"/api/v1/submissions/{submission.pk}/publish",
        b"x",
        content_type="multipart/form-data",
    )
    problem(answer, 400, "parse_error")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "charset", ["utf-16", "base64", "hex", "rot13", "idna", "undefined", "x", "utf-7"]
)
def test_odd_charsets_are_the_askers_fault(charset: str) -> None:
    submission = make_submission(user=(user := make_user()))
    answer = with_token(user).post(
        f"/api/v1/submissions/{submission.pk}/publish",
        b'{"is_public": "x"}',
        content_type=f"application/json; charset={charset}",
    )
    assert answer.status_code == 400, answer.content
    assert answer.json()["code"] in {"parse_error", "invalid_request"}


@pytest.mark.django_db
def test_options_and_head_are_answered_everywhere() -> None:
    submission = make_submission(user=(user := make_user()))
    phase, client = submission.phase, with_token(user)
    for pattern in (*urls.everyone, *urls.members):
        path = str(pattern.pattern)
        for name, value in (
            ("<slug:track>", phase.track.slug),
            ("<slug:phase>", phase.slug),
            ("<uuid:submission>", str(submission.pk)),
            ("<uuid:token>", str(uuid4())),
        ):
            path = path.replace(name, value)
        assert client.options(f"/api/v1/{path}").status_code == 200, path
        assert client.head(f"/api/v1/{path}").status_code < 500, path
