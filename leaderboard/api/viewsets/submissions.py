"""Submissions of one's teams: how far they are, their numbers, their state changed."""

from uuid import UUID

import msgspec
from django.db.models import QuerySet
from django.http import HttpResponse
from django.utils.decorators import method_decorator
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import mixins, serializers, viewsets
from rest_framework.parsers import FormParser, MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer

from evaluation import SUITES, report, tables
from leaderboard import feedback, progress, submissions
from leaderboard.api import reach, waiting
from leaderboard.api.boards import scored_evaluation, scores_of
from leaderboard.api.conditional import PRIVATE, etag_of, is_known, tagged
from leaderboard.api.pagination import NewestFirst
from leaderboard.api.parsers import ShallowJSONParser
from leaderboard.api.permissions import MayRead, MaySubmit
from leaderboard.api.schema import (
    IF_NONE_MATCH,
    RETRY_AFTER,
    WAIT,
    not_modified,
    problems,
)
from leaderboard.api.serializers.scores import ScoresSerializer
from leaderboard.api.serializers.submissions import (
    PublicationSerializer,
    SubmissionSerializer,
    SubmissionSummarySerializer,
)
from leaderboard.models import Submission
from leaderboard.refusals import Refused

RETRY_SECONDS = "2"


class WaitSerializer(serializers.Serializer[object]):
    wait = serializers.IntegerField(
        default=0, min_value=0, max_value=waiting.MAX_WAIT_SECONDS
    )


@extend_schema_view(
    list=extend_schema(
        summary="The submissions of your teams, newest first",
        responses={200: SubmissionSummarySerializer, **problems(401, 403, 404)},
    )
)
@method_decorator(PRIVATE, name="dispatch")
class SubmissionViewSet(mixins.ListModelMixin, viewsets.GenericViewSet[Submission]):
    """For members of the team with a session, and for any token of the team."""

    permission_classes = [MayRead]
    pagination_class = NewestFirst
    queryset = Submission.objects.none()  # names the model; see get_queryset
    lookup_field, lookup_url_kwarg = "pk", "submission"

    def get_queryset(self) -> QuerySet[Submission]:
        return reach.submissions_of(self.request)

    def get_serializer_class(self) -> type[BaseSerializer[Submission]]:
        is_list = self.action == "list"
        return SubmissionSummarySerializer if is_list else SubmissionSerializer

    @extend_schema(
        summary="A submission: state, place in the queue, problems",
        parameters=[WAIT, IF_NONE_MATCH, RETRY_AFTER],
        responses={
            200: SubmissionSerializer,
            **not_modified(),
            **problems(400, 401, 403, 404),
        },
    )
    def retrieve(self, request: Request, submission: UUID) -> Response:
        query = WaitSerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        found = self.get_object()
        data = SubmissionSerializer(found).data
        seconds = query.validated_data["wait"]
        if seconds and is_known(request, etag_of(data)):
            found = waiting.wait(found, seconds, self.get_object)
            data = SubmissionSerializer(found).data
        is_open = progress.is_open(found)
        return tagged(data, {"Retry-After": RETRY_SECONDS} if is_open else {})

    @extend_schema(
        summary="A submission's numbers, per subset, with intervals",
        parameters=[IF_NONE_MATCH],
        responses={
            200: ScoresSerializer,
            **not_modified(),
            **problems(401, 403, 404, 409),
        },
    )
    def scores(self, request: Request, submission: UUID) -> Response:
        return Response(ScoresSerializer(scores_of(self.get_object())).data)

    @extend_schema(
        summary="The result of every instance",
        description="Only where the phase's feedback is `instances`.",
        parameters=[IF_NONE_MATCH],
        responses={
            200: OpenApiTypes.OBJECT,
            **not_modified(),
            **problems(401, 403, 404, 409),
        },
    )
    def instances(self, request: Request, submission: UUID) -> HttpResponse:
        found = self.get_object()
        if not feedback.has_instances(found.phase):
            message = "This phase does not show the results of single instances."
            raise Refused("feedback_policy", message)
        evaluation = scored_evaluation(found)
        suite = SUITES[found.phase.track.suite]
        table = tables.unpack(bytes(evaluation.table or b""))
        body = {
            "submission": found.pk,
            "test_set": evaluation.test_set.number,
            "instances": report.instances(suite, table),
        }
        return HttpResponse(msgspec.json.encode(body), content_type="application/json")


class SubmissionChangeViewSet(viewsets.GenericViewSet[Submission]):
    """For members of the team with a session, and for its tokens that may submit."""

    permission_classes = [MaySubmit]
    parser_classes = [ShallowJSONParser, FormParser, MultiPartParser]
    serializer_class = SubmissionSerializer
    queryset = Submission.objects.none()  # names the model; see get_queryset
    lookup_field, lookup_url_kwarg = "pk", "submission"

    def get_queryset(self) -> QuerySet[Submission]:
        return reach.submissions_of(self.request)

    @extend_schema(
        summary="Take a submission off the boards, for good",
        request=None,
        responses={200: SubmissionSerializer, **problems(401, 403, 404, 409)},
    )
    def withdraw(self, request: Request, submission: UUID) -> Response:
        submissions.withdraw(self.get_object(), reach.user_of(request))
        return Response(SubmissionSerializer(self.get_object()).data)

    @extend_schema(
        summary="Show a submission on the board, or keep it private",
        request=PublicationSerializer,
        responses={200: SubmissionSerializer, **problems(400, 401, 403, 404)},
    )
    def publish(self, request: Request, submission: UUID) -> Response:
        found, form = self.get_object(), PublicationSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        is_public = form.validated_data["is_public"]
        submissions.set_public(found, reach.user_of(request), is_public)
        return Response(SubmissionSerializer(self.get_object()).data)
