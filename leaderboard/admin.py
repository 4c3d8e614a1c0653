"""The admin is for looking. Changes go through the verbs, on pages and in the API.

Sealed test sets and packed result tables are never shown, and API tokens have no page
at all: their digest would stand in its address.
"""

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from leaderboard import models


class LookingOnly(admin.ModelAdmin):  # type: ignore[type-arg]
    """Lists and details of a table, none of which can be changed here."""

    def get_fields(  # type: ignore[override]
        self, request: HttpRequest, obj: Model | None = None
    ) -> list[str]:
        hidden = self.exclude or ()
        fields = self.model._meta.concrete_fields
        return [field.name for field in fields if field.name not in hidden]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(
        self, request: HttpRequest, obj: Model | None = None
    ) -> bool:
        return False

    def has_delete_permission(
        self, request: HttpRequest, obj: Model | None = None
    ) -> bool:
        return False


class Flagged(admin.SimpleListFilter):
    """Submissions that staff should look at."""

    title, parameter_name = "flagged", "flagged"

    def lookups(
        self, request: HttpRequest, model_admin: "admin.ModelAdmin[Model]"
    ) -> list[tuple[str, str]]:
        return [("yes", "Yes"), ("no", "No")]

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[Model]
    ) -> QuerySet[Model]:
        if self.value() == "yes":
            return queryset.exclude(flags=[])
        return queryset.filter(flags=[]) if self.value() == "no" else queryset


@admin.register(models.Track)
class TrackAdmin(LookingOnly):
    list_display = ["title", "slug", "suite", "headline", "is_listed"]


@admin.register(models.Phase)
class PhaseAdmin(LookingOnly):
    list_display = ["track", "slug", "opens_at", "closes_at", "visibility", "feedback"]
    list_filter = ["track", "visibility"]
    list_select_related = ["track"]


@admin.register(models.TestSetVersion)
class TestSetVersionAdmin(LookingOnly):
    list_display = ["phase", "number", "status", "instance_count", "created_at"]
    list_filter = ["status", "phase"]
    list_select_related = ["phase__track"]
    exclude = ["sealed_file", "sealed_artifact"]


@admin.register(models.JudgeProfile)
class JudgeProfileAdmin(LookingOnly):
    list_display = ["title", "judge_id", "is_comparable", "agreement"]


@admin.register(models.Submission)
class SubmissionAdmin(LookingOnly):
    list_display = ["method", "team", "phase", "status", "created_at", "is_public"]
    list_filter = ["status", "phase", Flagged]
    list_select_related = ["team", "phase__track"]
    search_fields = ["method", "team__name", "file_sha256"]
    exclude = ["file_key"]


@admin.register(models.Evaluation)
class EvaluationAdmin(LookingOnly):
    list_display = ["submission", "test_set", "status", "queued_at", "finished_at"]
    list_filter = ["status", "protocol"]
    list_select_related = ["submission__team", "test_set__phase__track"]
    search_fields = ["submission__method"]
    exclude = ["table"]


@admin.register(models.Shard)
class ShardAdmin(LookingOnly):
    list_display = ["evaluation", "number", "status", "worker", "failures"]
    list_filter = ["status"]
    list_select_related = [
        "evaluation__submission__team",
        "evaluation__test_set__phase__track",
    ]
    exclude = ["rows"]


@admin.register(models.Team)
class TeamAdmin(LookingOnly):
    list_display = ["name", "personal_of", "created_at"]
    search_fields = ["name"]


@admin.register(models.Membership)
class MembershipAdmin(LookingOnly):
    list_display = ["team", "user", "joined_at"]
    list_select_related = ["team", "user"]


@admin.register(models.PublishedResult)
class PublishedResultAdmin(LookingOnly):
    list_display = ["method", "track", "source"]
    list_filter = ["track"]
    list_select_related = ["track"]


@admin.register(models.Baseline)
class BaselineAdmin(LookingOnly):
    list_display = ["label", "test_set"]
    list_select_related = ["test_set__phase__track"]


@admin.register(models.QuotaEntry)
class QuotaEntryAdmin(LookingOnly):
    list_display = ["submission", "kind", "reason", "day", "created_at"]
    list_filter = ["kind"]
    list_select_related = ["submission__team"]


@admin.register(models.AuditEvent)
class AuditEventAdmin(LookingOnly):
    list_display = ["at", "actor", "action", "subject"]
    list_filter = ["action"]
    search_fields = ["actor", "subject"]
