"""A row that one worker at a time may hold. The row is the queue."""

from datetime import datetime
from typing import Any, Self, TypeVar

from django.db import models
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


def renew(claimed: Leased, until: datetime) -> bool:
    """Hold on to a row for longer; False when it has been taken over."""
    rows: LeasedQuerySet[Leased] = LeasedQuerySet(type(claimed))
    return bool(rows.held(claimed).update(lease_expires_at=until))


RELEASED: dict[str, object] = {"worker": "", "lease_expires_at": None}
FAILED: dict[str, object] = {**RELEASED, "failures": F("failures") + 1}
