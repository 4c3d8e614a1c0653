"""Pages of lists, by a cursor that new rows do not shift."""

from typing import TypeVar

from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from rest_framework.exceptions import NotFound
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request
from rest_framework.views import APIView

M = TypeVar("M", bound=Model)
R = TypeVar("R")


class NewestFirst(CursorPagination):
    """Identifiers are UUIDs of version 7: they sort by time."""

    ordering = "-id"
    page_size, max_page_size = 50, 200
    page_size_query_param = "page_size"

    def paginate_queryset(
        self, queryset: QuerySet[M, R], request: Request, view: APIView | None = None
    ) -> list[R] | None:
        try:
            return super().paginate_queryset(queryset, request, view)
        except (ValidationError, ValueError) as error:  # a cursor that we never made
            raise NotFound(self.invalid_cursor_message) from error
