"""Pages of those who are signed in are theirs alone."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control

Handler = Callable[[HttpRequest], HttpResponse]


def keep_private(handle: Handler) -> Handler:
    """Middleware: no cache between may keep a page, unless it says so itself.

    Asks the cookie, not the session: that would cost public answers a query.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        response = handle(request)
        is_said = response.has_header("Cache-Control")
        if settings.SESSION_COOKIE_NAME in request.COOKIES and not is_said:
            patch_cache_control(response, private=True, no_cache=True)
        return response

    return answer
