"""Clients of the API, and a small test set that workers really check and score."""

import itertools
import json

from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from rest_framework.test import APIClient

from leaderboard import teams, testsets, tokens
from leaderboard.models import Phase, Team, TestSetVersion
from tests.factories import make_phase
from workers import tasks

SUBTYPES = ("O1-Snap", "O1-Delta", "E1-Action", "E2-Periodic")
QUESTIONS, POINTS = 4, 3

_number = itertools.count(1)


def anonymous() -> APIClient:
    return APIClient()


def with_session(user: User) -> APIClient:
    client = APIClient()
    client.force_login(user)
    return client


def with_token(
    user: User, scope: str = "submit", team: Team | None = None
) -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {token_text(user, scope, team)}")
    return client


def token_text(user: User, scope: str = "submit", team: Team | None = None) -> str:
    team = team or teams.personal_team(user)
    _, text = tokens.create(
        user=user, team=team, name=f"CI {next(_number)}", scope=scope, days=30
    )
    return text


def address(phase: Phase, end: str = "") -> str:
    return f"/api/v1/tracks/{phase.track.slug}/phases/{phase.slug}{end}"


def make_real_phase(**fields: object) -> Phase:
    """A phase whose test set went through a worker: its files can be checked."""
    phase = make_phase(**fields)
    version = testsets.upload(
        phase=phase,
        data=annotations(),
        file_name="vcbench_eval.jsonl",
        user=None,
        activate=True,
    )
    tasks.check_test_set()
    version.refresh_from_db()
    assert version.status == TestSetVersion.Status.ACTIVE, version.problems
    return phase


def work() -> None:
    """Do what workers would: check the file, score its (few) shards."""
    tasks.check()
    for _ in range(3):
        tasks.score()


def annotations() -> bytes:
    """Questions that count 1, 2, 3, in the suite's published format."""
    rows = [
        {
            "q_id": f"{question * POINTS + point:04}",
            "query_index": point,
            "id": f"{question:04}",
            "source_dataset": "made up",
            "video_path": f"video{question}.mp4",
            "question": "How many cups are there?",
            "counting_type": subtype[:2],
            "counting_subtype": subtype,
            "query_time": 10.0 * (point + 1),
            "count": point + 1,
        }
        for question, subtype in enumerate(SUBTYPES)
        for point in range(POINTS)
    ]
    return lines(rows)


def predictions(*, right: int = QUESTIONS) -> bytes:
    """Answers to every question, the first `right` of them right."""
    return lines(
        [
            {
                "q_id": f"{question * POINTS + point:04}",
                "prediction": point + 1 if question < right else 900 - point,
            }
            for question in range(QUESTIONS)
            for point in range(POINTS)
        ]
    )


def lines(rows: list[dict[str, object]]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def upload(data: bytes | None = None, name: str = "mine.jsonl") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, predictions() if data is None else data)


def form(**fields: object) -> dict[str, object]:
    """A submission's form; `file` and `method` may be replaced."""
    return {"file": upload(), "method": "A method", **fields}


MEMBERS = {"type", "title", "status", "code", "detail", "errors"}
ERROR_MEMBERS = {"code", "detail", "file", "line", "path"}


def problem(answer: HttpResponse, status: int, code: str) -> dict[str, object]:
    """The problem document, once it has the shape that all of them have."""
    assert answer.status_code == status
    assert answer["Content-Type"] == "application/problem+json"
    assert "no-store" in answer["Cache-Control"]
    body = json.loads(answer.content)
    assert body.keys() == MEMBERS
    assert (body["status"], body["code"]) == (status, code)
    assert body["type"] == f"urn:egoboard:problem:{code}"
    assert body["title"]
    assert body["detail"]
    assert all(error.keys() == ERROR_MEMBERS for error in body["errors"])
    return body
