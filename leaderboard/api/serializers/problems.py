"""Problems with a file, and problem documents (made in `errors.py`)."""

from rest_framework import serializers


class ProblemSerializer(serializers.Serializer[object]):
    """One thing that is wrong: what, where, and what would be right."""

    code = serializers.CharField()
    detail = serializers.CharField()
    file = serializers.CharField(allow_null=True)
    line = serializers.IntegerField(allow_null=True)
    path = serializers.CharField(allow_null=True)


class ProblemDocumentSerializer(serializers.Serializer[object]):
    """An error, as RFC 9457 has it."""

    type = serializers.CharField(help_text="`urn:egoboard:problem:` and the code.")
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    code = serializers.CharField(help_text="Stable; decide by it.")
    errors = ProblemSerializer(many=True)  # type: ignore[assignment]


class CoverageSerializer(serializers.Serializer[object]):
    """How much of the test set a file answers; the suite says what is counted."""

    expected = serializers.IntegerField()
    answered = serializers.IntegerField()
    missing = serializers.IntegerField()
    invalid = serializers.IntegerField()
    unknown = serializers.IntegerField()
    duplicate = serializers.IntegerField()
