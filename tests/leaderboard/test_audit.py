"""The record of who did what. That it only grows is tested with the constraints."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import transaction

from leaderboard import audit
from leaderboard.models import AuditEvent
from tests import factories

pytestmark = pytest.mark.django_db


def test_an_event_names_actor_deed_and_subject() -> None:
    user, team = factories.make_user("ada"), factories.make_team()
    audit.record(user, "rename", team, before="x")
    event = AuditEvent.objects.get()
    assert (event.actor, event.action) == ("ada", "rename")
    assert event.subject == f"team {team.pk}"
    assert event.details == {"before": "x"}


@pytest.mark.parametrize(
    ("actor", "name"),
    [(None, "system"), (AnonymousUser(), "")],
    ids=["system", "nobody"],
)
def test_what_no_user_did_is_told_apart(actor: AnonymousUser | None, name: str) -> None:
    audit.record(actor, "sweep", factories.make_team())
    assert AuditEvent.objects.get().actor == name


def test_an_event_stands_or_falls_with_its_deed() -> None:
    with transaction.atomic():
        audit.record(None, "undone", factories.make_team())
        transaction.set_rollback(True)
    assert not AuditEvent.objects.exists()


def test_an_event_outlives_its_actor() -> None:
    user = factories.make_user("ada")
    audit.record(user, "join", user)
    user.delete()
    assert AuditEvent.objects.get().actor == "ada"
