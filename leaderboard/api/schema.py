"""How operations are described in the OpenAPI document."""

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse

from leaderboard.api.errors import MEDIA_TYPE
from leaderboard.api.serializers.problems import ProblemDocumentSerializer
from leaderboard.api.uploads import KEY_HEADER

Responses = dict[tuple[int, str], OpenApiResponse]

MEANINGS = {
    304: "Not changed since the version named in If-None-Match.",
    400: "The request is malformed.",
    401: "No token, or one that is not valid.",
    403: "Not allowed: by the token's scope, or by the phase's rules.",
    404: "There is no such thing, or not for you.",
    409: "It does not fit the present state.",
    413: "Too large.",
    415: "Not a media type that is accepted here.",
    422: "The file has problems; `errors` lists them.",
    429: "Too many: a quota is used up or a rate exceeded; see Retry-After.",
}


def problems(*statuses: int) -> Responses:
    """The errors of an operation, each a problem document."""
    return {
        (status, MEDIA_TYPE): OpenApiResponse(
            ProblemDocumentSerializer, description=MEANINGS[status]
        )
        for status in statuses
    }


def not_modified() -> dict[int, OpenApiResponse]:
    return {304: OpenApiResponse(None, description=MEANINGS[304])}


IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match",
    str,
    OpenApiParameter.HEADER,
    description="The ETag that you have; 304 when it is still right.",
)
IDEMPOTENCY_KEY = OpenApiParameter(
    KEY_HEADER,
    str,
    OpenApiParameter.HEADER,
    description="For 24 hours, the same key with the same content gives the same "
    "submission back, so a retry never costs a second slot of the quota.",
)
WAIT = OpenApiParameter(
    "wait",
    int,
    description="Seconds (30 at most) to wait for a change: one against the ETag in "
    "If-None-Match, where given. Answers at once when the submission is final.",
)
LOCATION = OpenApiParameter(
    "Location",
    str,
    OpenApiParameter.HEADER,
    response=[202],
    description="Where to follow the submission.",
)
RETRY_AFTER = OpenApiParameter(
    "Retry-After",
    int,
    OpenApiParameter.HEADER,
    response=[200, 202],
    description="Seconds after which to look again; absent when it is final.",
)


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the document names our tokens; being defined is enough."""

    target_class = "leaderboard.api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, object]:
        description = "`Token ego_…`; made on the site's tokens page, with a scope."
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": description,
        }
