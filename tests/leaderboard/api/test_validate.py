"""POST …/validate: a dry run that costs nothing and keeps nothing."""

from pathlib import Path

import pytest
from django.conf import settings as site

from evaluation.problems import MAX_LISTED
from leaderboard.models import QuotaCounter, Submission
from tests.factories import make_phase, make_user
from tests.leaderboard.api.doors import (
    POINTS,
    QUESTIONS,
    address,
    form,
    lines,
    make_real_phase,
    upload,
    with_token,
    work,
)

pytestmark = pytest.mark.django_db


def test_a_sound_file_is_told_what_it_covers() -> None:
    answer = with_token(make_user(), "read").post(
        address(make_real_phase(), "/validate"), {"file": upload()}
    )
    assert answer.status_code == 200
    body = answer.json()
    assert body["is_valid"] is True
    assert (body["problem_count"], body["errors"]) == (0, [])
    assert body["coverage"]["expected"] == body["coverage"]["answered"]
    assert body["coverage"]["expected"] == QUESTIONS * POINTS


def test_every_problem_is_listed_with_its_place() -> None:
    rows = [{"q_id": "0000", "prediction": 1}, {"q_id": "nowhere", "prediction": 1}]
    answer = with_token(make_user()).post(
        address(make_real_phase(), "/validate"), {"file": upload(lines(rows))}
    )
    assert answer.status_code == 200
    body = answer.json()
    assert body["is_valid"] is False
    assert body["coverage"] is None
    assert body["problem_count"] == 1
    (error,) = body["errors"]
    assert (error["file"], error["line"]) == ("mine.jsonl", 2)
    assert "nowhere" in error["detail"]


def test_of_many_problems_the_first_are_listed_and_all_are_counted() -> None:
    rows = [
        {"q_id": f"no{number}", "prediction": 1} for number in range(MAX_LISTED + 50)
    ]
    answer = with_token(make_user()).post(
        address(make_real_phase(), "/validate"), {"file": upload(lines(rows))}
    )
    body = answer.json()
    assert body["problem_count"] == MAX_LISTED + 50
    assert len(body["errors"]) == MAX_LISTED


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xfe", b"\x00" * 50, b"PK\x03\x04junk", b"\x1f\x8bjunk", b"[1]"]
)
def test_hostile_bytes_are_the_files_fault(data: bytes) -> None:
    answer = with_token(make_user()).post(
        address(make_real_phase(), "/validate"), {"file": upload(data)}
    )
    assert answer.status_code == 200
    assert answer.json()["is_valid"] is False


def test_nothing_is_kept_and_nothing_is_counted() -> None:
    phase, kept = make_real_phase(), _files()
    with_token(make_user()).post(address(phase, "/validate"), {"file": upload()})
    assert not Submission.objects.exists()
    assert not QuotaCounter.objects.exists()
    assert _files() == kept


def test_a_phase_without_a_test_set_cannot_check() -> None:
    answer = with_token(make_user()).post(
        address(make_phase(), "/validate"), {"file": upload()}
    )
    assert (answer.status_code, answer.json()["code"]) == (409, "no_test_set")


def test_a_submission_of_the_file_is_told_the_same() -> None:
    phase, client = make_real_phase(), with_token(make_user())
    partly = upload(lines([{"q_id": "0000", "prediction": 1}]))
    told = client.post(address(phase, "/validate"), {"file": partly}).json()
    partly.seek(0)
    where = client.post(address(phase, "/submissions"), form(file=partly))["Location"]
    work()
    submission = client.get(where).json()
    assert submission["status"] == "accepted"
    assert submission["coverage"] == told["coverage"]
    assert submission["notices"] == told["notices"]


def _files() -> set[Path]:
    return {path for path in Path(site.FILES_ROOT).rglob("*") if path.is_file()}
