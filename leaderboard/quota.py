"""The quota ledger: a slot is reserved, then consumed or given back with a reason.

The counters are what the database checks (`quota_within_limit`); the ledger lines say
why. Days are days in the phase's own time zone.
"""

from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.db.models import F

from leaderboard.models import Phase, QuotaCounter, QuotaEntry, Submission, Team
from leaderboard.refusals import Refused

Kind = QuotaEntry.Kind


@dataclass(frozen=True, kw_only=True)
class Remaining:
    today: int
    in_all: int


def day_of(phase: Phase, now: datetime) -> date:
    return now.astimezone(ZoneInfo(phase.time_zone)).date()


def remaining(team: Team, phase: Phase, now: datetime) -> Remaining:
    """How many submissions the team has left in the phase."""
    used = dict(
        QuotaCounter.objects.filter(team=team, phase=phase).values_list("day", "used")
    )
    today = phase.daily_quota - used.get(day_of(phase, now), 0)
    in_all = phase.total_quota - used.get(None, 0)
    return Remaining(today=max(0, min(today, in_all)), in_all=max(0, in_all))


def reserve(submission: Submission, now: datetime) -> None:
    """Take a slot, in the caller's transaction. Raises Refused when none is left."""
    phase, day = submission.phase, day_of(submission.phase, now)
    _count(submission, day, phase.daily_quota, f"{phase.daily_quota} submissions a day")
    _count(
        submission, None, phase.total_quota, f"{phase.total_quota} submissions in all"
    )
    _enter(submission, Kind.RESERVE, "submitted", day)


def require(team: Team, phase: Phase, now: datetime) -> None:
    """Raise Refused when no slot is left. `reserve` decides when requests race."""
    left = remaining(team, phase, now)
    if not left.in_all:
        raise _used_up(f"{phase.total_quota} submissions in all")
    if not left.today:
        raise _used_up(f"{phase.daily_quota} submissions a day")


def consume(submission: Submission, reason: str) -> None:
    """Make the reserved slot count for good."""
    if day := _reserved_day(submission):
        _enter(submission, Kind.CONSUME, reason, day)


def refund(submission: Submission, reason: str) -> None:
    """Give the slot back, once; nothing when none was reserved."""
    if (day := _reserved_day(submission)) is None:
        return
    _, is_new = QuotaEntry.objects.get_or_create(
        submission=submission, kind=Kind.REFUND, defaults={"reason": reason, "day": day}
    )
    if is_new:
        # An operator may have reset a counter: it must not stop what gives back.
        for counted in (day, None):
            QuotaCounter.objects.filter(
                team=submission.team, phase=submission.phase, day=counted, used__gt=0
            ).update(used=F("used") - 1)


def _count(submission: Submission, day: date | None, allowed: int, rule: str) -> None:
    counter, _ = QuotaCounter.objects.get_or_create(
        team=submission.team,
        phase=submission.phase,
        day=day,
        defaults={"allowed": allowed},
    )
    taken = QuotaCounter.objects.filter(pk=counter.pk, used__lt=allowed).update(
        used=F("used") + 1, allowed=allowed
    )
    if not taken:
        raise _used_up(rule)


def _enter(submission: Submission, kind: Kind, reason: str, day: date) -> None:
    QuotaEntry.objects.create(submission=submission, kind=kind, reason=reason, day=day)


def _used_up(rule: str) -> Refused:
    message = f"The quota is used up: this phase allows {rule}. "
    return Refused("quota_exceeded", message + "Rejected files do not count.")


def _reserved_day(submission: Submission) -> date | None:
    """The day of the slot, None for a submission that was not made by `submit`."""
    reserved = submission.quota_entries.filter(kind=Kind.RESERVE).first()
    return reserved.day if reserved else None
