"""API tokens: shown once, stored hashed (Knox), bound to a team and a scope."""

from django.db import models
from knox.models import AbstractAuthToken

from leaderboard.ids import uuid7
from leaderboard.models.states import only_known
from leaderboard.models.teams import Team


class ApiToken(AbstractAuthToken):
    """A token acts for its user, in one team, within its scope."""

    class Scope(models.TextChoices):
        READ = "read", "read"
        SUBMIT = "submit", "read and submit"
        HOST = "host", "read, submit and manage test sets"

    public_id = models.UUIDField(unique=True, default=uuid7, editable=False)
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=80)
    scope = models.CharField(max_length=10, choices=Scope, default=Scope.SUBMIT)
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created"]
        constraints = [
            models.UniqueConstraint(
                fields=["user", "name"],
                name="token_name_unique",
                violation_error_message="You have a token of this name already.",
                violation_error_code="token_name_taken",
            ),
            only_known("scope", "read", "submit", "host", name="token_scope"),
        ]

    def __str__(self) -> str:
        return f"{self.name} of {self.team}"
