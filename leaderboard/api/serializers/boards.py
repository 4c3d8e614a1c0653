"""Rows of a board, and what one may ask of it."""

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from leaderboard.api.serializers.judges import JudgeSerializer
from leaderboard.boards import Board
from leaderboard.feedback import OVERALL
from leaderboard.rows import Number, Row

ORDERS = ("best_first", "worst_first")


class BoardQuerySerializer(serializers.Serializer[object]):
    """Parameters of a board; without any, all of it by the headline, best first."""

    subset = serializers.CharField(
        default=OVERALL, help_text="Like `type:O1`; the phase lists them."
    )
    sort = serializers.CharField(
        default="",
        allow_blank=True,
        help_text="The key of a metric that is ranked by; else the headline.",
    )
    order = serializers.ChoiceField(choices=ORDERS, default=ORDERS[0])
    page = serializers.IntegerField(default=1, min_value=1, max_value=1_000_000)


class NumberSerializer(serializers.Serializer[Number]):
    """A value in the metric's unit, its 95 % interval, the instances behind it."""

    value = serializers.FloatField(allow_null=True, help_text="null: does not apply")
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    n = serializers.IntegerField(allow_null=True)


class RowSerializer(serializers.Serializer[Row]):
    """`rank` is null where a row is not ranked; only measured rows ever are."""

    kind = serializers.ChoiceField(choices=["measured", "baseline", "published"])
    rank = serializers.IntegerField(allow_null=True)
    method = serializers.CharField()
    team = serializers.CharField(allow_blank=True)
    submission = serializers.UUIDField(
        source="entry.evaluation.submission_id", default=None, allow_null=True
    )
    submitted_at = serializers.DateTimeField(
        source="entry.evaluation.submission.created_at", default=None, allow_null=True
    )
    url = serializers.CharField(source="entry.evaluation.submission.url", default="")
    card = serializers.DictField(
        child=serializers.CharField(), help_text="By card field, where it was said."
    )
    note = serializers.CharField(allow_blank=True)
    organisation = serializers.CharField(allow_blank=True)
    is_human = serializers.BooleanField()
    is_open_weights = serializers.BooleanField(
        allow_null=True, help_text="null: not known"
    )
    is_subset = serializers.BooleanField(
        help_text="Measured on a part of the test set."
    )
    source = serializers.CharField(allow_blank=True)  # type: ignore[assignment]
    source_url = serializers.CharField(allow_blank=True)
    numbers = serializers.DictField(child=NumberSerializer())
    errors = serializers.DictField(child=serializers.IntegerField())  # type: ignore[assignment]


class BoardSerializer(serializers.Serializer[Board]):
    """One page of measured rows in rank order; the other rows are on every page."""

    track = serializers.CharField(source="phase.track.slug")
    phase = serializers.CharField(source="phase.slug")
    test_set = serializers.IntegerField(
        source="test_set.number", default=None, allow_null=True
    )
    protocol = serializers.CharField(source="phase.protocol")
    judge = JudgeSerializer(source="phase.judge_profile", allow_null=True)
    visibility = serializers.CharField(source="phase.visibility")
    subset = serializers.CharField()
    sort = serializers.CharField(source="metric.key")
    order = serializers.SerializerMethodField()
    card = serializers.DictField(
        child=serializers.CharField(), help_text="What it is filtered by."
    )
    page = serializers.IntegerField()
    pages = serializers.IntegerField()
    total = serializers.IntegerField(help_text="Measured rows on all pages.")
    rows = serializers.SerializerMethodField()

    def get_order(self, board: Board) -> str:
        return ORDERS[board.is_worst_first]

    @extend_schema_field(RowSerializer(many=True))
    def get_rows(self, board: Board) -> object:
        rows = [*board.measured, *board.baselines, *board.published]
        return [RowSerializer(row).data for row in rows]
