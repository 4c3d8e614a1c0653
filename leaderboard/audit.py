"""The one way to write an audit event."""

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Model

from leaderboard.models import AuditEvent

User = AbstractBaseUser | AnonymousUser


def record(actor: User | None, action: str, subject: Model, **details: object) -> None:
    """Add an event, in the caller's transaction. No actor means the system itself."""
    AuditEvent.objects.create(
        actor=actor.get_username() if actor else "system",
        action=action,
        subject=f"{subject._meta.model_name} {subject.pk}",
        details=details,
    )
