"""Idempotency-Key: a retry never makes a second submission."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from leaderboard.models import IdempotencyKey, QuotaEntry, Submission
from tests.factories import make_user
from tests.leaderboard.api.doors import (
    address,
    anonymous,
    form,
    make_real_phase,
    predictions,
    token_text,
    upload,
    with_token,
)

pytestmark = pytest.mark.django_db


def test_the_same_key_and_content_give_the_same_submission() -> None:
    phase, client = make_real_phase(), with_token(make_user())
    answers = [
        client.post(
            address(phase, "/submissions"), form(), headers={"Idempotency-Key": "k1"}
        )
        for _ in range(3)
    ]
    assert [answer.status_code for answer in answers] == [202] * 3
    assert len({answer["Location"] for answer in answers}) == 1
    assert Submission.objects.count() == 1


@pytest.mark.parametrize(
    "other",
    [{"file": upload(predictions(right=1))}, {"method": "B"}, {"is_public": "false"}],
    ids=["file", "method", "visibility"],
)
def test_the_same_key_with_other_content_is_refused(other: dict[str, object]) -> None:
    phase, client = make_real_phase(), with_token(make_user())
    headers = {"Idempotency-Key": "k1"}
    client.post(address(phase, "/submissions"), form(), headers=headers)
    answer = client.post(address(phase, "/submissions"), form(**other), headers=headers)
    assert answer.status_code == 409
    assert answer.json()["code"] == "idempotency_mismatch"
    assert Submission.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_requests_at_the_same_time_with_one_key_make_one_submission() -> None:
    phase, text = make_real_phase(daily_quota=1), token_text(make_user())

    def send(_: int) -> tuple[int, str]:
        client = anonymous()
        client.credentials(HTTP_AUTHORIZATION=f"Token {text}")
        try:
            answer = client.post(
                address(phase, "/submissions"),
                form(),
                headers={"Idempotency-Key": "k1"},
            )
            return answer.status_code, answer["Location"]
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as threads:
        answers = set(threads.map(send, range(8)))
    assert len(answers) == 1
    assert answers.pop()[0] == 202
    assert Submission.objects.count() == QuotaEntry.objects.count() == 1


def test_a_key_is_forgotten_after_a_day() -> None:
    phase, client = make_real_phase(), with_token(make_user())
    headers = {"Idempotency-Key": "k1"}
    client.post(address(phase, "/submissions"), form(), headers=headers)
    IdempotencyKey.objects.update(created_at=timezone.now() - timedelta(hours=25))
    answer = client.post(
        address(phase, "/submissions"), form(method="B"), headers=headers
    )
    assert answer.status_code == 202
    assert Submission.objects.count() == 2


def test_a_key_belongs_to_its_team() -> None:
    phase, headers = make_real_phase(), {"Idempotency-Key": "k1"}
    for _ in range(2):
        answer = with_token(make_user()).post(
            address(phase, "/submissions"), form(), headers=headers
        )
        assert answer.status_code == 202
    assert Submission.objects.count() == 2


@pytest.mark.parametrize(
    "key", ["x" * 201, "tab\there", "ключ".encode().decode("latin1")]
)
def test_a_key_that_cannot_be_kept_is_refused(key: str) -> None:
    answer = with_token(make_user()).post(
        address(make_real_phase(), "/submissions"),
        form(),
        headers={"Idempotency-Key": key},
    )
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["path"] == "Idempotency-Key"
