"""Where submissions stand: the evaluation that counts, the place in the queue."""

from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from leaderboard import progress
from leaderboard.models import Evaluation, Submission, TestSetVersion
from tests.factories import (
    make_accepted,
    make_evaluation,
    make_judge,
    make_phase,
    make_scored,
    make_submission,
    make_test_set,
)

pytestmark = pytest.mark.django_db


def read(submission: Submission) -> Submission:
    return progress.with_evaluations(Submission.objects.all()).get(pk=submission.pk)


def test_the_evaluation_on_the_active_test_set_counts_however_old():
    old = make_test_set()
    scored = make_scored(test_set=old)
    submission = scored.submission
    old.status = TestSetVersion.Status.RETIRED
    old.save()
    assert progress.evaluation_of(read(submission)) == scored  # the only one
    new = make_test_set(submission.phase)
    later = make_evaluation(submission, test_set=new, queued_at=old.created_at)
    assert progress.evaluation_of(read(submission)) == later


@pytest.mark.parametrize("column", ["protocol", "judge"])
def test_only_the_phases_own_protocol_and_judge_count(column: str):
    phase = make_phase(judge_profile=make_judge())
    ours = make_scored(test_set=make_test_set(phase))
    later = timezone.now() + timedelta(hours=1)
    make_evaluation(ours.submission, **{column: "other"}, queued_at=later)
    assert progress.evaluation_of(read(ours.submission)) == ours


def test_an_evaluation_comes_with_its_shards_counted():
    evaluation = make_evaluation(shards=3)
    evaluation.shards.filter(number=0).update(status="done", rows=b"x")
    found = progress.evaluation_of(read(evaluation.submission))
    assert (found.shards_done, found.shards_total) == (1, 3)


def test_many_submissions_take_two_queries(
    django_assert_num_queries: DjangoAssertNumQueries,
):
    phase = make_test_set().phase
    for _ in range(5):
        make_scored(phase)
    with django_assert_num_queries(2):
        for one in progress.with_evaluations(Submission.objects.all()):
            assert progress.evaluation_of(one).test_set.number == 1
            assert one.phase.judge_profile is None
            assert one.created_by.username
            assert not progress.is_open(one)


@pytest.mark.parametrize(
    ("status", "is_open"),
    [("received", True), ("checking", True), ("rejected", False)],
)
def test_a_file_is_open_until_it_is_checked(status: str, is_open: bool):
    lease = {"lease_expires_at": timezone.now()} if status == "checking" else {}
    fields = {"problem_count": 1} if status == "rejected" else lease
    submission = read(make_submission(status=status, **fields))
    assert progress.is_open(submission) is is_open
    assert (progress.queue_place(submission) is not None) is is_open


def test_an_accepted_one_is_open_while_it_is_scored():
    evaluation = make_evaluation()
    assert progress.is_open(read(evaluation.submission))
    assert progress.queue_place(read(evaluation.submission)) == 1
    Evaluation.objects.update(status="failed", cause="x", finished_at=timezone.now())
    assert not progress.is_open(read(evaluation.submission))


def test_nobody_waits_for_a_withdrawn_one():
    evaluation = make_evaluation()
    Submission.objects.update(status="withdrawn")
    assert not progress.is_open(read(evaluation.submission))
    assert progress.queue_place(read(evaluation.submission)) is None


def test_places_in_the_queue_are_by_age():
    phase = make_test_set().phase
    received = [make_submission(phase) for _ in range(3)]
    assert [progress.queue_place(read(one)) for one in received] == [1, 2, 3]
    queued = [make_evaluation(make_accepted(phase)).submission for _ in range(3)]
    assert [progress.queue_place(read(one)) for one in queued] == [1, 2, 3]
