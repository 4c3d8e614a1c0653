"""Where pages fetch their objects: through the track, the team or the public board."""

from typing import cast
from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import timezone

from leaderboard import boards, progress, teams
from leaderboard.models import Phase, Submission


def member(request: HttpRequest) -> User:
    """Whoever is signed in, on a page that asks for it (`login_required`)."""
    return cast("User", request.user)


def phases(track: str) -> list[Phase]:
    """All phases of a track, in one query. Raises Http404 when there are none."""
    found = list(
        Phase.objects.filter(track__slug=track).select_related("track", "judge_profile")
    )
    if not found:
        raise Http404(f"there is no track “{track}” with phases")
    return found


def phase(track: str, slug: str) -> Phase:
    return named(phases(track), slug)


def named(found: list[Phase], slug: str) -> Phase:
    """The phase of that name. Raises Http404."""
    for one in found:
        if one.slug == slug:
            return one
    raise Http404(f"this track has no phase “{slug}”")


def submissions(user: User) -> QuerySet[Submission]:
    """What the user may work with: the teams' own submissions; staff, all of them."""
    rows = progress.with_evaluations(Submission.objects.all())
    if user.is_staff:
        return rows
    return rows.filter(team__in=teams.teams_of(user))


def own(user: User, pk: UUID) -> Submission:
    """One of the above. Raises Http404."""
    return get_object_or_404(submissions(user), pk=pk)


def seen(user: User | AnonymousUser, pk: UUID) -> tuple[Submission, bool]:
    """A submission that the visitor may see, and whether it is one of their own."""
    if user.is_authenticated:
        found = submissions(user).filter(pk=pk).first()
        if found is not None:
            return found, True
    return on_board(pk), False


def on_board(pk: UUID) -> Submission:
    """A submission that stands on its board for everyone. Raises Http404."""
    public = progress.with_evaluations(
        Submission.objects.filter(is_public=True, status=Submission.Status.ACCEPTED)
    )
    found = get_object_or_404(public, pk=pk)
    shown = boards.entries(found.phase, timezone.now())
    if not shown.filter(evaluation__submission=found).exists():
        raise Http404("this submission is not on the public board")
    return found
