"""Judges that phases use, and every answer they ever gave."""

from django.db import models
from django.db.models import Q


class JudgeProfile(models.Model):
    """A judge with its wording. `judge_id` follows from them, so a profile is fixed:
    other words or another model are another profile, and never share a board."""

    slug = models.SlugField(unique=True)
    title = models.CharField(max_length=120)
    spec = models.CharField(max_length=300)  # lexical, openai:MODEL@URL, …
    prompts = models.JSONField(null=True, blank=True)  # null = the product's wording
    judge_id = models.CharField(max_length=200, unique=True)
    is_comparable = models.BooleanField()
    # Measured agreement with people: Spearman's rho and its 95 % interval.
    agreement = models.FloatField(null=True, blank=True)
    agreement_low = models.FloatField(null=True, blank=True)
    agreement_high = models.FloatField(null=True, blank=True)
    agreement_note = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["slug"]
        constraints = [
            models.CheckConstraint(
                condition=Q(agreement__isnull=True) | Q(agreement__range=(-1, 1)),
                name="judge_agreement_is_a_correlation",
                violation_error_message="Agreement is a correlation, from -1 to 1.",
                violation_error_code="judge_agreement_is_a_correlation",
            )
        ]

    def __str__(self) -> str:
        return self.title


class JudgeAnswer(models.Model):
    """One answer, shared by all submissions. The key covers judge, prompts and texts."""

    key = models.CharField(max_length=64, primary_key=True)
    judge_id = models.CharField(max_length=200)
    text = models.TextField()
    score = models.PositiveSmallIntegerField(null=True)
    answered_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(score__isnull=True) | Q(score__lte=5),
                name="judge_answer_in_range",
                violation_error_message="A judge scores from 0 to 5.",
                violation_error_code="judge_answer_in_range",
            )
        ]

    def __str__(self) -> str:
        return f"{self.judge_id}: {self.score}"
