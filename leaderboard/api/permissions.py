"""Who may: a signed-in user may do what members do; a token what its scope says."""

from django.contrib.auth.models import User
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from leaderboard.models import ApiToken

READ, SUBMIT, HOST = ApiToken.Scope.READ, ApiToken.Scope.SUBMIT, ApiToken.Scope.HOST
SCOPES = (READ, SUBMIT, HOST)  # each includes those before it


class MayRead(BasePermission):
    """Signed in, or any token."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        return _may(request, READ)


class MaySubmit(BasePermission):
    """Signed in, or a token with the scope `submit` or `host`."""

    message = (
        "This needs a token with the scope `submit`; make one on your tokens page."
    )
    code = "insufficient_scope"

    def has_permission(self, request: Request, view: APIView) -> bool:
        return _may(request, SUBMIT)


def _may(request: Request, wanted: ApiToken.Scope) -> bool:
    if not isinstance(request.user, User):
        return False
    if isinstance(request.auth, ApiToken):
        return SCOPES.index(ApiToken.Scope(request.auth.scope)) >= SCOPES.index(wanted)
    return True
