"""Every error of the API is a problem document (RFC 9457), and is made here.

`code` is stable and documented, `detail` is for people, and `errors` lists each thing
that is wrong with its place, in the words of `evaluation.problems.Problem`.
"""

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import singledispatch
from http import HTTPStatus

from django.core.exceptions import (
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
)
from django.core.signals import got_request_exception
from django.http import Http404, HttpResponse, JsonResponse, UnreadablePostError
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.request import Request
from rest_framework.views import set_rollback

from evaluation.problems import InvalidUpload, Problem
from leaderboard.refusals import Refused

MEDIA_TYPE = "application/problem+json"
STATUS_OF_REFUSAL = {
    "phase_closed": 403,
    "not_a_member": 403,
    "not_staff": 403,
    "feedback_policy": 403,
    "idempotency_mismatch": 409,
    "no_test_set": 409,
    "not_accepted": 409,
    "not_checked": 409,
    "not_comparable": 409,
    "not_scored": 409,
    "too_large": 413,
    "busy": 429,
    "quota_exceeded": 429,
    "not_configured": 503,
}
log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Document:
    """What a problem document says, before it is JSON."""

    status: int
    code: str
    detail: str
    errors: Sequence[Problem] = ()
    headers: Mapping[str, str] = field(default_factory=dict)


def handle(error: Exception, context: Mapping[str, object]) -> HttpResponse:
    """Answer any exception of a view; DRF's EXCEPTION_HANDLER."""
    set_rollback()
    found = document(error)
    if found.code == "internal_error":
        _report_bug(error, context)
    return response(found)


def response(found: Document) -> HttpResponse:
    """The document as JSON, which no cache may keep."""
    body = {
        "type": f"urn:egoboard:problem:{found.code}",
        "title": HTTPStatus(found.status).phrase,
        "status": found.status,
        "code": found.code,
        "detail": found.detail,
        "errors": [asdict(problem) for problem in found.errors],
    }
    headers = {"Cache-Control": "no-store", **found.headers}
    return JsonResponse(
        body, status=found.status, content_type=MEDIA_TYPE, headers=headers
    )


@singledispatch
def document(error: Exception) -> Document:
    """What is said about an error. Whatever has no line here is a bug of ours."""
    return Document(
        status=500,
        code="internal_error",
        detail="Something went wrong on our side; the operators can see what. "
        "Please try again later.",
    )


@document.register
def _(error: Refused) -> Document:
    status = STATUS_OF_REFUSAL.get(error.code, 400)
    headers = {k: v for k, v in getattr(error, "headers", {}).items() if v}
    return Document(
        status=status, code=error.code, detail=error.message, headers=headers
    )


@document.register
def _(error: InvalidUpload) -> Document:
    count = f"{error.total} problem{'' if error.total == 1 else 's'}"
    detail = f"The file has {count}; the first: {error.problems[0]}"
    return Document(
        status=422, code="invalid_upload", detail=detail, errors=error.problems
    )


@document.register
def _(error: ValidationError) -> Document:
    errors = list(_flattened(error.detail))
    detail = f"The request is not valid: {errors[0]}" if errors else "Not valid."
    return Document(status=400, code="invalid_request", detail=detail, errors=errors)


@document.register
def _(error: APIException) -> Document:
    detail, headers = error.detail, dict(getattr(error, "headers", {}))
    if challenge := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = challenge
    if wait := getattr(error, "wait", None):
        headers["Retry-After"] = str(int(wait) + 1)
    code = getattr(detail, "code", None) or error.default_code
    return Document(
        status=error.status_code, code=code, detail=str(detail), headers=headers
    )


@document.register
def _(error: Http404) -> Document:
    return Document(
        status=404, code="not_found", detail=str(error) or "There is no such thing."
    )


@document.register
def _(error: PermissionDenied) -> Document:
    detail = str(error) or "You may not do this."
    return Document(status=403, code="permission_denied", detail=detail)


@document.register
def _(error: SuspiciousOperation) -> Document:
    if isinstance(error, RequestDataTooBig):
        detail = "The fields of the request are too long; only the file may be large."
        return Document(status=413, code="too_large", detail=detail)
    detail = "The request could not be read: too many fields, or a malformed header."
    return Document(status=400, code="bad_request", detail=detail)


@document.register
def _(error: UnreadablePostError) -> Document:
    detail = "The request ended before all of it had come."
    return Document(status=400, code="parse_error", detail=detail)


def _flattened(detail: object, path: str = "") -> Iterator[Problem]:
    """DRF's nested errors as a list with paths, like `scores[2].value`."""
    if isinstance(detail, Mapping):
        for key, inner in detail.items():
            name = "" if key == "non_field_errors" else str(key)
            joined = f"{path}.{name}" if path and name else path or name
            yield from _flattened(inner, joined)
    elif isinstance(detail, list):
        is_nested = any(isinstance(item, Mapping | list) for item in detail)
        for number, item in enumerate(detail):
            yield from _flattened(item, f"{path}[{number}]" if is_nested else path)
    else:
        code = getattr(detail, "code", None) or "invalid"
        yield Problem(code=code, detail=str(detail), path=path or None)


def _report_bug(error: Exception, context: Mapping[str, object]) -> None:
    """As loud as Django is about an exception that nobody handled."""
    request = context.get("request")
    django_request = request._request if isinstance(request, Request) else None
    got_request_exception.send(sender=handle, request=django_request)
    path = django_request.path if django_request else "?"
    log.error("the API failed at %s", path, exc_info=error)
