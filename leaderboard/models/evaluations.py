"""Evaluations (one submission on one test set version) and their shards."""

from datetime import datetime

from django.db import models
from django.db.models import Count, F, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from leaderboard.ids import uuid7
from leaderboard.models.leases import Leased, LeasedQuerySet
from leaderboard.models.states import only_known
from leaderboard.models.submissions import Submission
from leaderboard.models.testsets import TestSetVersion


class Evaluation(models.Model):
    """queued → running → scored | failed."""

    class Status(models.TextChoices):
        QUEUED = "queued", "in the queue"
        RUNNING = "running", "being scored"
        SCORED = "scored", "scored"
        FAILED = "failed", "failed"

    OPEN = (Status.QUEUED, Status.RUNNING)

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    submission = models.ForeignKey(
        Submission, on_delete=models.PROTECT, related_name="evaluations"
    )
    test_set = models.ForeignKey(
        TestSetVersion, on_delete=models.PROTECT, related_name="evaluations"
    )
    protocol = models.CharField(max_length=40)
    judge = models.CharField(max_length=200, blank=True)
    status = models.CharField(max_length=20, choices=Status, default=Status.QUEUED)
    queued_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    cause = models.TextField(blank=True)  # for the submitter: what failed, whose fault
    trace = models.TextField(blank=True)  # for the operator; never shown to submitters
    table = models.BinaryField(null=True)  # per-instance results, packed
    counters = models.JSONField(default=dict, blank=True)  # judge questions asked, …

    class Meta:
        ordering = ["-queued_at"]
        indexes = [models.Index(fields=["status", "queued_at"])]
        constraints = [
            only_known(
                "status",
                "queued",
                "running",
                "scored",
                "failed",
                name="evaluation_status",
            ),
            models.UniqueConstraint(
                fields=["submission", "test_set", "protocol", "judge"],
                name="evaluation_unique",
                violation_error_message="This submission is being scored already.",
                violation_error_code="evaluation_unique",
            ),
            models.CheckConstraint(
                condition=~Q(status="scored")
                | Q(table__isnull=False, finished_at__isnull=False),
                name="evaluation_scored_has_table",
                violation_error_message="A scored evaluation has its table.",
                violation_error_code="evaluation_scored_has_table",
            ),
            models.CheckConstraint(
                condition=~Q(status="failed") | ~Q(cause=""),
                name="evaluation_failed_has_cause",
                violation_error_message="A failed evaluation says why.",
                violation_error_code="evaluation_failed_has_cause",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.submission} on {self.test_set}"


class ShardQuerySet(LeasedQuerySet["Shard"]):
    """Shards of evaluations, in the order in which workers take them."""

    def runnable(self, now: datetime) -> "ShardQuerySet":
        """Shards that wait, unless their evaluation has failed meanwhile."""
        return super().runnable(now).filter(evaluation__status__in=Evaluation.OPEN)

    def judged(self, is_judged: bool) -> "ShardQuerySet":
        """Shards that ask a judge, or those that do not: they have queues of their own."""
        unjudged = Q(evaluation__judge="")
        return self.filter(~unjudged if is_judged else unjudged)

    def fairest(self) -> "ShardQuerySet":
        """Teams with fewer running shards first, then the older evaluation."""
        running = (
            Shard.objects.filter(
                status=Shard.Status.RUNNING,
                evaluation__submission__team=OuterRef("evaluation__submission__team"),
            )
            .order_by()
            .values("evaluation__submission__team")
            .annotate(total=Count("pk"))
            .values("total")
        )
        return self.annotate(team_load=Coalesce(Subquery(running), 0)).order_by(
            "team_load", "evaluation__queued_at", "number"
        )


class Shard(Leased):
    """A slice of the instances of an evaluation; what one worker scores at a time."""

    class Status(models.TextChoices):
        QUEUED = "queued", "queued"
        RUNNING = "running", "running"
        DONE = "done", "done"
        FAILED = "failed", "failed"

    WAITING = (Status.QUEUED,)
    HELD = Status.RUNNING

    evaluation = models.ForeignKey(
        Evaluation, on_delete=models.CASCADE, related_name="shards"
    )
    number = models.PositiveIntegerField()
    start = models.PositiveIntegerField()
    stop = models.PositiveIntegerField()  # instances start … stop - 1
    status = models.CharField(max_length=20, choices=Status, default=Status.QUEUED)
    rows = models.BinaryField(null=True)  # its part of the instance table, packed
    finished_at = models.DateTimeField(null=True, blank=True)
    last_error = models.TextField(blank=True)

    objects = ShardQuerySet.as_manager()

    class Meta:
        ordering = ["evaluation", "number"]
        indexes = [models.Index(fields=["status", "runnable_at"])]
        constraints = [
            only_known(
                "status", "queued", "running", "done", "failed", name="shard_status"
            ),
            models.UniqueConstraint(
                fields=["evaluation", "number"],
                name="shard_number_unique",
                violation_error_message="A shard exists once.",
                violation_error_code="shard_number_unique",
            ),
            models.CheckConstraint(
                condition=Q(stop__gt=F("start")),
                name="shard_not_empty",
                violation_error_message="A shard holds instances.",
                violation_error_code="shard_not_empty",
            ),
            models.CheckConstraint(
                condition=Q(status="done", rows__isnull=False)
                | (~Q(status="done") & Q(rows__isnull=True)),
                name="shard_done_has_rows",
                violation_error_message="A shard has rows exactly when it is done.",
                violation_error_code="shard_done_has_rows",
            ),
            Leased.lease_constraint("running", "shard_lease"),
        ]

    def __str__(self) -> str:
        return f"shard {self.number} of {self.evaluation}"
