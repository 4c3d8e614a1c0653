"""The list of one's own submissions."""

import pytest
from django.test import Client

from tests.factories import (
    make_accepted,
    make_evaluation,
    make_scored,
    make_submission,
    make_team,
    make_test_set,
    make_user,
)
from tests.leaderboard.views.conftest import text_of

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture
def user(client: Client):
    user = make_user()
    client.force_login(user)
    return user


def test_it_shows_the_teams_submissions_and_nobody_elses(client: Client, user):
    team = make_team(user, colleague := make_user())
    make_submission(user=colleague, team=team, method="Ours")
    make_submission(method="Theirs")
    text = text_of(client.get("/submissions/"))
    assert "Ours" in text
    assert "Theirs" not in text


def test_each_line_has_its_state_and_headline_score(client: Client, user):
    evaluation = make_scored(user=user)
    make_submission(evaluation.submission.phase, user=user)
    value = evaluation.board_entry.scores["overall"]["gpa"][0]
    text = text_of(client.get("/submissions/"))
    assert f"Scored {value:.1f}" in text
    assert "Received" in text


def test_without_submissions_it_says_how_to_begin(client: Client, user):
    assert "Nothing has been submitted yet" in text_of(client.get("/submissions/"))


def test_it_asks_again_only_while_something_is_open(client: Client, user):
    evaluation = make_scored(user=user)
    assert "hx-trigger" not in client.get("/submissions/").content.decode()
    make_submission(evaluation.submission.phase, user=user)
    assert "hx-trigger" in client.get("/submissions/").content.decode()


def test_without_news_the_answer_is_empty(client: Client, user):
    submission = make_submission(user=user)
    seen = client.get("/submissions/").context["seen"]
    path = f"/submissions/?seen={seen}"
    assert client.get(path, headers=HTMX).status_code == 204
    type(submission).objects.update(
        status="rejected", problem_count=1, problems=[{"code": "empty"}]
    )
    news = client.get(path, headers=HTMX)
    assert "Rejected" in text_of(news)
    assert "<html" not in news.content.decode()


@pytest.mark.parametrize("rows", [2, 12])
def test_the_number_of_queries_does_not_depend_on_the_number_of_rows(
    client: Client, user, django_assert_num_queries, rows: int
):
    phase = make_test_set().phase
    for _ in range(rows):
        make_scored(phase, user=user)
        make_evaluation(make_accepted(phase, user=user))
    with django_assert_num_queries(6):
        client.get("/submissions/")
