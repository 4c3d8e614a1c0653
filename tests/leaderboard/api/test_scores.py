"""Scores and instances of a submission, as the feedback policy lets them be seen."""

from datetime import timedelta

import pytest
from django.utils import timezone

from evaluation import tables
from leaderboard.models import Phase, Score, Submission
from tests.factories import (
    make_evaluation,
    make_phase,
    make_scored,
    make_submission,
    make_test_set,
    make_user,
)
from tests.leaderboard.api.doors import (
    address,
    form,
    make_real_phase,
    predictions,
    upload,
    with_session,
    with_token,
    work,
)

pytestmark = pytest.mark.django_db
LIST = "/api/v1/submissions"


def at(submission: Submission, end: str = "") -> str:
    return f"{LIST}/{submission.pk}{end}"


def test_the_evaluation_on_the_active_test_set_is_the_one_shown() -> None:
    user = make_user()
    new = make_test_set(number=2)
    old = make_test_set(new.phase, number=1, status="retired")
    submission = make_scored(test_set=new, user=user, skill=0.9).submission
    make_evaluation(
        submission, test_set=old, queued_at=timezone.now() + timedelta(hours=1)
    )
    body = with_session(user).get(at(submission)).json()
    assert (body["evaluation"]["test_set"], body["is_final"]) == (2, True)
    assert with_session(user).get(at(submission, "/scores")).json()["test_set"] == 2


def test_scores_are_those_that_were_recorded() -> None:
    user = make_user()
    evaluation = make_scored(test_set=make_test_set(), user=user)
    body = with_token(user, "read").get(at(evaluation.submission, "/scores")).json()
    recorded = {}
    for score in Score.objects.filter(evaluation=evaluation):
        recorded.setdefault(score.subset, {})[score.metric] = {
            "value": score.value,
            "low": score.low,
            "high": score.high,
            "n": score.n,
        }
    assert body["scores"] == recorded
    assert body["errors"] == evaluation.board_entry.errors
    assert body["headline"] == "gpa"
    assert body["coverage"]["expected"] == 12


def test_aggregate_feedback_gives_overall_scores_only() -> None:
    user = make_user()
    phase = make_test_set(make_phase(feedback=Phase.Feedback.AGGREGATE)).phase
    evaluation = make_scored(phase, user=user)
    body = with_session(user).get(at(evaluation.submission, "/scores")).json()
    assert list(body["scores"]) == ["overall"]
    assert body["errors"] == {}


@pytest.mark.parametrize("feedback", ["aggregate", "breakdowns"])
def test_instances_are_shown_only_where_the_phase_shows_them(feedback: str) -> None:
    user = make_user()
    phase = make_test_set(make_phase(feedback=feedback)).phase
    submission = make_scored(phase, user=user).submission
    answer = with_session(user).get(at(submission, "/instances"))
    assert (answer.status_code, answer.json()["code"]) == (403, "feedback_policy")


def test_instances_are_those_of_the_table() -> None:
    user = make_user()
    phase = make_test_set(make_phase(feedback="instances")).phase
    evaluation = make_scored(phase, user=user)
    body = with_session(user).get(at(evaluation.submission, "/instances")).json()
    evaluation.refresh_from_db()
    table = tables.unpack(bytes(evaluation.table or b""))
    assert [one["id"] for one in body["instances"]] == list(table.ids)
    assert [one["gpa"] for one in body["instances"]] == [
        table.value("gpa", row) for row in range(len(table))
    ]
    assert body["instances"][0]["error"] == table.error(0)


@pytest.mark.parametrize("end", ["/scores", "/instances"])
def test_before_it_is_scored_there_are_no_numbers(end: str) -> None:
    user = make_user()
    phase = make_test_set(make_phase(feedback="instances")).phase
    submission = make_submission(phase, user=user)
    answer = with_session(user).get(at(submission, end))
    assert (answer.status_code, answer.json()["code"]) == (409, "not_scored")


def test_a_real_submission_is_followed_from_file_to_scores() -> None:
    client = with_token(make_user())
    where = client.post(
        address(make_real_phase(feedback="instances"), "/submissions"),
        form(file=upload(predictions(right=3))),
    )["Location"]
    work()
    body = client.get(where).json()
    assert (body["status"], body["is_final"]) == ("accepted", True)
    assert body["evaluation"]["status"] == "scored"
    scores = client.get(f"{where}/scores").json()
    assert scores["scores"]["overall"]["gpa"]["value"] == 75.0
    assert scores["errors"]["overall"]["correct"] == 3
    instances = client.get(f"{where}/instances").json()["instances"]
    assert [one["gpa"] for one in instances] == [100.0, 100.0, 100.0, 0.0]
