"""Tracks and phases: what is measured, by which rules, from when to when."""

from django.conf import settings
from django.utils import timezone
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from evaluation import SUITES
from leaderboard import boards
from leaderboard.api.serializers.judges import JudgeSerializer
from leaderboard.api.serializers.suites import (
    CardFieldSerializer,
    ErrorTypeSerializer,
    FormatSerializer,
    MetricSerializer,
    SuiteSerializer,
)
from leaderboard.models import Phase, TestSetVersion, Track


class PhaseSummarySerializer(serializers.ModelSerializer[Phase]):
    is_open = serializers.SerializerMethodField()

    class Meta:
        model = Phase
        fields = ["slug", "title", "opens_at", "closes_at", "is_open"]

    def get_is_open(self, phase: Phase) -> bool:
        return phase.is_open(timezone.now())


class TrackSummarySerializer(serializers.ModelSerializer[Track]):
    phases = PhaseSummarySerializer(many=True)

    class Meta:
        model = Track
        fields = ["slug", "title", "summary", "suite", "phases"]


class TrackSerializer(serializers.ModelSerializer[Track]):
    phases = PhaseSummarySerializer(many=True)
    headline = serializers.SerializerMethodField(help_text="The metric ranked by.")
    suite = serializers.SerializerMethodField()

    class Meta:
        model = Track
        fields = ["slug", "title", "summary", "headline", "suite", "phases"]

    def get_headline(self, track: Track) -> str:
        return boards.headline(track).key

    @extend_schema_field(SuiteSerializer)
    def get_suite(self, track: Track) -> object:
        return SuiteSerializer(SUITES[track.suite]).data


class TestSetSerializer(serializers.ModelSerializer[TestSetVersion]):
    __test__ = False  # not a pytest class

    class Meta:
        model = TestSetVersion
        fields = ["number", "instance_count", "activated_at"]


class PhaseSerializer(serializers.ModelSerializer[Phase]):
    """The rules of a phase, and what its scores consist of."""

    track = serializers.CharField(source="track.slug")
    judge = JudgeSerializer(source="judge_profile", allow_null=True)
    is_open = serializers.SerializerMethodField()
    is_board_visible = serializers.SerializerMethodField()
    max_upload_mib = serializers.SerializerMethodField()
    test_set = serializers.SerializerMethodField(help_text="The active one, if any.")
    headline = serializers.SerializerMethodField(help_text="The metric ranked by.")
    metrics = serializers.SerializerMethodField()
    subsets = serializers.SerializerMethodField()
    error_types = serializers.SerializerMethodField()
    card_fields = serializers.SerializerMethodField()
    formats = serializers.SerializerMethodField(help_text="What a file may look like.")

    class Meta:
        model = Phase
        fields = [
            "track",
            "slug",
            "title",
            "opens_at",
            "closes_at",
            "is_open",
            "time_zone",
            "daily_quota",
            "total_quota",
            "max_upload_mib",
            "feedback",
            "protocol",
            "judge",
            "visibility",
            "visible_from",
            "is_board_visible",
            "test_set",
            "headline",
            "metrics",
            "subsets",
            "error_types",
            "card_fields",
            "formats",
        ]

    def get_is_open(self, phase: Phase) -> bool:
        return phase.is_open(timezone.now())

    def get_is_board_visible(self, phase: Phase) -> bool:
        return phase.is_board_visible(timezone.now())

    def get_max_upload_mib(self, phase: Phase) -> int:
        return int(settings.MAX_UPLOAD_MIB)

    @extend_schema_field(TestSetSerializer(allow_null=True))
    def get_test_set(self, phase: Phase) -> object:
        active = boards.active_test_set(phase)
        return TestSetSerializer(active).data if active else None

    def get_headline(self, phase: Phase) -> str:
        return boards.headline(phase.track).key

    @extend_schema_field(MetricSerializer(many=True))
    def get_metrics(self, phase: Phase) -> object:
        metrics = SUITES[phase.track.suite].metrics
        return [MetricSerializer(metric).data for metric in metrics]

    def get_subsets(self, phase: Phase) -> list[str]:
        return boards.subsets_of(phase, boards.active_test_set(phase))

    @extend_schema_field(ErrorTypeSerializer(many=True))
    def get_error_types(self, phase: Phase) -> object:
        errors = SUITES[phase.track.suite].errors
        return [ErrorTypeSerializer(error).data for error in errors]

    @extend_schema_field(CardFieldSerializer(many=True))
    def get_card_fields(self, phase: Phase) -> object:
        fields = SUITES[phase.track.suite].card_fields
        return [CardFieldSerializer(field).data for field in fields]

    @extend_schema_field(FormatSerializer(many=True))
    def get_formats(self, phase: Phase) -> object:
        formats = SUITES[phase.track.suite].formats
        return [FormatSerializer(one).data for one in formats]
