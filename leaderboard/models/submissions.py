"""Submissions, and the ledger of what they cost."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from leaderboard.ids import uuid7
from leaderboard.models.leases import Leased, LeasedQuerySet
from leaderboard.models.states import only_known
from leaderboard.models.teams import Team
from leaderboard.models.tracks import Phase


class Submission(Leased):
    """received → checking → accepted | rejected; accepted → withdrawn."""

    class Status(models.TextChoices):
        RECEIVED = "received", "received"
        CHECKING = "checking", "being checked"
        ACCEPTED = "accepted", "accepted"
        REJECTED = "rejected", "rejected"
        WITHDRAWN = "withdrawn", "withdrawn"

    WAITING = (Status.RECEIVED,)
    HELD = Status.CHECKING

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    phase = models.ForeignKey(
        Phase, on_delete=models.PROTECT, related_name="submissions"
    )
    team = models.ForeignKey(Team, on_delete=models.PROTECT, related_name="submissions")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT)
    created_at = models.DateTimeField(auto_now_add=True)
    checked_at = models.DateTimeField(null=True, blank=True)
    status = models.CharField(max_length=20, choices=Status, default=Status.RECEIVED)
    method = models.CharField(max_length=120)
    description = models.TextField(blank=True, max_length=4000)
    url = models.URLField(blank=True)
    card = models.JSONField(default=dict, blank=True)  # the suite's card fields
    is_public = models.BooleanField(default=True)
    file_name = models.CharField(max_length=255)
    file_key = models.CharField(max_length=200)
    file_sha256 = models.CharField(max_length=64)
    file_size = models.PositiveBigIntegerField()
    coverage = models.JSONField(default=dict, blank=True)
    problems = models.JSONField(default=list, blank=True)  # the first 100
    problem_count = models.PositiveIntegerField(default=0)
    notices = models.JSONField(default=list, blank=True)  # accepted, but worth telling
    flags = models.JSONField(default=list, blank=True)  # for staff to look at

    objects = LeasedQuerySet["Submission"].as_manager()

    class Meta:
        ordering = ["-created_at"]
        indexes = [models.Index(fields=["team", "-created_at"])]
        constraints = [
            only_known(
                "status",
                "received",
                "checking",
                "accepted",
                "rejected",
                "withdrawn",
                name="submission_status",
            ),
            Leased.lease_constraint("checking", "submission_lease"),
            models.CheckConstraint(
                condition=~Q(status="rejected") | Q(problem_count__gt=0),
                name="submission_rejected_has_problems",
                violation_error_message="A rejection says why.",
                violation_error_code="submission_rejected_has_problems",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.method} by {self.team}"


class IdempotencyKey(models.Model):
    """The same key within a day gives the same submission back."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE)
    key = models.CharField(max_length=200)
    body_sha256 = models.CharField(max_length=64)
    submission = models.ForeignKey(Submission, on_delete=models.CASCADE)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["team", "key"],
                name="idempotency_key_unique",
                violation_error_message="This key was used already.",
                violation_error_code="idempotency_key_used",
            )
        ]

    def __str__(self) -> str:
        return self.key


class QuotaCounter(models.Model):
    """How many submissions of a team count in a phase, on a day and in all."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE)
    phase = models.ForeignKey(Phase, on_delete=models.CASCADE)
    day = models.DateField(null=True, blank=True)  # null = the whole phase
    used = models.PositiveIntegerField(default=0)
    allowed = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["team", "phase", "day"],
                nulls_distinct=False,
                name="quota_counter_unique",
                violation_error_message="There is one counter per day.",
                violation_error_code="quota_counter_unique",
            ),
            models.CheckConstraint(
                condition=Q(used__lte=F("allowed")),
                name="quota_within_limit",
                violation_error_message="The quota is used up.",
                violation_error_code="quota_exceeded",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.used} of {self.allowed}"


class QuotaEntry(models.Model):
    """One line of the ledger: a slot reserved, then consumed or given back."""

    class Kind(models.TextChoices):
        RESERVE = "reserve", "reserved"
        CONSUME = "consume", "used"
        REFUND = "refund", "given back"

    submission = models.ForeignKey(
        Submission, on_delete=models.CASCADE, related_name="quota_entries"
    )
    kind = models.CharField(max_length=10, choices=Kind)
    reason = models.CharField(max_length=200)
    day = models.DateField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            only_known("kind", "reserve", "consume", "refund", name="quota_entry_kind"),
            models.UniqueConstraint(
                fields=["submission", "kind"],
                name="quota_entry_once",
                violation_error_message="A slot is reserved, used, given back once.",
                violation_error_code="quota_entry_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.reason}"
