"""Submissions of one's teams: state, waiting, scores, instances, changes."""

from uuid import uuid4

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from leaderboard import evaluations
from leaderboard.models import AuditEvent, Evaluation, Submission
from tests.factories import (
    make_accepted,
    make_evaluation,
    make_scored,
    make_submission,
    make_team,
    make_test_set,
    make_user,
)
from tests.leaderboard.api.doors import (
    address,
    form,
    lines,
    make_real_phase,
    upload,
    with_session,
    with_token,
    work,
)

pytestmark = pytest.mark.django_db
LIST = "/api/v1/submissions"


def at(submission: Submission, end: str = "") -> str:
    return f"{LIST}/{submission.pk}{end}"


def test_the_list_has_the_teams_submissions_newest_first() -> None:
    user = make_user()
    first = make_scored(test_set=make_test_set(), user=user).submission
    second = make_submission(user=user)
    make_submission(user=make_user())
    for client in (with_session(user), with_token(user, "read")):
        results = client.get(LIST).json()["results"]
        assert [one["id"] for one in results] == [str(second.pk), str(first.pk)]
        assert [one["is_final"] for one in results] == [False, True]
        assert results[1]["evaluation"]["status"] == "scored"


def test_a_session_sees_all_teams_and_a_token_its_own() -> None:
    user = make_user()
    mine, other = make_team(user), make_team(user)
    for team in (mine, other):
        make_submission(user=user, team=team)
    assert len(with_session(user).get(LIST).json()["results"]) == 2
    (one,) = with_token(user, team=mine).get(LIST).json()["results"]
    assert one["team"] == mine.name


def test_pages_are_not_shifted_by_what_comes_in() -> None:
    user = make_user()
    phase = make_test_set().phase
    made = [make_submission(phase, user=user) for _ in range(5)]
    client = with_session(user)
    page = client.get(f"{LIST}?page_size=2").json()
    seen = [one["id"] for one in page["results"]]
    make_submission(phase, user=user)
    while page["next"]:
        page = client.get(page["next"]).json()
        seen += [one["id"] for one in page["results"]]
    assert seen == [str(one.pk) for one in reversed(made)]


@pytest.mark.parametrize("cursor", ["x", "cD1hYmM=", "cD0lMDA=", "cj1hJm89Yg=="])
def test_a_cursor_that_we_never_made_is_not_found(cursor: str) -> None:
    answer = with_session(make_user()).get(f"{LIST}?cursor={cursor}")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_a_list_costs_the_same_however_long_it_is(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    user, test_set = make_user(), make_test_set()
    for _ in range(4):
        make_scored(test_set=test_set, user=user)
        make_evaluation(make_accepted(test_set.phase, user=user))
    client = with_session(user)
    with django_assert_num_queries(4):  # session, user, submissions, evaluations
        assert len(client.get(LIST).json()["results"]) == 8


def test_the_submissions_of_others_are_not_there() -> None:
    theirs = make_scored(test_set=make_test_set()).submission
    client = with_session(make_user(is_staff=True))
    for end in ("", "/scores", "/instances"):
        assert client.get(at(theirs, end)).status_code == 404
    for end in ("/withdraw", "/publish"):
        assert client.post(at(theirs, end), {"is_public": False}).status_code == 404
    assert client.get(f"{LIST}/{uuid4()}").status_code == 404
    theirs.refresh_from_db()
    assert (theirs.status, theirs.is_public) == ("accepted", True)


def test_a_rejected_file_is_told_what_is_wrong_with_it() -> None:
    client = with_token(make_user())
    wrong = upload(lines([{"q_id": "0000", "prediction": 1}, {"q_id": "x"}]))
    where = client.post(address(make_real_phase(), "/submissions"), form(file=wrong))[
        "Location"
    ]
    work()
    answer = client.get(where)
    body = answer.json()
    assert (body["status"], body["is_final"]) == ("rejected", True)
    assert body["problem_count"] == len(body["problems"]) > 0
    assert {problem["line"] for problem in body["problems"]} == {2}
    assert "Retry-After" not in answer


def test_a_submission_in_the_queue_tells_its_place_and_its_shards() -> None:
    user, test_set = make_user(), make_test_set()
    make_evaluation(make_accepted(test_set.phase))
    evaluation = make_evaluation(make_accepted(test_set.phase, user=user), shards=3)
    evaluations.claim(timezone.now(), "w")
    answer = with_session(user).get(at(evaluation.submission))
    body = answer.json()
    assert body["queue_place"] == 2
    assert (body["evaluation"]["shards_done"], body["evaluation"]["shards_total"]) == (
        0,
        3,
    )
    assert body["evaluation"]["status"] == "queued"
    assert answer["Retry-After"] == "2"


def test_a_failed_evaluation_tells_its_cause_and_not_its_trace() -> None:
    user = make_user()
    evaluation = make_evaluation(
        make_accepted(make_test_set().phase, user=user),
        status=Evaluation.Status.FAILED,
        cause="the judge is down",
        trace="Traceback",
    )
    answer = with_session(user).get(at(evaluation.submission))
    assert answer.json()["evaluation"]["cause"] == "the judge is down"
    assert answer.json()["is_final"] is True
    assert "Traceback" not in answer.content.decode()
    scores = with_session(user).get(at(evaluation.submission, "/scores"))
    assert (scores.status_code, scores.json()["code"]) == (409, "not_scored")
    assert "the judge is down" in scores.json()["detail"]


def test_what_has_not_changed_is_not_sent_again() -> None:
    user = make_user()
    submission = make_submission(user=user)
    client = with_session(user)
    first = client.get(at(submission))
    assert first["Cache-Control"] == "private, no-cache"
    headers = {"If-None-Match": first["ETag"]}
    assert client.get(at(submission), headers=headers).status_code == 304
    submission.status, submission.problem_count = "rejected", 1
    submission.save()
    changed = client.get(at(submission), headers=headers)
    assert (changed.status_code, changed.json()["status"]) == (200, "rejected")
    assert changed["ETag"] != first["ETag"]


def test_a_submission_is_withdrawn_once_and_for_good() -> None:
    user = make_user()
    submission = make_scored(test_set=make_test_set(), user=user).submission
    client = with_token(user)
    answer = client.post(at(submission, "/withdraw"))
    assert (answer.status_code, answer.json()["status"]) == (200, "withdrawn")
    assert AuditEvent.objects.filter(action="withdraw").exists()
    again = client.post(at(submission, "/withdraw"))
    assert (again.status_code, again.json()["code"]) == (409, "not_accepted")


def test_a_submission_is_shown_or_kept_private() -> None:
    user = make_user()
    submission = make_submission(user=user)
    client = with_token(user)
    for is_public in (False, True):
        answer = client.post(
            at(submission, "/publish"), {"is_public": is_public}, format="json"
        )
        assert (answer.status_code, answer.json()["is_public"]) == (200, is_public)
        submission.refresh_from_db()
        assert submission.is_public is is_public
