"""Addresses of the API."""

from django.urls import URLPattern, URLResolver, include, path, re_path

from leaderboard.api.docs import DocsView, NothingHere, SchemaView
from leaderboard.api.viewsets.intake import IntakeViewSet, ValidationViewSet
from leaderboard.api.viewsets.submissions import (
    SubmissionChangeViewSet,
    SubmissionViewSet,
)
from leaderboard.api.viewsets.tokens import TokenViewSet
from leaderboard.api.viewsets.tracks import (
    LeaderboardViewSet,
    PhaseViewSet,
    TrackViewSet,
)

app_name = "api"

PHASE = "tracks/<slug:track>/phases/<slug:phase>"
SUBMISSION = "submissions/<uuid:submission>"

everyone = [
    path("tracks", TrackViewSet.as_view({"get": "list"}), name="tracks"),
    path(
        "tracks/<slug:track>", TrackViewSet.as_view({"get": "retrieve"}), name="track"
    ),
    path(PHASE, PhaseViewSet.as_view({"get": "retrieve"}), name="phase"),
    path(
        f"{PHASE}/manifest",
        PhaseViewSet.as_view({"get": "manifest"}),
        name="phase-manifest",
    ),
    path(
        f"{PHASE}/leaderboard",
        LeaderboardViewSet.as_view({"get": "retrieve"}),
        name="phase-leaderboard",
    ),
]

members = [
    path(
        f"{PHASE}/validate",
        ValidationViewSet.as_view({"post": "create"}),
        name="phase-validate",
    ),
    path(
        f"{PHASE}/submissions",
        IntakeViewSet.as_view({"post": "create"}),
        name="phase-submissions",
    ),
    path("submissions", SubmissionViewSet.as_view({"get": "list"}), name="submissions"),
    path(SUBMISSION, SubmissionViewSet.as_view({"get": "retrieve"}), name="submission"),
    path(
        f"{SUBMISSION}/scores",
        SubmissionViewSet.as_view({"get": "scores"}),
        name="submission-scores",
    ),
    path(
        f"{SUBMISSION}/instances",
        SubmissionViewSet.as_view({"get": "instances"}),
        name="submission-instances",
    ),
    path(
        f"{SUBMISSION}/withdraw",
        SubmissionChangeViewSet.as_view({"post": "withdraw"}),
        name="submission-withdraw",
    ),
    path(
        f"{SUBMISSION}/publish",
        SubmissionChangeViewSet.as_view({"post": "publish"}),
        name="submission-publish",
    ),
    path("tokens", TokenViewSet.as_view({"get": "list"}), name="tokens"),
    path(
        "tokens/<uuid:token>", TokenViewSet.as_view({"delete": "destroy"}), name="token"
    ),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("schema/", SchemaView.as_view(), name="schema"),
    path("docs/", DocsView.as_view(), name="docs"),
    path("v1/", include([*everyone, *members])),
    re_path(r"^", NothingHere.as_view(), name="nothing"),
]
