"""Judges, and how far their numbers may be trusted."""

from rest_framework import serializers

from leaderboard.models import JudgeProfile


class JudgeSerializer(serializers.ModelSerializer[JudgeProfile]):
    """`agreement` is Spearman's rho with people, with its 95 % interval."""

    id = serializers.CharField(source="judge_id")
    is_comparable = serializers.BooleanField(
        help_text="Whether its numbers may stand beside published ones."
    )

    class Meta:
        model = JudgeProfile
        fields = [
            "id",
            "title",
            "is_comparable",
            "agreement",
            "agreement_low",
            "agreement_high",
            "agreement_note",
        ]
