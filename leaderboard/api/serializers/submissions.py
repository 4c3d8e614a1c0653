"""Submissions: what is sent in, and how far they are."""

import msgspec
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from leaderboard import method_cards, progress
from leaderboard.api.serializers.problems import CoverageSerializer, ProblemSerializer
from leaderboard.models import Evaluation, Submission
from leaderboard.submissions import Entry


class NewSubmissionSerializer(serializers.Serializer[object]):
    """A file of predictions, and what is said about it."""

    file = serializers.FileField(allow_empty_file=True)
    method = serializers.CharField(max_length=120)
    description = serializers.CharField(max_length=4000, default="", allow_blank=True)
    url = serializers.URLField(max_length=200, default="", allow_blank=True)
    is_public = serializers.BooleanField(default=True)
    card = serializers.CharField(
        default="{}",
        max_length=20_000,
        help_text="A JSON object with texts for the phase's `card_fields`.",
    )
    team = serializers.UUIDField(
        default=None, help_text="Else the token's team, or the user's own."
    )

    def validate_method(self, value: str) -> str:
        method_cards.check_printable(value)
        return value

    def validate_card(self, value: str) -> dict[str, str]:
        try:
            given = msgspec.json.decode(value, type=dict[str, str])
        except (msgspec.DecodeError, UnicodeError) as error:
            message = f"must be a JSON object whose values are texts: {error}"
            raise serializers.ValidationError(message) from error
        return method_cards.checked(self.context["suite"], given)

    def entry(self) -> Entry:
        """What was said, once it is valid."""
        given = self.validated_data
        return Entry(
            method=given["method"],
            description=given["description"],
            url=given["url"],
            is_public=given["is_public"],
            card=given["card"],
        )


class NewValidationSerializer(serializers.Serializer[object]):
    file = serializers.FileField(allow_empty_file=True)


class ValidationSerializer(serializers.Serializer[object]):
    """What a submission of this file would be told."""

    is_valid = serializers.BooleanField(source="is_sound")  # type: ignore[assignment]
    coverage = CoverageSerializer(allow_null=True)
    notices = ProblemSerializer(many=True)
    problem_count = serializers.IntegerField()
    errors = ProblemSerializer(source="problems", many=True)  # type: ignore[assignment]


class PublicationSerializer(serializers.Serializer[object]):
    is_public = serializers.BooleanField()


class EvaluationSerializer(serializers.ModelSerializer[Evaluation]):
    """The scoring on one test set. `cause` tells why it failed, and whose fault."""

    test_set = serializers.IntegerField(source="test_set.number")
    shards_done = serializers.IntegerField()
    shards_total = serializers.IntegerField()

    class Meta:
        model = Evaluation
        fields = [
            "id",
            "status",
            "test_set",
            "protocol",
            "judge",
            "queued_at",
            "started_at",
            "finished_at",
            "shards_done",
            "shards_total",
            "cause",
        ]


class SubmissionSummarySerializer(serializers.ModelSerializer[Submission]):
    """One line of a list."""

    track = serializers.CharField(source="phase.track.slug")
    phase = serializers.CharField(source="phase.slug")
    team = serializers.CharField(source="team.name")
    is_final = serializers.SerializerMethodField()
    evaluation = serializers.SerializerMethodField()

    class Meta:
        model = Submission
        fields = [
            "id",
            "track",
            "phase",
            "team",
            "method",
            "status",
            "is_public",
            "is_final",
            "created_at",
            "problem_count",
            "evaluation",
        ]

    def get_is_final(self, submission: Submission) -> bool:
        return not progress.is_open(submission)

    @extend_schema_field(EvaluationSerializer(allow_null=True))
    def get_evaluation(self, submission: Submission) -> object:
        found = progress.evaluation_of(submission)
        return EvaluationSerializer(found).data if found else None


class SubmissionSerializer(SubmissionSummarySerializer):
    """All of a submission's state. It is final when nothing more will happen to it."""

    card = serializers.DictField(child=serializers.CharField())
    created_by = serializers.CharField(source="created_by.username")
    queue_place = serializers.SerializerMethodField(help_text="1: it is next.")
    coverage = serializers.SerializerMethodField()
    problems = ProblemSerializer(many=True)
    notices = ProblemSerializer(many=True)

    class Meta:
        model = Submission
        fields = [
            *SubmissionSummarySerializer.Meta.fields,
            "description",
            "url",
            "card",
            "created_by",
            "checked_at",
            "file_name",
            "file_sha256",
            "file_size",
            "queue_place",
            "coverage",
            "problems",
            "notices",
        ]

    def get_queue_place(self, submission: Submission) -> int | None:
        return progress.queue_place(submission)

    @extend_schema_field(CoverageSerializer(allow_null=True))
    def get_coverage(self, submission: Submission) -> object:
        return submission.coverage or None
