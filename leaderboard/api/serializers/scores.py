"""A submission's numbers, as its phase's feedback policy lets them be seen."""

from rest_framework import serializers

from leaderboard.api.serializers.boards import NumberSerializer
from leaderboard.api.serializers.problems import CoverageSerializer


class ScoresSerializer(serializers.Serializer[object]):
    submission = serializers.UUIDField()
    track = serializers.CharField()
    phase = serializers.CharField()
    test_set = serializers.IntegerField()
    protocol = serializers.CharField()
    judge = serializers.CharField(allow_blank=True)
    scored_at = serializers.DateTimeField()
    feedback = serializers.CharField()
    headline = serializers.CharField(help_text="The metric ranked by.")
    coverage = CoverageSerializer()
    scores = serializers.DictField(
        child=serializers.DictField(child=NumberSerializer()),
        help_text="By subset, then by metric.",
    )
    errors = serializers.DictField(  # type: ignore[assignment]
        child=serializers.DictField(child=serializers.IntegerField()),
        help_text="By subset, then by error type; empty where only overall is shown.",
    )
