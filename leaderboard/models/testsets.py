"""Versions of a phase's hidden test set. What they hold is sealed; see sealing.py."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from leaderboard.ids import uuid7
from leaderboard.models.leases import Leased, LeasedQuerySet
from leaderboard.models.states import only_known
from leaderboard.models.tracks import Phase


class TestSetVersion(Leased):
    """draft → checking → checked | faulty; checked → active → retired."""

    __test__ = False  # not a pytest class

    class Status(models.TextChoices):
        DRAFT = "draft", "waiting to be checked"
        CHECKING = "checking", "being checked"
        CHECKED = "checked", "checked"
        FAULTY = "faulty", "has faults"
        ACTIVE = "active", "active"
        RETIRED = "retired", "retired"

    WAITING = (Status.DRAFT,)
    HELD = Status.CHECKING

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="test_sets")
    number = models.PositiveIntegerField()
    status = models.CharField(max_length=20, choices=Status, default=Status.DRAFT)
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT
    )
    file_name = models.CharField(max_length=255)
    sealed_file = models.CharField(max_length=200)  # file key; age-encrypted upload
    sealed_artifact = models.CharField(max_length=200, blank=True)  # compiled, sealed
    manifest_file = models.CharField(max_length=200, blank=True)  # public
    address = models.CharField(max_length=64, blank=True)  # SHA-256 of the artifact
    instance_count = models.PositiveIntegerField(default=0)
    problems = models.JSONField(default=list, blank=True)
    findings = models.JSONField(default=list, blank=True)  # lint: places, no answers
    activates_when_checked = models.BooleanField(default=False)
    activated_at = models.DateTimeField(null=True, blank=True)

    objects = LeasedQuerySet["TestSetVersion"].as_manager()

    class Meta:
        ordering = ["phase", "-number"]
        constraints = [
            only_known(
                "status",
                "draft",
                "checking",
                "checked",
                "faulty",
                "active",
                "retired",
                name="test_set_status",
            ),
            models.UniqueConstraint(
                fields=["phase", "number"],
                name="test_set_number_unique",
                violation_error_message="This version number is taken.",
                violation_error_code="test_set_number_taken",
            ),
            models.UniqueConstraint(
                fields=["phase"],
                condition=Q(status="active"),
                name="test_set_one_active",
                violation_error_message="A phase has one active test set at a time.",
                violation_error_code="test_set_one_active",
            ),
            models.CheckConstraint(
                condition=~Q(status__in=["checked", "active", "retired"])
                | (~Q(address="") & ~Q(manifest_file="") & Q(instance_count__gt=0)),
                name="test_set_checked_is_compiled",
                violation_error_message="A checked test set has been compiled.",
                violation_error_code="test_set_checked_is_compiled",
            ),
            Leased.lease_constraint("checking", "test_set_lease"),
        ]

    def __str__(self) -> str:
        return f"{self.phase}, test set {self.number}"
