"""CSV as a choice in content negotiation; the text itself is made in exports.py."""

from rest_framework.renderers import BaseRenderer


class CSVRenderer(BaseRenderer):
    media_type, format, charset = "text/csv", "csv", "utf-8"

    def render(
        self,
        data: object,
        accepted_media_type: str | None = None,
        renderer_context: object = None,
    ) -> bytes:
        return str(data or "").encode()
