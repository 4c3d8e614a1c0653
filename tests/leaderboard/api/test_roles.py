"""Who may do what: every address of the API, for every role."""

import pytest
from django.http import HttpResponse
from django.urls import reverse
from rest_framework.test import APIClient

from leaderboard.api import urls
from leaderboard.models import ApiToken, Submission
from tests.factories import make_phase, make_scored, make_team, make_test_set, make_user
from tests.leaderboard.api.doors import (
    anonymous,
    form,
    token_text,
    upload,
    with_session,
    with_token,
)

pytestmark = pytest.mark.django_db

ROLES = (
    "anonymous",
    "stranger",
    "staff",
    "member",
    "read token",
    "submit token",
    "host token",
    "other team's token",
)
# Each address: the method, and the status for each role. A phase and its board are
# everyone's; a submission is its team's, and not even staff reach it here.
ALL = (200,) * 8
MATRIX: dict[str, tuple[str, tuple[int, ...]]] = {
    "tracks": ("get", ALL),
    "track": ("get", ALL),
    "phase": ("get", ALL),
    "phase-manifest": ("get", ALL),
    "phase-leaderboard": ("get", ALL),
    "phase-validate": ("post", (401, 200, 200, 200, 200, 200, 200, 200)),
    "phase-submissions": ("post", (401, 202, 202, 202, 403, 202, 202, 202)),
    "submissions": ("get", (401, 200, 200, 200, 200, 200, 200, 200)),
    "submission": ("get", (401, 404, 404, 200, 200, 200, 200, 404)),
    "submission-scores": ("get", (401, 404, 404, 200, 200, 200, 200, 404)),
    "submission-instances": ("get", (401, 404, 404, 200, 200, 200, 200, 404)),
    "submission-withdraw": ("post", (401, 404, 404, 200, 403, 200, 200, 404)),
    "submission-publish": ("post", (401, 404, 404, 200, 403, 200, 200, 404)),
    "tokens": ("get", (401, 200, 200, 200, 200, 200, 200, 200)),
    "token": ("delete", (401, 404, 404, 404, 404, 404, 404, 404)),  # another's
}
CASES = [
    pytest.param(name, method, role, status, id=f"{name} by {role}")
    for name, (method, statuses) in MATRIX.items()
    for role, status in zip(ROLES, statuses, strict=True)
]


def client_of(role: str, submission: Submission) -> APIClient:
    user, team = submission.created_by, submission.team
    if role == "host token":
        user.is_staff = True
        user.save()
    clients = {
        "anonymous": anonymous,
        "stranger": lambda: with_session(make_user()),
        "staff": lambda: with_session(make_user(is_staff=True)),
        "member": lambda: with_session(user),
        "read token": lambda: with_token(user, "read", team),
        "submit token": lambda: with_token(user, "submit", team),
        "host token": lambda: with_token(user, "host", team),
        "other team's token": lambda: with_token(user, "submit", make_team(user)),
    }
    return clients[role]()


def ask(client: APIClient, name: str, method: str, scored: Submission) -> HttpResponse:
    token_text(make_user())
    someones = ApiToken.objects.latest("created")
    places = {
        "track": {"track": scored.phase.track.slug},
        "phase": {"track": scored.phase.track.slug, "phase": scored.phase.slug},
        "submission": {"submission": scored.pk},
        "token": {"token": someones.public_id},
    }
    bodies = {
        "phase-validate": {"file": upload()},
        "phase-submissions": form(),
        "submission-publish": {"is_public": "false"},
    }
    where = reverse(f"api:{name}", kwargs=places.get(name.partition("-")[0], {}))
    return getattr(client, method)(where, bodies.get(name))


@pytest.mark.parametrize(("name", "method", "role", "status"), CASES)
def test_every_role_gets_what_it_may(
    name: str, method: str, role: str, status: int
) -> None:
    manifest = b'{"q_ids":["0000"],"ids":["0"],"query_index":[0],"query_times":[1.0]}'
    phase = make_test_set(make_phase(feedback="instances"), manifest=manifest).phase
    user = make_user()
    submission = make_scored(phase, user=user, team=make_team(user)).submission
    answer = ask(client_of(role, submission), name, method, submission)
    assert answer.status_code == status, answer.content


def test_the_matrix_knows_every_address() -> None:
    assert {str(pattern.name) for pattern in (*urls.everyone, *urls.members)} == set(
        MATRIX
    )
