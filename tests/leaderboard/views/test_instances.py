"""The results of every instance."""

import pytest
from django.test import Client

from evaluation import SUITES
from leaderboard.models import Phase
from tests.factories import (
    make_phase,
    make_scored,
    make_table,
    make_test_set,
    make_user,
)
from tests.leaderboard.views.conftest import text_of

pytestmark = pytest.mark.django_db


def scored(user, feedback: str = Phase.Feedback.INSTANCES, **made: object):
    phase = make_test_set(make_phase(feedback=feedback)).phase
    return make_scored(phase, user=user, **made)


@pytest.fixture
def user(client: Client):
    user = make_user()
    client.force_login(user)
    return user


def test_every_instance_has_its_values_label_and_subsets(client: Client, user):
    table = make_table(SUITES["svcbench"])
    evaluation = scored(user, table=table)
    text = text_of(client.get(f"/submissions/{evaluation.submission_id}/instances/"))
    labels = {error.key: error.label for error in SUITES["svcbench"].errors}
    for row in range(len(table)):
        expected = f"{table.ids[row]} {labels[table.error(row)]} "
        assert expected + f"{table.value('gpa', row):.1f}" in text
    assert "O1, O1-Snap, one" in text


def test_a_label_can_be_chosen(client: Client, user):
    table = make_table(SUITES["svcbench"])
    evaluation = scored(user, table=table)
    path = f"/submissions/{evaluation.submission_id}/instances/"
    page = client.get(path, {"error": table.error(0)}).context["page"]
    expected = [row for row in range(len(table)) if table.error(row) == table.error(0)]
    assert list(page) == expected
    assert len(list(client.get(path, {"error": "no"}).context["page"])) == len(table)


def test_a_large_test_set_has_pages(client: Client, user):
    table = make_table(SUITES["svcbench"], size=250)
    evaluation = scored(user, table=table)
    path = f"/submissions/{evaluation.submission_id}/instances/"
    text = text_of(client.get(path, {"page": "3"}))
    assert "250 instances, 201 to 250 shown" in text


@pytest.mark.parametrize("feedback", ["aggregate", "breakdowns"])
def test_a_phase_that_does_not_tell_them_has_no_such_page(
    client: Client, user, feedback: str
):
    submission = scored(user, feedback).submission
    page = client.get(f"/submissions/{submission.pk}/")
    assert "instances/" not in page.content.decode()
    path = f"/submissions/{submission.pk}/instances/"
    assert client.get(path).status_code == 404
    client.force_login(make_user(is_staff=True))
    assert client.get(path).status_code == 404
