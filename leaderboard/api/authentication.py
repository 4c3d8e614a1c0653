"""Who is asking: `Authorization: Token ego_…`. Tokens are made on the site's pages."""

from django.contrib.auth.models import User
from django.utils import timezone
from knox.crypto import hash_token
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from leaderboard import tokens
from leaderboard.models import ApiToken

SCHEME = "Token"


class TokenAuthentication(BaseAuthentication):
    """Finds Knox's stored digest in one query; `request.auth` is the ApiToken.

    Knox's own class reads all tokens of the user and deletes expired ones on the way;
    here a request only ever changes the used token's time of use.
    """

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        try:
            scheme, _, text = get_authorization_header(request).partition(b" ")
            if scheme.decode("ascii").lower() != SCHEME.lower():
                return None
            return _find(text.decode("ascii").strip())
        except UnicodeError as error:
            detail = "The Authorization header must be plain ASCII: `Token ego_…`."
            raise AuthenticationFailed(detail) from error

    def authenticate_header(self, request: Request) -> str:
        return SCHEME


def _find(text: str) -> tuple[User, ApiToken]:
    now = timezone.now()
    token = (
        ApiToken.objects.select_related("user", "team")
        .filter(digest=hash_token(text))
        .first()
    )
    if token is None or not token.user.is_active:
        raise AuthenticationFailed("This token is not valid, or it was revoked.")
    if token.expiry is not None and token.expiry <= now:
        detail = "This token has expired; make a new one on your tokens page."
        raise AuthenticationFailed(detail, code="token_expired")
    tokens.touch(token, now)
    return token.user, token
