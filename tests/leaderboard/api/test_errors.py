"""The one shape of errors: RFC 9457 problem documents, whatever went wrong."""

import json
from datetime import timedelta

import pytest
from django.core.exceptions import (
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
    TooManyFilesSent,
)
from django.http import Http404, UnreadablePostError
from pytest_django.fixtures import Settings
from rest_framework.exceptions import ErrorDetail, Throttled, ValidationError
from rest_framework.test import APIClient

from evaluation.problems import InvalidUpload, Problem
from leaderboard.api import errors, reach
from leaderboard.api.uploads import QuotaExceeded
from leaderboard.models import ApiToken
from leaderboard.refusals import Refused
from tests.factories import make_submission, make_user
from tests.leaderboard.api.doors import anonymous, problem, with_session, with_token


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (Refused("quota_exceeded", "No."), 429, "quota_exceeded"),
        (Refused("phase_closed", "No."), 403, "phase_closed"),
        (Refused("not_a_member", "No."), 403, "not_a_member"),
        (Refused("too_large", "No."), 413, "too_large"),
        (Refused("no_test_set", "No."), 409, "no_test_set"),
        (Refused("idempotency_mismatch", "No."), 409, "idempotency_mismatch"),
        (Refused("not_accepted", "No."), 409, "not_accepted"),
        (Refused("not_configured", "No."), 503, "not_configured"),
        (Refused("a_rule_of_tomorrow", "No."), 400, "a_rule_of_tomorrow"),
        (Http404("No phase."), 404, "not_found"),
        (PermissionDenied(), 403, "permission_denied"),
        (SuspiciousOperation(), 400, "bad_request"),
        (TooManyFilesSent(), 400, "bad_request"),
        (RequestDataTooBig(), 413, "too_large"),
        (UnreadablePostError("gone"), 400, "parse_error"),
        (Throttled(3), 429, "throttled"),
        (RuntimeError("a bug"), 500, "internal_error"),
    ],
)
def test_every_kind_of_error_has_its_status_and_code(
    error: Exception, status: int, code: str
) -> None:
    problem(errors.handle(error, {}), status, code)


def test_a_bug_is_loud_and_tells_nothing(caplog: pytest.LogCaptureFixture) -> None:
    body = problem(errors.handle(RuntimeError("secret"), {}), 500, "internal_error")
    assert "secret" not in json.dumps(body)
    assert "secret" in caplog.text


def test_problems_of_a_file_are_listed_with_their_places() -> None:
    wrong = Problem(code="bad", detail="must be 1", file="a.jsonl", line=3, path="[0]")
    body = problem(
        errors.handle(InvalidUpload([wrong], 250), {}), 422, "invalid_upload"
    )
    assert (
        body["detail"]
        == "The file has 250 problems; the first: a.jsonl, line 3, [0]: must be 1"
    )
    assert body["errors"] == [
        {
            "code": "bad",
            "detail": "must be 1",
            "file": "a.jsonl",
            "line": 3,
            "path": "[0]",
        }
    ]


def test_nested_field_errors_become_paths() -> None:
    detail = {
        "method": [ErrorDetail("Required.", code="required")],
        "rows": [{}, {"value": ["Not a number."]}],
        "non_field_errors": ["Odd."],
    }
    body = problem(errors.handle(ValidationError(detail), {}), 400, "invalid_request")
    assert [(e["path"], e["code"], e["detail"]) for e in body["errors"]] == [
        ("method", "required", "Required."),
        ("rows[1].value", "invalid", "Not a number."),
        (None, "invalid", "Odd."),
    ]


def test_a_daily_quota_says_when_to_come_back() -> None:
    refusal = Refused("quota_exceeded", "No.")
    waiting = errors.handle(QuotaExceeded(refusal, timedelta(seconds=90)), {})
    assert waiting["Retry-After"] == "91"
    assert "Retry-After" not in errors.handle(QuotaExceeded(refusal, None), {})


@pytest.mark.django_db
def test_anonymous_and_wrong_tokens_are_asked_for_a_token() -> None:
    problem(anonymous().get("/api/v1/submissions"), 401, "not_authenticated")
    client = anonymous()
    client.credentials(HTTP_AUTHORIZATION="Token ego_wrong")
    answer = client.get("/api/v1/submissions")
    problem(answer, 401, "authentication_failed")
    assert answer["WWW-Authenticate"] == "Token"


@pytest.mark.django_db
def test_a_scope_that_is_too_narrow_is_named() -> None:
    user = make_user()
    submission = make_submission(user=user)
    answer = with_token(user, ApiToken.Scope.READ).post(
        f"/api/v1/submissions/{submission.pk}/withdraw"
    )
    body = problem(answer, 403, "insufficient_scope")
    assert "`submit`" in str(body["detail"])


@pytest.mark.django_db
def test_a_session_without_its_csrf_token_is_refused() -> None:
    user = make_user()
    submission = make_submission(user=user)
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(user)
    answer = client.post(f"/api/v1/submissions/{submission.pk}/withdraw")
    problem(answer, 403, "permission_denied")


@pytest.mark.django_db
def test_a_bug_in_a_view_is_a_problem_document_too(
    monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr(reach, "submissions_of", broken)
    client = with_session(make_user())
    client.raise_request_exception = False
    problem(client.get("/api/v1/submissions"), 500, "internal_error")
    client.raise_request_exception = True
    with pytest.raises(RuntimeError, match="a bug"):  # operators hear of it
        client.get("/api/v1/submissions")
