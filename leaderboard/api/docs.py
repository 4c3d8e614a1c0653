"""The OpenAPI document, a page to browse it offline, and what is found nowhere."""

from csp.constants import NONE, SELF
from csp.decorators import csp_replace
from django.http import HttpResponse
from django.utils.decorators import method_decorator
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.exceptions import NotFound
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView


class SchemaView(SpectacularAPIView):
    """For everyone."""

    authentication_classes = []
    permission_classes = [AllowAny]


@method_decorator(
    csp_replace(
        {
            "default-src": [SELF],
            "img-src": [SELF, "data:"],  # Swagger's style sheet draws its icons so
            "object-src": [NONE],
            "base-uri": [NONE],
            "form-action": [NONE],
            "frame-ancestors": [NONE],
        }
    ),
    name="dispatch",
)
class DocsView(SpectacularSwaggerSplitView):
    """For everyone. All scripts and styles come from this host, none stand inline."""

    authentication_classes = []
    permission_classes = [AllowAny]
    url_name = "api:schema"
    template_name = "docs/api.html"


@extend_schema(exclude=True)
class NothingHere(APIView):
    """For everyone: any other address of the API, so that it too answers in JSON."""

    authentication_classes = []
    permission_classes = [AllowAny]

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        raise NotFound(
            "There is nothing at this address. Addresses are listed at /api/docs/; "
            "those of version 1 have no slash at the end."
        )

    def get(self, request: Request, **kwargs: str) -> HttpResponse:
        raise NotFound
