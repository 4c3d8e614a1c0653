"""A row that one worker at a time may hold. The row is the queue."""

from datetime import datetime, timedelta
from typing import Any, Self, TypeVar

from django.conf import settings
from django.db import connection, models
from django.db.models import F, Q

L = TypeVar("L", bound="Leased")


class LeasedQuerySet(models.QuerySet[L]):
    """Rows by who may, or does, work on them."""

    def runnable(self, now: datetime) -> Self:
        return self.filter(status__in=self.model.WAITING, runnable_at__lte=now)

    def expired(self, now: datetime) -> Self:
        return self.filter(status=self.model.HELD, lease_expires_at__lt=now)

    def held(self, claimed: Any) -> Self:
        """The claimed row, unless another worker has taken it over (the fence)."""
        return self.filter(
            pk=claimed.pk, status=self.model.HELD, attempt=claimed.attempt
        )


class Leased(models.Model):
    """Lease columns. `attempt` is the fence and only grows; `failures` is capped."""

    WAITING: tuple[str, ...]
    HELD: str

    attempt = models.PositiveIntegerField(default=0)
    failures = models.PositiveSmallIntegerField(default=0)
    worker = models.CharField(max_length=120, blank=True)
    runnable_at = models.DateTimeField(db_index=True)
    lease_expires_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    @classmethod
    def lease_constraint(cls, held: str, name: str) -> models.CheckConstraint:
        """Held exactly when there is a lease."""
        return models.CheckConstraint(
            condition=Q(status=held, lease_expires_at__isnull=False)
            | (~Q(status=held) & Q(lease_expires_at__isnull=True)),
            name=name,
            violation_error_message="A lease belongs to held rows, and only to them.",
            violation_error_code=name,
        )


def take(rows: models.QuerySet[L], *, worker: str, until: datetime) -> L | None:
    """Lock and hold the first free row of `rows`; call it in a transaction."""
    row = rows.select_for_update(skip_locked=True, of=("self",)).first()
    if row is None:
        return None
    row.status = row.HELD  # type: ignore[attr-defined]
    row.worker, row.lease_expires_at = worker, until
    row.attempt += 1
    row.save(update_fields=["status", "worker", "lease_expires_at", "attempt"])
    return row


def renew(claimed: Leased) -> bool:
    """Hold on to a row for longer; False when it has been taken over."""
    rows: LeasedQuerySet[Leased] = LeasedQuerySet(type(claimed))
    return bool(rows.held(claimed).update(lease_expires_at=lease_end(clock())))


def take_over(lost: Leased, now: datetime) -> bool:
    """Hold an expired row instead of a lost worker, to give it up in its place.

    False when the worker was only slow and has renewed its lease since we looked.
    """
    rows: LeasedQuerySet[Leased] = LeasedQuerySet(type(lost))
    ours = rows.held(lost).expired(now)
    taken = ours.update(attempt=F("attempt") + 1, lease_expires_at=lease_end(now))
    lost.attempt += taken
    return bool(taken)


def lease_end(now: datetime) -> datetime:
    return now + timedelta(seconds=settings.LEASE_SECONDS)


def clock() -> datetime:
    """The database's time: leases are judged by one clock, whatever the hosts' say."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        now: datetime = cursor.fetchone()[0]
    return now


RELEASED: dict[str, object] = {"worker": "", "lease_expires_at": None}
FAILED: dict[str, object] = {**RELEASED, "failures": F("failures") + 1}
