"""ETags, so that asking again for what has not changed costs almost nothing."""

import hashlib
from typing import cast

from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

# Decorators of whole views, for `method_decorator(..., name="dispatch")`.
PUBLIC = [conditional_page, cache_control(public=True, max_age=30)]
PRIVATE = [conditional_page, cache_control(private=True, no_cache=True)]


def etag_of(data: object) -> str:
    """A strong ETag of what would be answered."""
    body = cast(bytes, JSONRenderer().render(data))
    return f'"{hashlib.sha256(body).hexdigest()[:32]}"'


def is_known(request: Request, etag: str) -> bool:
    """Whether the asker has this already, or did not say what it has."""
    known = request.headers.get("If-None-Match", "")
    return not known or etag in known or etag.strip('"') in known


def tagged(data: object, headers: dict[str, str]) -> Response:
    """An answer whose ETag is that of its data, whatever the renderer does."""
    return Response(data, headers={"ETag": etag_of(data), **headers})
