"""Who may see what: every page, for every role. A new page must choose."""

import pytest
from django.test import Client
from django.urls import reverse

from leaderboard import tokens
from leaderboard.models import Phase, Submission
from leaderboard.teams import personal_team
from leaderboard.views import urls
from tests.factories import make_phase, make_scored, make_test_set, make_user

pytestmark = pytest.mark.django_db

ROLES = ("anonymous", "stranger", "member", "staff")
SIGN_IN, MISSING, GONE_ON = 302, 404, 302

# The method, and the answer for each role. The submission is on no public board.
MATRIX: dict[str, tuple[str, tuple[int, int, int, int]]] = {
    "home": ("get", (200, 200, 200, 200)),
    "track": ("get", (200, 200, 200, 200)),
    "board": ("get", (200, 200, 200, 200)),
    "submission-create": ("get", (SIGN_IN, 200, 200, 200)),
    "submissions": ("get", (SIGN_IN, 200, 200, 200)),
    "submission": ("get", (MISSING, MISSING, 200, 200)),
    "submission-status": ("get", (MISSING, MISSING, 200, 200)),
    "submission-withdraw": ("get", (SIGN_IN, MISSING, 200, 200)),
    "submission-publish": ("post", (SIGN_IN, MISSING, GONE_ON, GONE_ON)),
    "submission-instances": ("get", (SIGN_IN, MISSING, 200, 200)),
    "tokens": ("get", (SIGN_IN, 200, 200, 200)),
    "token-revoke": ("get", (SIGN_IN, MISSING, 200, MISSING)),
}


def path_of(name: str, submission: Submission, token: str) -> str:
    phase = submission.phase
    arguments = {
        "track": {"track": phase.track.slug},
        "board": {"track": phase.track.slug, "phase": phase.slug},
        "submission-create": {"track": phase.track.slug, "phase": phase.slug},
        "token-revoke": {"token": token},
    }
    needs_pk = name == "submission" or name.startswith("submission-")
    own = {"pk": submission.pk} if needs_pk else {}
    return reverse(name, kwargs=arguments.get(name, own))


def as_role(client: Client, role: str, submission: Submission) -> None:
    if role == "member":
        client.force_login(submission.created_by)
    elif role != "anonymous":
        client.force_login(make_user(is_staff=role == "staff"))


def test_the_matrix_lists_every_page():
    assert {pattern.name for pattern in urls.urlpatterns} == set(MATRIX)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("name", sorted(MATRIX))
def test_each_role_sees_what_it_may(client: Client, name: str, role: str):
    phase = make_test_set(make_phase(feedback=Phase.Feedback.INSTANCES)).phase
    submission = make_scored(phase, is_public=False).submission
    user = submission.created_by
    token, _ = tokens.create(
        user=user, team=personal_team(user), name="CI", scope="read", days=30
    )
    as_role(client, role, submission)
    method, answers = MATRIX[name]
    response = getattr(client, method)(path_of(name, submission, str(token.public_id)))
    assert response.status_code == answers[ROLES.index(role)]
    if role == "anonymous" and response.status_code == SIGN_IN:
        assert response.url.startswith("/accounts/login/?next=")


@pytest.mark.parametrize("role", ["anonymous", "stranger"])
def test_nobody_else_can_change_a_submission(client: Client, role: str):
    submission = make_scored().submission  # it is public, so everyone may read it
    as_role(client, role, submission)
    client.post(reverse("submission-withdraw", args=[submission.pk]))
    client.post(reverse("submission-publish", args=[submission.pk]), {"is_public": "0"})
    submission.refresh_from_db()
    assert submission.status == Submission.Status.ACCEPTED
    assert submission.is_public


def test_looking_never_changes_anything(client: Client):
    submission = make_scored().submission
    client.force_login(submission.created_by)
    path = reverse("submission-publish", args=[submission.pk])
    assert client.get(path).status_code == 405
