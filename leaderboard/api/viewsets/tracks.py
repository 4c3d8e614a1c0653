"""Tracks, phases, manifests, boards: for everyone, without an account."""

import msgspec
from django.db.models import QuerySet
from django.http import HttpResponse
from django.utils.decorators import method_decorator
from django.utils.http import content_disposition_header
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import mixins, viewsets
from rest_framework.permissions import AllowAny
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer

from leaderboard import boards, exports, files, method_cards
from leaderboard.api import reach
from leaderboard.api.boards import board_of
from leaderboard.api.conditional import PUBLIC
from leaderboard.api.renderers import CSVRenderer
from leaderboard.api.schema import IF_NONE_MATCH, not_modified, problems
from leaderboard.api.serializers.boards import BoardQuerySerializer, BoardSerializer
from leaderboard.api.serializers.tracks import (
    PhaseSerializer,
    TrackSerializer,
    TrackSummarySerializer,
)
from leaderboard.models import Track
from leaderboard.refusals import Refused


@extend_schema_view(
    list=extend_schema(summary="The tracks", responses={200: TrackSummarySerializer}),
    retrieve=extend_schema(
        summary="A track: what is measured, and its phases",
        responses={200: TrackSerializer, **problems(404)},
    ),
)
@method_decorator(PUBLIC, name="dispatch")
class TrackViewSet(
    mixins.ListModelMixin, mixins.RetrieveModelMixin, viewsets.GenericViewSet[Track]
):
    authentication_classes = []
    permission_classes = [AllowAny]
    queryset = Track.objects.prefetch_related("phases")
    lookup_field, lookup_url_kwarg = "slug", "track"

    def get_queryset(self) -> QuerySet[Track]:
        found = super().get_queryset()
        return found.filter(is_listed=True) if self.action == "list" else found

    def get_serializer_class(self) -> type[BaseSerializer[Track]]:
        return TrackSummarySerializer if self.action == "list" else TrackSerializer


@method_decorator(PUBLIC, name="dispatch")
class PhaseViewSet(viewsets.ViewSet):
    authentication_classes = []
    permission_classes = [AllowAny]

    @extend_schema(
        summary="A phase: rules, dates, quotas, metrics, subsets, formats",
        responses={200: PhaseSerializer, **problems(404)},
    )
    def retrieve(self, request: Request, track: str, phase: str) -> Response:
        return Response(PhaseSerializer(reach.phase_of(track, phase)).data)

    @extend_schema(
        summary="What a submission must answer",
        description="`manifest` has the suite's own form; it holds no answers.",
        parameters=[IF_NONE_MATCH],
        responses={200: OpenApiTypes.OBJECT, **not_modified(), **problems(404, 409)},
    )
    def manifest(self, request: Request, track: str, phase: str) -> HttpResponse:
        found = reach.phase_of(track, phase)
        active = boards.active_test_set(found)
        if active is None:
            raise Refused("no_test_set", "This phase has no active test set yet.")
        body = {
            "track": track,
            "phase": phase,
            "test_set": active.number,
            "instance_count": active.instance_count,
            "manifest": msgspec.Raw(files.read(active.manifest_file)),
        }
        return HttpResponse(msgspec.json.encode(body), content_type="application/json")


@method_decorator(PUBLIC, name="dispatch")
class LeaderboardViewSet(viewsets.ViewSet):
    authentication_classes = []
    permission_classes = [AllowAny]
    renderer_classes = [JSONRenderer, CSVRenderer]

    @extend_schema(
        summary="The board: measured rows in rank order, baselines, published results",
        description="As CSV (`?format=csv` or `Accept: text/csv`) it is the whole "
        "board, not one page of it. `card.FIELD=VALUE` keeps the methods whose card "
        "says so; a phase lists the fields as `card_fields`.",
        parameters=[BoardQuerySerializer, IF_NONE_MATCH],
        responses={
            (200, "application/json"): BoardSerializer,
            (200, "text/csv"): OpenApiTypes.STR,
            **not_modified(),
            **problems(400, 404),
        },
    )
    def retrieve(self, request: Request, track: str, phase: str) -> HttpResponse:
        query = BoardQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        is_csv = request.accepted_renderer.format == "csv"
        found = reach.phase_of(track, phase)
        card = method_cards.filters(request.query_params)
        board = board_of(found, query.validated_data, card=card, whole=is_csv)
        if not is_csv:
            return Response(BoardSerializer(board).data)
        # The subset's name is the host's, in any script.
        name = f"{track}-{phase}-{board.subset}.csv".replace(":", "-").replace("/", "-")
        disposition = content_disposition_header(True, name)
        return HttpResponse(
            exports.as_csv(board),
            content_type="text/csv; charset=utf-8",
            headers={"Content-Disposition": disposition},
        )
