"""Teams. Everyone submits through one; a team of one is made silently."""

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from leaderboard.models import Membership, Team


def personal_team(user: User) -> Team:
    """The user's own team, made on first use."""
    team = Team.objects.filter(personal_of=user).first()
    attempt = 0
    while team is None:
        attempt += 1
        name = (
            user.get_username()[:70]
            if attempt == 1
            else f"{user.username[:70]} {attempt}"
        )
        try:
            with transaction.atomic():
                team = Team.objects.create(name=name, personal_of=user)
                Membership.objects.create(team=team, user=user)
        except IntegrityError:  # the name is taken, or another request was faster
            team = Team.objects.filter(personal_of=user).first()
    return team


def teams_of(user: User) -> QuerySet[Team]:
    return Team.objects.filter(memberships__user=user)
