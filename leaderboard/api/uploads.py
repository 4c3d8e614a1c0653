"""Taking a file in: bounds before it is read, keys that make a retry safe."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils import timezone
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from leaderboard import quota
from leaderboard.models import Phase, Team
from leaderboard.refusals import Refused

MIB = 1024 * 1024
FIELDS_MIB = 1  # room for the other fields of a form
KEY_HEADER = "Idempotency-Key"


class QuotaExceeded(Refused):
    """A quota refusal that knows when the next slot comes."""

    def __init__(self, refusal: Refused, wait: timedelta | None) -> None:
        super().__init__(refusal.code, refusal.message)
        seconds = str(int(wait.total_seconds()) + 1) if wait else ""
        self.headers = {"Retry-After": seconds}


def refuse_unread(request: Request) -> None:
    """Raises Refused for a form that announces more than the site takes."""
    announced = str(request.META.get("CONTENT_LENGTH") or "")
    refuse_larger(int(announced if announced.isdecimal() else 0) - FIELDS_MIB * MIB)


def refuse_larger(size: int) -> None:
    """Raises Refused for more than the site takes."""
    if size > settings.MAX_UPLOAD_MIB * MIB:
        limit = f"{settings.MAX_UPLOAD_MIB} MiB"
        raise Refused("too_large", f"A file may have {limit} at most; compress it.")


def idempotency_key(request: Request) -> str:
    """The header, "" without one. Raises ValidationError when it cannot be kept."""
    key = request.headers.get(KEY_HEADER, "").strip()
    if key and not re.fullmatch(r"[\x20-\x7e]{1,200}", key):
        detail = "must be 1 to 200 plain ASCII characters, such as a UUID"
        raise ValidationError({KEY_HEADER: [detail]})
    return key


@contextmanager
def telling_when(phase: Phase, team: Team) -> Iterator[None]:
    """Add to a quota refusal how long until the phase's next day begins."""
    try:
        yield
    except Refused as refusal:
        if refusal.code != "quota_exceeded":
            raise
        now = timezone.now()
        is_daily = quota.remaining(team, phase, now).in_all > 0
        wait = next_day(phase, now) - now if is_daily else None
        raise QuotaExceeded(refusal, wait) from refusal


def next_day(phase: Phase, now: datetime) -> datetime:
    """The next midnight where the phase's days are counted, in UTC."""
    tomorrow = quota.day_of(phase, now) + timedelta(days=1)
    midnight = datetime.combine(tomorrow, time.min, ZoneInfo(phase.time_zone))
    return midnight.astimezone(UTC)
