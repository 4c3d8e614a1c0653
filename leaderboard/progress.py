"""Where submissions stand: the evaluation that counts, its shards, the queue.

Reads only, for pages and API alike. Fetch submissions through `with_evaluations`.
"""

from django.db.models import (
    BooleanField,
    Case,
    Count,
    F,
    Prefetch,
    Q,
    QuerySet,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from leaderboard import evaluations
from leaderboard.models import Evaluation, Shard, Submission, TestSetVersion

Status = Submission.Status
OPEN = (Status.RECEIVED, Status.CHECKING)  # not accepted or rejected yet


def with_evaluations(found: QuerySet[Submission]) -> QuerySet[Submission]:
    """Two queries for any number of submissions; the evaluation that counts first.

    That is the one on the active test set with the phase's own protocol and judge.
    Each evaluation comes with `shards_done` and `shards_total`, without its table.
    """
    counts = Q(
        test_set__status=TestSetVersion.Status.ACTIVE,
        protocol=F("submission__phase__protocol"),
        judge=Coalesce("submission__phase__judge_profile_id", Value("")),
    )
    ordered = (
        Evaluation.objects.select_related("test_set")
        .defer("table", "trace")
        .annotate(
            is_current=Case(
                When(counts, then=True), default=False, output_field=BooleanField()
            ),
            shards_done=Count("shards", filter=Q(shards__status=Shard.Status.DONE)),
            shards_total=Count("shards"),
        )
        .order_by("-is_current", "-queued_at")
    )
    return found.select_related(
        "phase__track", "phase__judge_profile", "team", "created_by"
    ).prefetch_related(Prefetch("evaluations", queryset=ordered))


def evaluation_of(submission: Submission) -> Evaluation | None:
    """The evaluation that counts, else the newest."""
    return next(iter(submission.evaluations.all()), None)


def is_open(submission: Submission) -> bool:
    """Whether more will happen to it by itself that anyone waits for."""
    return submission.status in OPEN or _open_evaluation(submission) is not None


def queue_place(submission: Submission) -> int | None:
    """1 for what is next, to be checked or to be scored; None when it is final."""
    if submission.status in OPEN:
        earlier = Submission.objects.filter(
            status__in=OPEN, created_at__lt=submission.created_at
        )
        return earlier.count() + 1
    evaluation = _open_evaluation(submission)
    return evaluations.place_in_queue(evaluation) if evaluation else None


def _open_evaluation(submission: Submission) -> Evaluation | None:
    """What is being scored, unless the submission is withdrawn by now."""
    if submission.status == Status.WITHDRAWN:
        return None
    evaluation = evaluation_of(submission)
    is_wanted = evaluation is not None and evaluation.status in Evaluation.OPEN
    return evaluation if is_wanted else None
