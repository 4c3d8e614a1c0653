"""What a request can reach: tracks and phases for all, the rest through its teams.

A token acts in its own team and, like a session, only while its user is a member.
"""

from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import QuerySet
from rest_framework.exceptions import NotFound
from rest_framework.request import Request

from leaderboard import progress, teams
from leaderboard.models import ApiToken, Phase, Submission, Team
from leaderboard.refusals import Refused


def user_of(request: Request) -> User:
    """The user behind a session or a token; the permission has made sure of one."""
    assert isinstance(request.user, User)  # noqa: S101
    return request.user


def teams_of(request: Request) -> QuerySet[Team]:
    found = teams.teams_of(user_of(request))
    if isinstance(request.auth, ApiToken):
        return found.filter(pk=request.auth.team_id)
    return found


def team_of(request: Request, wanted: UUID | None) -> Team:
    """The team to act for: the one named, else the token's, else the user's own."""
    if wanted is None:
        if isinstance(request.auth, ApiToken):
            wanted = request.auth.team_id
        else:
            return teams.personal_team(user_of(request))
    team = teams_of(request).filter(pk=wanted).first()
    if team is None:
        message = "You can only submit for a team you belong to, with its own token."
        raise Refused("not_a_member", message)
    return team


def submissions_of(request: Request) -> QuerySet[Submission]:
    """Submissions of the request's teams, each with its evaluations at hand."""
    return progress.with_evaluations(
        Submission.objects.filter(team__in=teams_of(request))
    )


def tokens_of(request: Request) -> QuerySet[ApiToken]:
    """A session sees all tokens of its user; a token those of its team."""
    found = ApiToken.objects.select_related("team").filter(user=user_of(request))
    if isinstance(request.auth, ApiToken):
        return found.filter(team=request.auth.team_id)
    return found


def phase_of(track: str, phase: str) -> Phase:
    """A phase through its track. Raises NotFound."""
    found = Phase.objects.select_related("track", "judge_profile").filter(
        track__slug=track, slug=phase
    )
    if (one := found.first()) is None:
        detail = f"There is no phase {track}/{phase}; /api/v1/tracks lists them."
        raise NotFound(detail)
    return one
