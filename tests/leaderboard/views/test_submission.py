"""The page of one submission."""

from dataclasses import asdict
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from evaluation import SUITES
from evaluation.problems import Problem
from leaderboard.models import (
    Evaluation,
    JudgeProfile,
    Phase,
    Shard,
    Submission,
    TestSetVersion,
)
from leaderboard.submissions import OUR_FAULT
from tests.factories import (
    make_accepted,
    make_evaluation,
    make_judge,
    make_phase,
    make_scored,
    make_submission,
    make_test_set,
    make_track,
    make_user,
)
from tests.leaderboard.views.conftest import text_of
from tests.leaderboard.views.suites import FOURTH, fourth

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}
PROBLEM = asdict(
    Problem(
        code="unknown_q_id",
        detail="q_id 546 is a number; use a string",
        file="a.jsonl",
        line=12,
        path=".q_id",
    )
)


@pytest.fixture
def user(client: Client):
    user = make_user()
    client.force_login(user)
    return user


def shown(client: Client, submission: Submission) -> str:
    return text_of(client.get(f"/submissions/{submission.pk}/"))


def rejected(user, *problems: dict, count: int = 1, **fields: object) -> Submission:
    return make_submission(
        user=user,
        status="rejected",
        problems=list(problems),
        problem_count=count,
        **fields,
    )


def test_a_received_file_waits_for_a_worker(client: Client, user):
    text = shown(client, make_submission(user=user))
    assert "Received It is next." in text


def test_a_queued_submission_tells_its_place(client: Client, user):
    first = make_evaluation(make_accepted(user=user))
    second = make_evaluation(make_accepted(first.submission.phase, user=user))
    assert "It is next." in shown(client, first.submission)
    assert "Place 2 in the queue." in shown(client, second.submission)


def test_a_running_one_tells_how_many_parts_are_scored(client: Client, user):
    evaluation = make_evaluation(make_accepted(user=user), status="running", shards=4)
    Shard.objects.filter(number=0).update(status="done", rows=b"x")
    response = client.get(f"/submissions/{evaluation.submission_id}/")
    assert "1 of 4 parts are scored." in text_of(response)
    assert '<progress max="4" value="1"' in response.content.decode()


def test_a_rejected_file_lists_its_problems_and_cost_nothing(client: Client, user):
    text = shown(client, rejected(user, PROBLEM, count=250))
    assert "Rejected The file has problems. This cost no quota." in text
    assert "the first 1 of 250" in text
    assert "line 12 .q_id a.jsonl" in text
    assert "q_id 546 is a number; use a string" in text


def test_a_check_that_failed_for_our_reasons_says_whose_fault_it_is(
    client: Client, user
):
    text = shown(client, rejected(user, asdict(OUR_FAULT)))
    assert "Could not be checked That is our fault, not the file's." in text


def test_a_failed_evaluation_tells_its_cause_and_that_it_cost_nothing(
    client: Client, user
):
    cause = "the judge was down; we tried 3 times"
    failed = make_evaluation(make_accepted(user=user), status="failed", cause=cause)
    text = shown(client, failed.submission)
    assert "The judge was down; we tried 3 times. This cost no quota." in text


def test_only_staff_see_the_trace(client: Client, user):
    failed = make_evaluation(
        make_accepted(user=user), status="failed", cause="lost", trace="KeyError at x:1"
    )
    assert "KeyError" not in shown(client, failed.submission)
    client.force_login(make_user(is_staff=True))
    assert "KeyError at x:1" in shown(client, failed.submission)


def test_scores_stand_with_intervals_subsets_and_error_types(client: Client, user):
    evaluation = make_scored(user=user)
    text = shown(client, evaluation.submission)
    value, low, high, _ = evaluation.board_entry.scores["overall"]["gpa"]
    assert f"GPA % {value:.1f} {low:.1f}\N{EN DASH}{high:.1f}" in text
    assert "O1-Snap" in text
    share = evaluation.board_entry.errors["overall"]["lagging"]
    assert (
        f"Lagging The truth moves and the prediction stands still, on at least half of the steps where the truth moves. {share}"
        in text
    )


def test_subsets_stand_in_the_order_of_the_suite(client: Client, user):
    text = shown(client, make_scored(user=user).submission)
    places = [text.index(name) for name in ("O1-Snap", "O2-Gain", "E2-Periodic")]
    assert places == sorted(places)


def test_a_phase_that_tells_overall_scores_only_keeps_the_rest_back(
    client: Client, user
):
    phase = make_test_set(make_phase(feedback=Phase.Feedback.AGGREGATE)).phase
    text = shown(client, make_scored(phase, user=user).submission)
    assert "GPA" in text
    assert "O1-Snap" not in text
    assert "Lagging" not in text


def test_provenance_names_file_protocol_and_test_set(client: Client, user):
    evaluation = make_scored(user=user)
    text = shown(client, evaluation.submission)
    assert evaluation.submission.file_sha256 in text
    assert "Protocol svcbench/1" in text
    assert "Test set version 1 (active), 12 instances" in text


def test_the_page_is_about_the_active_version_and_lists_the_others(
    client: Client, user
):
    old = make_scored(user=user, skill=0.2)
    TestSetVersion.objects.update(status="retired")
    active = make_test_set(old.submission.phase)
    make_evaluation(old.submission, test_set=active)
    text = shown(client, old.submission)
    assert "In the queue" in text
    assert "Other evaluations" in text
    assert "version 1 svcbench/1 scored" in text


def test_strangers_see_what_stands_on_the_board_but_not_what_is_behind_it(
    client: Client,
):
    notice = asdict(Problem(code="unreadable", detail="twelve predictions were words"))
    evaluation = make_scored(notices=[notice], file_name="secret-name.jsonl")
    text = shown(client, evaluation.submission)
    assert "GPA" in text
    assert "twelve predictions were words" not in text
    assert "secret-name" not in text
    assert "Withdraw" not in text


@pytest.mark.parametrize(
    "hide",
    [
        lambda s: Submission.objects.update(is_public=False),
        lambda s: Submission.objects.update(status="withdrawn"),
        lambda s: Phase.objects.update(
            visibility="hidden", visible_from=timezone.now() + timedelta(days=1)
        ),
        lambda s: Phase.objects.update(
            visibility="frozen", frozen_at=timezone.now() - timedelta(days=1)
        ),
        lambda s: TestSetVersion.objects.update(status="retired"),
    ],
    ids=["private", "withdrawn", "hidden board", "scored after the freeze", "retired"],
)
def test_strangers_do_not_see_what_is_on_no_public_board(client: Client, hide):
    submission = make_scored().submission
    assert client.get(f"/submissions/{submission.pk}/").status_code == 200
    hide(submission)
    assert client.get(f"/submissions/{submission.pk}/").status_code == 404
    client.force_login(submission.created_by)
    assert client.get(f"/submissions/{submission.pk}/").status_code == 200


def test_an_open_page_asks_again_and_gets_nothing_until_there_is_news(
    client: Client, user
):
    evaluation = make_evaluation(make_accepted(user=user), status="running")
    path = f"/submissions/{evaluation.submission_id}/"
    response = client.get(path)
    seen = response.context["seen"]
    assert f"{path}status/?seen={seen}" in response.content.decode()
    assert client.get(f"{path}status/?seen={seen}", headers=HTMX).status_code == 204
    Shard.objects.filter(number=0).update(status="done", rows=b"x")
    news = client.get(f"{path}status/?seen={seen}", headers=HTMX)
    assert "1 of 3 parts are scored." in text_of(news)
    assert "<html" not in news.content.decode()


def test_polling_ends_when_nothing_more_will_happen(client: Client, user):
    evaluation = make_scored(user=user)
    path = f"/submissions/{evaluation.submission_id}/status/"
    html = client.get(f"{path}?seen=old", headers=HTMX).content.decode()
    assert "hx-trigger" not in html
    assert "hx-swap-oob" in html  # the screen reader's line


def test_a_team_can_take_its_submission_off_the_board_and_put_it_back(
    client: Client, user
):
    submission = make_scored(user=user).submission
    path = f"/submissions/{submission.pk}/"
    client.post(f"{path}publish/", {"is_public": "0"})
    submission.refresh_from_db()
    assert not submission.is_public
    assert "Make public" in text_of(client.get(path))
    client.post(f"{path}publish/", {"is_public": "1"})
    submission.refresh_from_db()
    assert submission.is_public


def test_withdrawing_asks_first(client: Client, user):
    submission = make_scored(user=user, method="Spoons").submission
    path = f"/submissions/{submission.pk}/withdraw/"
    assert "Withdraw “Spoons”?" in text_of(client.get(path))
    submission.refresh_from_db()
    assert submission.status == "accepted"
    response = client.post(path, follow=True)
    assert "“Spoons” is withdrawn." in text_of(response)
    submission.refresh_from_db()
    assert submission.status == "withdrawn"


def test_what_is_not_accepted_cannot_be_withdrawn(client: Client, user):
    submission = make_submission(user=user)
    response = client.post(f"/submissions/{submission.pk}/withdraw/", follow=True)
    assert "Only an accepted submission can be withdrawn." in text_of(response)


def test_the_page_takes_few_queries(
    client: Client, user, django_assert_max_num_queries
):
    submission = make_scored(user=user).submission
    assert Evaluation.objects.count() == 1
    with django_assert_max_num_queries(6):
        client.get(f"/submissions/{submission.pk}/")


def test_the_method_card_stands_under_the_name(client: Client, user, monkeypatch):
    monkeypatch.setitem(SUITES, FOURTH, fourth())
    phase = make_test_set(make_phase(make_track(suite=FOURTH))).phase
    card = {"glove": "none & bare", "size": "8B", "gone": "x"}
    text = shown(client, make_accepted(phase, user=user, card=card))
    assert "Glove none & bare Size 8B" in text
    assert "gone" not in text


def test_what_only_informs_stands_apart_from_the_scores(client: Client, monkeypatch):
    monkeypatch.setitem(SUITES, FOURTH, fourth())
    phase = make_test_set(make_phase(make_track(suite=FOURTH))).phase
    scored = make_scored(phase)
    text = shown(client, scored.submission)
    numbers = scored.board_entry.scores
    apart = text.partition("Reported beside the scores, never ranked by")[2]
    assert apart.startswith(f" Steps steps {numbers['overall']['steps'][0]:.0f} ")
    assert f"{numbers['hand:left']['steps'][0]:.0f}" in apart


def test_metrics_without_any_value_are_left_out(client: Client):
    scored = make_scored()
    assert "UDA" in shown(client, scored.submission)
    entry = scored.board_entry
    for cells in entry.scores.values():
        cells["uda"] = cells["uda_direction"] = [None, None, None, 0]
    entry.save()
    text = shown(client, scored.submission)
    assert "UDA" not in text
    assert "MoC" in text


def test_scores_of_a_judge_that_cannot_be_compared_say_so(client: Client):
    phase = make_phase(judge_profile=make_judge(title="Small judge", agreement=0.5))
    scored = make_scored(test_set=make_test_set(phase))
    text = shown(client, scored.submission)
    assert "Not comparable with published numbers: scored by the judge" in text
    assert "Judge Small judge, agreement with people: Spearman ρ 0.50 not" in text  # noqa: RUF001
    JudgeProfile.objects.update(is_comparable=True)
    assert "omparable" not in shown(client, scored.submission)


def test_a_file_waits_for_those_before_it(client: Client, user):
    first = make_submission(user=user)
    second = make_submission(first.phase, user=user)
    assert "Received Place 2 in the queue." in shown(client, second)


def test_only_staff_see_what_seems_to_address_the_judge(client: Client, user):
    flag = {
        "code": "addresses_judge",
        "detail": "seems to address the judge (role tag)",
        "file": "predictions.json",
        "line": None,
        "path": "['a.jpg']",
    }
    submission = make_accepted(user=user, flags=[flag])
    address = f"/submissions/{submission.pk}/"
    client.force_login(user)
    assert "seems to address" not in client.get(address).content.decode()
    client.force_login(make_user(is_staff=True))
    assert "seems to address the judge" in client.get(address).content.decode()


def test_what_was_counted_by_the_way_is_told(client: Client, user):
    evaluation = make_scored(user=user)
    evaluation.counters = {"judge_asked": 1234, "model:parser 1.0": 24}
    evaluation.save()
    client.force_login(user)
    page = client.get(f"/submissions/{evaluation.submission.pk}/")
    text = page.content.decode()
    assert "<dt>Judge asked</dt><dd>1,234</dd>" in text
    assert "<dt>Model:parser 1.0</dt><dd>24</dd>" in text


def test_aggregate_feedback_does_not_tell_what_was_counted_by_the_way(
    client: Client, user
):
    phase = make_test_set(make_phase(feedback="aggregate")).phase
    evaluation = make_scored(phase, user=user)
    evaluation.counters = {"judge_questions": 1234}
    evaluation.save()
    client.force_login(user)
    page = client.get(f"/submissions/{evaluation.submission.pk}/")
    assert "1,234" not in page.content.decode()
