"""POST …/submissions: taken in at once, once, and by the rules."""

from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone
from pytest_django.fixtures import Settings

from leaderboard.models import Submission
from tests.factories import make_phase, make_submission, make_team, make_user
from tests.leaderboard.api.doors import (
    address,
    form,
    make_real_phase,
    upload,
    with_session,
    with_token,
)

pytestmark = pytest.mark.django_db


def test_a_file_is_taken_in_and_can_be_followed() -> None:
    phase, user = make_real_phase(), make_user()
    client = with_token(user)
    answer = client.post(
        address(phase, "/submissions"),
        form(description="How", url="https://example.org/me", is_public="false"),
    )
    assert answer.status_code == 202
    assert answer["Retry-After"] == "1"
    body = answer.json()
    assert body["status"] == "received"
    assert body["is_final"] is False
    assert body["queue_place"] == 1
    made = Submission.objects.get(pk=body["id"])
    assert (made.method, made.description, made.is_public) == ("A method", "How", False)
    assert (made.team.personal_of, made.created_by) == (user, user)
    assert answer["Location"] == f"http://testserver/api/v1/submissions/{made.pk}"
    followed = client.get(answer["Location"])
    assert followed.status_code == 200
    assert followed.json() == body


def test_a_submission_is_public_unless_it_says_otherwise() -> None:
    answer = with_token(make_user()).post(
        address(make_real_phase(), "/submissions"), form()
    )
    assert answer.json()["is_public"] is True


def test_a_used_up_daily_quota_says_when_the_next_day_begins() -> None:
    phase = make_real_phase(daily_quota=1, time_zone="Asia/Shanghai")
    client = with_token(make_user())
    client.post(address(phase, "/submissions"), form())
    answer = client.post(address(phase, "/submissions"), form(method="B"))
    assert answer.status_code == 429
    assert answer.json()["code"] == "quota_exceeded"
    now = timezone.now()
    midnight = now.replace(hour=16, minute=0, second=0, microsecond=0)  # 0:00 there
    if midnight <= now:
        midnight += timedelta(days=1)
    left = (midnight - now).total_seconds()
    assert abs(int(answer["Retry-After"]) - left) <= 5


def test_a_used_up_total_quota_promises_no_other_day() -> None:
    phase, client = make_real_phase(total_quota=1), with_token(make_user())
    client.post(address(phase, "/submissions"), form())
    answer = client.post(address(phase, "/submissions"), form(method="B"))
    assert answer.status_code == 429
    assert "Retry-After" not in answer


def test_a_closed_phase_takes_nothing() -> None:
    phase = make_real_phase(closes_at=timezone.now() - timedelta(hours=1))
    answer = with_token(make_user()).post(address(phase, "/submissions"), form())
    assert (answer.status_code, answer.json()["code"]) == (403, "phase_closed")
    assert not Submission.objects.exists()


def test_a_phase_without_a_test_set_takes_nothing() -> None:
    answer = with_token(make_user()).post(address(make_phase(), "/submissions"), form())
    assert (answer.status_code, answer.json()["code"]) == (409, "no_test_set")


def test_a_file_over_the_limit_is_refused(settings: Settings) -> None:
    settings.MAX_UPLOAD_MIB = 0
    answer = with_token(make_user()).post(
        address(make_real_phase(), "/submissions"), form()
    )
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


def test_a_form_that_announces_too_much_is_not_read(settings: Settings) -> None:
    settings.MAX_UPLOAD_MIB = 0
    large = SimpleUploadedFile("a.jsonl", b"x" * (1024 * 1024 + 1))
    answer = with_token(make_user()).post(
        address(make_real_phase(), "/submissions"), form(file=large, method="")
    )  # the empty method would be found first, were the form read
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


def test_a_session_can_name_a_team_of_its_user() -> None:
    user = make_user()
    team = make_team(user)
    answer = with_session(user).post(
        address(make_real_phase(), "/submissions"), form(team=str(team.pk))
    )
    assert answer.status_code == 202
    assert answer.json()["team"] == team.name


def test_nobody_submits_for_another_team() -> None:
    team = make_team(make_user())
    phase, user = make_real_phase(), make_user()
    for client in (with_session(user), with_token(user)):
        answer = client.post(address(phase, "/submissions"), form(team=str(team.pk)))
        assert (answer.status_code, answer.json()["code"]) == (403, "not_a_member")
    assert not Submission.objects.exists()


def test_a_token_submits_for_its_own_team_only() -> None:
    user = make_user()
    mine, other = make_team(user), make_team(user)
    phase, client = make_real_phase(), with_token(user, team=mine)
    assert (
        client.post(address(phase, "/submissions"), form()).json()["team"] == mine.name
    )
    answer = client.post(address(phase, "/submissions"), form(team=str(other.pk)))
    assert (answer.status_code, answer.json()["code"]) == (403, "not_a_member")


def test_a_token_of_someone_who_left_the_team_is_of_no_use() -> None:
    user = make_user()
    team = make_team(user)
    client, phase = with_token(user, team=team), make_real_phase()
    submission = make_submission(phase, user=user, team=team)
    team.memberships.filter(user=user).delete()
    answer = client.post(address(phase, "/submissions"), form())
    assert (answer.status_code, answer.json()["code"]) == (403, "not_a_member")
    assert client.get(f"/api/v1/submissions/{submission.pk}").status_code == 404
    assert client.get("/api/v1/submissions").json()["results"] == []


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("method", ""),
        ("method", "x" * 121),
        ("method", "nul\0byte"),
        ("description", "x" * 4001),
        ("url", "javascript:alert(1)"),
        ("team", "not a UUID"),
        ("is_public", "perhaps"),
        ("file", "not a file"),
    ],
)
def test_what_does_not_fit_a_field_is_named(field: str, value: str) -> None:
    answer = with_token(make_user()).post(
        address(make_real_phase(), "/submissions"), form(**{field: value})
    )
    assert answer.status_code == 400
    assert [error["path"] for error in answer.json()["errors"]] == [field]
    assert not Submission.objects.exists()


def test_an_empty_file_is_rejected_by_its_check_not_by_the_form() -> None:
    answer = with_token(make_user()).post(
        address(make_real_phase(), "/submissions"), form(file=upload(b""))
    )
    assert answer.status_code == 202
