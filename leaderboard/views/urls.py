"""Addresses of the pages."""

from django.urls import URLPattern, path

from leaderboard.views.board import board
from leaderboard.views.home import home
from leaderboard.views.instances import submission_instances
from leaderboard.views.submission import submission
from leaderboard.views.submission_actions import (
    submission_publish,
    submission_withdraw,
)
from leaderboard.views.submissions import submissions
from leaderboard.views.submit import submission_create
from leaderboard.views.tokens import token_revoke, tokens
from leaderboard.views.tracks import track

PHASE = "tracks/<slug:track>/<slug:phase>/"
SUBMISSION = "submissions/<uuid:pk>/"

urlpatterns: list[URLPattern] = [
    path("", home, name="home"),
    path("tracks/<slug:track>/", track, name="track"),
    path(PHASE, board, name="board"),
    path(f"{PHASE}submit/", submission_create, name="submission-create"),
    path("submissions/", submissions, name="submissions"),
    path(SUBMISSION, submission, name="submission"),
    path(f"{SUBMISSION}status/", submission, name="submission-status"),
    path(f"{SUBMISSION}withdraw/", submission_withdraw, name="submission-withdraw"),
    path(f"{SUBMISSION}publish/", submission_publish, name="submission-publish"),
    path(f"{SUBMISSION}instances/", submission_instances, name="submission-instances"),
    path("tokens/", tokens, name="tokens"),
    path("tokens/<uuid:token>/revoke/", token_revoke, name="token-revoke"),
]
