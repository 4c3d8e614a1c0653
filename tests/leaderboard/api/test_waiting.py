"""?wait: a question is held open until something moves, within bounds."""

import threading
import time

import pytest
from django.db import connection

from leaderboard.api import waiting
from leaderboard.models import Submission
from tests.factories import (
    make_scored,
    make_submission,
    make_test_set,
    make_user,
)
from tests.leaderboard.api.doors import (
    with_session,
)

pytestmark = pytest.mark.django_db
LIST = "/api/v1/submissions"


def at(submission: Submission, end: str = "") -> str:
    return f"{LIST}/{submission.pk}{end}"


def test_waiting_ends_when_the_submission_moves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    user = make_user()
    submission, pauses = make_submission(user=user), []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 3:
            Submission.objects.update(status="rejected", problem_count=1)

    monkeypatch.setattr(waiting.time, "sleep", pause)
    body = with_session(user).get(at(submission, "?wait=30")).json()
    assert body["status"] == "rejected"
    assert pauses == [waiting.PAUSE_SECONDS] * 3


def test_waiting_ends_with_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr(waiting.time, "monotonic", lambda: clock[0])

    def pause(seconds: float) -> None:
        clock[0] += max(seconds, 0.001)

    monkeypatch.setattr(waiting.time, "sleep", pause)
    user = make_user()
    submission = make_submission(user=user)
    client = with_session(user)
    etag = client.get(at(submission))["ETag"]
    answer = client.get(at(submission, "?wait=5"), headers={"If-None-Match": etag})
    assert answer.status_code == 304
    assert 5 <= clock[0] < 6


def test_nobody_waits_for_what_is_final_or_has_changed_already(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def never(seconds: float) -> None:
        raise AssertionError("it waited")

    monkeypatch.setattr(waiting.time, "sleep", never)
    user = make_user()
    client = with_session(user)
    scored = make_scored(test_set=make_test_set(), user=user).submission
    assert client.get(at(scored, "?wait=30")).status_code == 200
    open_still = make_submission(user=user)
    answer = client.get(at(open_still, "?wait=30"), headers={"If-None-Match": '"old"'})
    assert answer.status_code == 200


def test_only_so_many_wait_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "_seats", threading.BoundedSemaphore(1))
    user = make_user()
    submission = make_submission(user=user)
    waiting._seats.acquire()
    started = time.monotonic()
    assert with_session(user).get(at(submission, "?wait=30")).status_code == 200
    assert time.monotonic() - started < 20
    waiting._seats.release()


@pytest.mark.django_db(transaction=True)
def test_while_it_waits_no_connection_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    held: list[object] = []

    def pause(seconds: float) -> None:
        held.append(connection.connection)
        Submission.objects.update(status="rejected", problem_count=1)

    monkeypatch.setattr(waiting.time, "sleep", pause)
    user = make_user()
    submission = make_submission(user=user)
    with_session(user).get(at(submission, "?wait=30"))
    assert held == [None]


@pytest.mark.parametrize("wait", ["31", "-1", "x", "1e3"])
def test_a_wait_is_half_a_minute_at_most(wait: str) -> None:
    user = make_user()
    answer = with_session(user).get(at(make_submission(user=user), f"?wait={wait}"))
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")
