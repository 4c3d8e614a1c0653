"""Scores, and what stands on the boards: measured, published and baseline rows."""

from django.db import models
from django.db.models import F, Q

from leaderboard.models.evaluations import Evaluation
from leaderboard.models.testsets import TestSetVersion
from leaderboard.models.tracks import Phase, Track


class Score(models.Model):
    """One number of an evaluation, with its 95 % interval, in the paper's unit."""

    evaluation = models.ForeignKey(
        Evaluation, on_delete=models.CASCADE, related_name="scores"
    )
    subset = models.CharField(max_length=120)
    metric = models.CharField(max_length=40)
    value = models.FloatField(null=True)  # null = the metric does not apply here
    low = models.FloatField(null=True)
    high = models.FloatField(null=True)
    n = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["evaluation", "subset", "metric"],
                name="score_unique",
                violation_error_message="A number is recorded once.",
                violation_error_code="score_unique",
            ),
            models.CheckConstraint(
                condition=Q(low__isnull=True) | Q(low__lte=F("high")),
                name="score_interval_ordered",
                violation_error_message="An interval runs from low to high.",
                violation_error_code="score_interval_ordered",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.subset} {self.metric}: {self.value}"


class BoardEntry(models.Model):
    """A ranked evaluation's numbers in one row, so that a board is one query.

    `scores` is {subset: {metric: [value, low, high, n]}}, `errors` is
    {subset: {error type: count}}. Rebuilt from what is recorded by
    publishing.rebuild.
    """

    evaluation = models.OneToOneField(
        Evaluation, on_delete=models.CASCADE, related_name="board_entry"
    )
    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="entries")
    test_set = models.ForeignKey(TestSetVersion, on_delete=models.CASCADE)
    scores = models.JSONField()
    errors = models.JSONField()
    scored_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "board entries"
        indexes = [models.Index(fields=["phase", "test_set"])]

    def __str__(self) -> str:
        return str(self.evaluation)


class Baseline(models.Model):
    """An answer that needs no model, computed from a test set: the board's floor."""

    test_set = models.ForeignKey(
        TestSetVersion, on_delete=models.CASCADE, related_name="baselines"
    )
    key = models.SlugField()
    label = models.CharField(max_length=120)
    meaning = models.TextField()
    scores = models.JSONField()
    errors = models.JSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["test_set", "key"],
                name="baseline_unique",
                violation_error_message="A baseline is computed once per test set.",
                violation_error_code="baseline_unique",
            )
        ]

    def __str__(self) -> str:
        return self.label


class PublishedResult(models.Model):
    """Numbers from a paper or page: shown with their source, never ranked."""

    track = models.ForeignKey(Track, on_delete=models.CASCADE, related_name="published")
    method = models.CharField(max_length=200)
    source = models.CharField(max_length=300)
    source_url = models.URLField(blank=True)
    note = models.TextField(blank=True)
    organisation = models.CharField(max_length=200, blank=True)
    is_open_weights = models.BooleanField(null=True)
    is_human = models.BooleanField(default=False)
    is_subset = models.BooleanField(default=False)  # measured on a part of the set
    scores = models.JSONField()  # {subset: {metric: value}}

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["track", "method", "source", "note"],
                name="published_unique",
                violation_error_message="This result is listed already.",
                violation_error_code="published_unique",
            )
        ]

    def __str__(self) -> str:
        return f"{self.method} ({self.source})"
