"""Who did what, when. Rows are only ever added; the database refuses the rest."""

from django.db import models


class AuditEvent(models.Model):
    """`actor` and `subject` are plain text, so that they outlive what they name."""

    at = models.DateTimeField(auto_now_add=True)
    actor = models.CharField(max_length=150)  # a user name, or "system"
    action = models.CharField(max_length=60)
    subject = models.CharField(max_length=120)  # like "submission 0193…"
    details = models.JSONField(default=dict)

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["subject"])]

    def __str__(self) -> str:
        return f"{self.actor} {self.action} {self.subject}"
