"""Sending files to a phase: to be checked only, or to be scored."""

from typing import cast

from django.http import HttpRequest
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import viewsets
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from evaluation import SUITES
from leaderboard import dry_runs, submissions
from leaderboard.api import reach
from leaderboard.api.permissions import MayRead, MaySubmit
from leaderboard.api.schema import (
    IDEMPOTENCY_KEY,
    LOCATION,
    RETRY_AFTER,
    problems,
)
from leaderboard.api.serializers.submissions import (
    NewSubmissionSerializer,
    NewValidationSerializer,
    SubmissionSerializer,
    ValidationSerializer,
)
from leaderboard.api.throttles import SubmitRate, ValidateRate
from leaderboard.api.uploads import (
    idempotency_key,
    refuse_larger,
    refuse_unread,
    telling_when,
)


class IntakeViewSet(viewsets.ViewSet):
    """For members with a session, and for tokens that may submit."""

    permission_classes = [MaySubmit]
    parser_classes = [MultiPartParser]
    throttle_classes = [SubmitRate]

    @extend_schema(
        summary="Submit a file",
        description="The file is taken in at once and checked and scored later.",
        parameters=[IDEMPOTENCY_KEY, LOCATION, RETRY_AFTER],
        request={"multipart/form-data": NewSubmissionSerializer},
        responses={
            202: SubmissionSerializer,
            **problems(400, 401, 403, 404, 409, 413, 415, 429),
        },
    )
    def create(self, request: Request, track: str, phase: str) -> Response:
        found, key = reach.phase_of(track, phase), idempotency_key(request)
        refuse_unread(request)
        suite = SUITES[found.track.suite]
        form = NewSubmissionSerializer(data=request.data, context={"suite": suite})
        form.is_valid(raise_exception=True)
        upload = form.validated_data["file"]
        refuse_larger(upload.size)
        team = reach.team_of(request, form.validated_data["team"])
        with telling_when(found, team):
            made = submissions.submit(
                phase=found,
                team=team,
                user=reach.user_of(request),
                upload=upload,
                entry=form.entry(),
                idempotency_key=key,
            )
        read = reach.submissions_of(request).get(pk=made.pk)
        where = reverse("api:submission", args=[made.pk])
        location = cast(HttpRequest, request).build_absolute_uri(where)
        headers = {"Location": location, "Retry-After": "1"}
        return Response(SubmissionSerializer(read).data, status=202, headers=headers)


class ValidationViewSet(viewsets.ViewSet):
    """For everyone who is signed in, and for any token."""

    permission_classes = [MayRead]
    parser_classes = [MultiPartParser]
    throttle_classes = [ValidateRate]

    @extend_schema(
        summary="Check a file without submitting it",
        description="Costs no quota and keeps nothing. An unsound file is answered "
        "with 200 too: `is_valid` tells.",
        request={"multipart/form-data": NewValidationSerializer},
        responses={
            200: ValidationSerializer,
            **problems(400, 401, 404, 409, 413, 415, 429),
        },
    )
    def create(self, request: Request, track: str, phase: str) -> Response:
        found = reach.phase_of(track, phase)
        refuse_unread(request)
        form = NewValidationSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        upload = form.validated_data["file"]
        refuse_larger(upload.size)
        return Response(ValidationSerializer(dry_runs.check(found, upload)).data)
