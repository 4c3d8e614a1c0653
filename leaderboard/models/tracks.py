"""Tracks (a board each) and their phases (a period with its own rules)."""

from datetime import datetime

from django.db import models
from django.db.models import F, Q

from leaderboard.models.judges import JudgeProfile
from leaderboard.models.states import only_known


class Track(models.Model):
    """A board: which suite, what is said about it, which metric comes first."""

    slug = models.SlugField(unique=True)
    suite = models.SlugField()
    title = models.CharField(max_length=120)
    summary = models.TextField(blank=True)
    headline = models.CharField(max_length=40, blank=True)  # "" = the suite's own
    position = models.PositiveSmallIntegerField(default=0)
    is_listed = models.BooleanField(default=True)

    class Meta:
        ordering = ["position", "slug"]

    def __str__(self) -> str:
        return self.title


class Phase(models.Model):
    """Rules of one period: times, quotas, feedback, judge, who sees the board."""

    class Feedback(models.TextChoices):
        AGGREGATE = "aggregate", "overall scores only"
        BREAKDOWNS = "breakdowns", "scores per subset and error type"
        INSTANCES = "instances", "scores of every instance"

    class Visibility(models.TextChoices):
        LIVE = "live", "live"
        FROZEN = "frozen", "frozen: new scores are held back"
        HIDDEN = "hidden", "hidden until a date"

    track = models.ForeignKey(Track, on_delete=models.PROTECT, related_name="phases")
    slug = models.SlugField()
    title = models.CharField(max_length=120)
    opens_at = models.DateTimeField()
    closes_at = models.DateTimeField(null=True, blank=True)
    time_zone = models.CharField(max_length=60, default="UTC")
    daily_quota = models.PositiveIntegerField(default=10)
    total_quota = models.PositiveIntegerField(default=1000)
    feedback = models.CharField(
        max_length=20, choices=Feedback, default=Feedback.BREAKDOWNS
    )
    protocol = models.CharField(max_length=40)
    # By judge_id, so that which judge ranks is known without another query.
    judge_profile = models.ForeignKey(
        JudgeProfile,
        to_field="judge_id",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="phases",
    )
    parser = models.CharField(max_length=120, blank=True)  # a model that must be used
    selection = models.JSONField(null=True, blank=True)  # ids and modes that count
    visibility = models.CharField(
        max_length=20, choices=Visibility, default=Visibility.LIVE
    )
    visible_from = models.DateTimeField(null=True, blank=True)
    frozen_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["track", "opens_at"]
        constraints = [
            only_known(
                "visibility", "live", "frozen", "hidden", name="phase_visibility"
            ),
            only_known(
                "feedback",
                "aggregate",
                "breakdowns",
                "instances",
                name="phase_feedback",
            ),
            models.UniqueConstraint(
                fields=["track", "slug"],
                name="phase_slug_unique",
                violation_error_message="This track has a phase of that name.",
                violation_error_code="phase_slug_taken",
            ),
            models.CheckConstraint(
                condition=Q(closes_at__isnull=True) | Q(closes_at__gt=F("opens_at")),
                name="phase_closes_after_opening",
                violation_error_message="A phase closes after it opens.",
                violation_error_code="phase_closes_after_opening",
            ),
            models.CheckConstraint(
                condition=~Q(visibility="frozen") | Q(frozen_at__isnull=False),
                name="phase_frozen_since",
                violation_error_message="A frozen board needs the time it froze at.",
                violation_error_code="phase_frozen_since",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.track}: {self.title}"

    @property
    def judge(self) -> str:
        """The id of the judge that ranked evaluations used; "" without one."""
        return self.judge_profile_id or ""

    def is_open(self, now: datetime) -> bool:
        return self.opens_at <= now and (self.closes_at is None or now < self.closes_at)

    def is_board_visible(self, now: datetime) -> bool:
        if self.visibility != self.Visibility.HIDDEN:
            return True
        return self.visible_from is not None and self.visible_from <= now
