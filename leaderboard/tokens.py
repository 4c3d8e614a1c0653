"""API tokens change state here: created, used, revoked."""

from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from leaderboard import audit
from leaderboard.models import ApiToken, Membership, Team
from leaderboard.refusals import Refused

USE_PRECISION = timedelta(minutes=1)


def create(
    *, user: User, team: Team, name: str, scope: str, days: int
) -> tuple[ApiToken, str]:
    """A new token and its text, which is shown this once and never stored."""
    if not Membership.objects.filter(team=team, user=user).exists():
        raise Refused("not_a_member", "You can only make tokens for your own teams.")
    if scope == ApiToken.Scope.HOST and not user.is_staff:
        raise Refused("not_staff", "Only staff can make tokens that manage test sets.")
    try:
        with transaction.atomic():
            token, text = ApiToken.objects.create(  # type: ignore[no-untyped-call]
                user=user,
                team=team,
                name=name,
                scope=scope,
                expiry=timedelta(days=days),
            )
            audit.record(user, "create-token", team, token=str(token.public_id))
    except IntegrityError as error:
        # Or the form was sent twice: a reload makes no second token.
        message = "You have a token of this name; revoke it, or choose another name."
        raise Refused("token_name_taken", message) from error
    return token, text


def revoke(token: ApiToken, user: User) -> None:
    """The token stops working at once."""
    with transaction.atomic():
        audit.record(user, "revoke-token", token.team, token=str(token.public_id))
        token.delete()


def touch(token: ApiToken, now: datetime) -> None:
    """Note that it was used, to the minute (not one write per request)."""
    if token.last_used_at is None or token.last_used_at < now - USE_PRECISION:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
