"""A suite as data: what its numbers and labels mean."""

from rest_framework import serializers

from evaluation.suite import (
    AnySuite,
    CardField,
    ErrorType,
    Family,
    Format,
    Metric,
)


class MetricSerializer(serializers.Serializer[Metric]):
    key = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    unit = serializers.CharField()
    meaning = serializers.CharField()
    low = serializers.FloatField()
    high = serializers.FloatField()
    decimals = serializers.IntegerField(help_text="How many are worth showing.")
    higher_is_better = serializers.BooleanField()
    is_information = serializers.BooleanField(help_text="Reported, never ranked by.")


class FamilySerializer(serializers.Serializer[Family]):
    """A way to divide the instances; its subsets are `key:value`."""

    key = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    order = serializers.ListField(child=serializers.CharField())


class ErrorTypeSerializer(serializers.Serializer[ErrorType]):
    key = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    meaning = serializers.CharField()
    is_right = serializers.BooleanField()


class FormatSerializer(serializers.Serializer[Format]):
    name = serializers.CharField()
    description = serializers.CharField()
    example = serializers.CharField()


class CardFieldSerializer(serializers.Serializer[CardField]):
    """What a submission may say of its method, as `card`; boards filter by it."""

    key = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    choices = serializers.ListField(
        child=serializers.CharField(), help_text="Empty: a short free text."
    )
    meaning = serializers.CharField(allow_blank=True)


class SuiteSerializer(serializers.Serializer[AnySuite]):
    slug = serializers.CharField()
    name = serializers.CharField()
    summary = serializers.CharField()
    paper = serializers.CharField()
    protocols = serializers.ListField(child=serializers.CharField())
    metrics = MetricSerializer(many=True)
    families = FamilySerializer(many=True)
    errors = ErrorTypeSerializer(many=True)  # type: ignore[assignment]
    errors_count = serializers.CharField(help_text="What one error label stands for.")
    card_fields = CardFieldSerializer(many=True)
    formats = FormatSerializer(many=True)
    deviations = serializers.ListField(
        child=serializers.CharField(),
        help_text="Where scores differ from the released evaluator's, and why.",
    )
