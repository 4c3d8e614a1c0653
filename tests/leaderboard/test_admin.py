"""The admin shows the tables, changes none, and hides what is sealed."""

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from leaderboard import audit, quota
from leaderboard.models import ApiToken
from tests.factories import (
    make_baseline,
    make_evaluation,
    make_judge,
    make_published,
    make_scored,
    make_submission,
    make_user,
)

pytestmark = pytest.mark.django_db

OURS = [
    model for model in admin.site._registry if model._meta.app_label == "leaderboard"
]
HIDDEN = ("sealed_file", "sealed_artifact", "table", "rows", "file_key")


@pytest.fixture
def staff(client: Client, settings: Settings):
    settings.STATIC_ROOT.mkdir(exist_ok=True)  # or WhiteNoise warns
    user = make_user(is_staff=True)
    user.is_superuser = True
    user.save()
    client.force_login(user)
    return user


@pytest.fixture
def everything(staff):
    evaluation = make_scored()
    make_evaluation(make_submission(evaluation.submission.phase, user=staff))
    make_baseline(evaluation.test_set)
    make_published(evaluation.submission.phase.track)
    quota.reserve(evaluation.submission, timezone.now())
    make_judge()
    audit.record(staff, "look", evaluation.submission)


@pytest.mark.parametrize("model", OURS, ids=lambda model: model.__name__)
def test_every_table_can_be_looked_at_and_not_changed(
    client: Client, everything, model
):
    prefix = f"admin:leaderboard_{model._meta.model_name}"
    assert client.get(reverse(f"{prefix}_changelist")).status_code == 200
    assert client.get(reverse(f"{prefix}_add")).status_code == 403
    row = model.objects.first()
    assert row is not None
    page = client.get(reverse(f"{prefix}_change", args=[row.pk]))
    assert page.status_code == 200
    assert 'name="_save"' not in page.content.decode()
    for column in HIDDEN:
        assert f"field-{column}" not in page.content.decode()
        value = getattr(row, column, None)
        assert not isinstance(value, str) or value not in page.content.decode()
    assert client.post(reverse(f"{prefix}_delete", args=[row.pk])).status_code == 403


def test_the_admin_is_for_staff(client: Client):
    client.force_login(make_user())
    assert client.get("/admin/").status_code == 302


def test_api_tokens_have_no_page_there():
    assert not admin.site.is_registered(ApiToken)
