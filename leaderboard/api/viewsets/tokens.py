"""One's tokens: listed and revoked here, made on the site's pages only."""

from django.db.models import QuerySet
from django.utils.decorators import method_decorator
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import mixins, viewsets

from leaderboard import tokens
from leaderboard.api import reach
from leaderboard.api.conditional import PRIVATE
from leaderboard.api.permissions import MayRead
from leaderboard.api.schema import problems
from leaderboard.api.serializers.tokens import TokenSerializer
from leaderboard.models import ApiToken


@extend_schema_view(
    list=extend_schema(
        summary="Your tokens; with a token, those of its team",
        responses={200: TokenSerializer(many=True), **problems(401)},
    ),
    destroy=extend_schema(
        summary="Revoke a token of yours; with a token, only itself",
        responses={204: None, **problems(401, 404)},
    ),
)
@method_decorator(PRIVATE, name="dispatch")
class TokenViewSet(
    mixins.ListModelMixin, mixins.DestroyModelMixin, viewsets.GenericViewSet[ApiToken]
):
    """For everyone who is signed in, and for any token."""

    permission_classes = [MayRead]
    serializer_class = TokenSerializer
    queryset = ApiToken.objects.none()  # names the model; see get_queryset
    lookup_field, lookup_url_kwarg = "public_id", "token"

    def get_queryset(self) -> QuerySet[ApiToken]:
        found = reach.tokens_of(self.request)
        used = self.request.auth
        if self.action == "destroy" and isinstance(used, ApiToken):
            return found.filter(pk=used.pk)
        return found

    def perform_destroy(self, instance: ApiToken) -> None:
        tokens.revoke(instance, reach.user_of(self.request))
