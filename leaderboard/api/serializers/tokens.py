"""Tokens, without their text: that was shown once, when they were made."""

from rest_framework import serializers

from leaderboard.models import ApiToken


class TokenSerializer(serializers.ModelSerializer[ApiToken]):
    id = serializers.UUIDField(source="public_id")
    team = serializers.CharField(source="team.name")
    created_at = serializers.DateTimeField(source="created")
    expires_at = serializers.DateTimeField(source="expiry", allow_null=True)
    is_current = serializers.SerializerMethodField(help_text="The one used here.")

    class Meta:
        model = ApiToken
        fields = [
            "id",
            "name",
            "team",
            "scope",
            "created_at",
            "expires_at",
            "last_used_at",
            "is_current",
        ]

    def get_is_current(self, token: ApiToken) -> bool:
        used = self.context["request"].auth
        return isinstance(used, ApiToken) and used.pk == token.pk
