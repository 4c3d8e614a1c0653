"""API tokens: whose they are, what they may do, what is kept of them."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from leaderboard import tokens
from leaderboard.models import ApiToken, AuditEvent
from leaderboard.refusals import Refused
from tests import factories

pytestmark = pytest.mark.django_db


def create(user: User, **given: object) -> tuple[ApiToken, str]:
    team = given.pop("team", None) or factories.make_team(user)
    wanted = {"name": "ci", "scope": "submit", "days": 30, **given}
    return tokens.create(user=user, team=team, **wanted)


def test_a_token_s_text_is_never_stored() -> None:
    _, text = create(factories.make_user())
    assert text.startswith("ego_")
    kept = str(ApiToken.objects.values().get())
    assert text not in kept
    assert text.removeprefix("ego_") not in kept


def test_a_form_that_is_sent_twice_makes_one_token() -> None:
    user = factories.make_user()
    create(user, name="ci")
    with pytest.raises(Refused) as refused:
        create(user, name="ci")
    assert refused.value.code == "token_name_taken"
    assert ApiToken.objects.count() == 1
    assert AuditEvent.objects.filter(action="create-token").count() == 1


def test_a_token_expires_when_it_should() -> None:
    token, _ = create(factories.make_user(), days=7)
    left = token.expiry - timezone.now()
    assert timedelta(days=6, hours=23) < left <= timedelta(days=7)


def test_a_token_is_bound_to_a_team_of_its_user() -> None:
    with pytest.raises(Refused) as refused:
        create(factories.make_user(), team=factories.make_team())
    assert refused.value.code == "not_a_member"
    assert not ApiToken.objects.exists()


def test_only_staff_make_tokens_that_manage_test_sets() -> None:
    with pytest.raises(Refused) as refused:
        create(factories.make_user(), scope="host")
    assert refused.value.code == "not_staff"
    assert not ApiToken.objects.exists()
    create(factories.make_user(is_staff=True), scope="host")
    assert ApiToken.objects.get().scope == "host"


def test_a_revoked_token_is_gone_and_remembered() -> None:
    user = factories.make_user()
    token, text = create(user)
    tokens.revoke(token, user)
    assert not ApiToken.objects.exists()
    made, revoked = AuditEvent.objects.order_by("pk")
    assert (made.action, revoked.action) == ("create-token", "revoke-token")
    assert revoked.actor == user.username
    assert text not in str(list(AuditEvent.objects.values()))


def test_last_use_is_noted_to_the_minute() -> None:
    token, _ = create(factories.make_user())
    now = timezone.now()
    for seconds, noted in [(0, 0), (59, 0), (61, 61)]:
        tokens.touch(token, now + timedelta(seconds=seconds))
        token.refresh_from_db()
        assert token.last_used_at == now + timedelta(seconds=noted)
