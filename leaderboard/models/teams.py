"""Who submits: users, through teams. A team of one is made silently."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Lower

from leaderboard.ids import uuid7


class Team(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    name = models.CharField(max_length=80)
    personal_of = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="personal_team",
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                Lower("name"),
                name="team_name_unique",
                violation_error_message="A team of this name exists already.",
                violation_error_code="team_name_taken",
            )
        ]

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships"
    )
    joined_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["team", "user"],
                name="membership_unique",
                violation_error_message="This user is a member already.",
                violation_error_code="already_a_member",
            )
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.team}"
