"""How often one may ask for what costs us: checking files, taking files in.

Counted per user in the default cache, so per process unless that cache is shared:
a brake against accidents and abuse, while the quota itself is kept by the database.
"""

from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.throttling import UserRateThrottle
from rest_framework.views import APIView


class OverLimit(Throttled):
    """A Throttled that says what the limit is."""

    def __init__(self, wait: float | None, rate: str) -> None:
        super().__init__(wait)
        self.headers = {
            "X-RateLimit-Limit": rate.partition("/")[0],
            "X-RateLimit-Remaining": "0",
            "X-RateLimit-Reset": str(int(wait or 0) + 1),
        }


class ValidateRate(UserRateThrottle):
    """Dry runs read whole files in the web process."""

    scope, rate = "validate", "30/min"

    def allow_request(self, request: Request, view: APIView) -> bool:
        if super().allow_request(request, view):
            return True
        raise OverLimit(self.wait(), self.rate)


class SubmitRate(UserRateThrottle):
    """Far above any quota: only loops gone wild meet it."""

    scope, rate = "submit", "60/min"

    def allow_request(self, request: Request, view: APIView) -> bool:
        if super().allow_request(request, view):
            return True
        raise OverLimit(self.wait(), self.rate)
