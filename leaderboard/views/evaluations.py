"""Which of a submission's evaluations its page is about."""

from collections.abc import Iterable

from django.db.models import Count, Q, QuerySet

from leaderboard.models import Evaluation, Shard, Submission, TestSetVersion


def with_shards(rows: QuerySet[Evaluation]) -> QuerySet[Evaluation]:
    """Evaluations with their numbers of shards, without the large columns."""
    is_done = Q(shards__status=Shard.Status.DONE)
    return (
        rows.select_related("test_set")
        .defer("table", "trace")
        .annotate(
            shards_done=Count("shards", filter=is_done), shards_total=Count("shards")
        )
    )


def current(found: Iterable[Evaluation], submission: Submission) -> Evaluation | None:
    """The evaluation that counts: active test set, the phase's protocol and judge.

    Without one, the latest.
    """
    phase, found = submission.phase, list(found)
    for one in found:
        is_active = one.test_set.status == TestSetVersion.Status.ACTIVE
        if is_active and (one.protocol, one.judge) == (phase.protocol, phase.judge):
            return one
    return max(found, key=lambda one: one.queued_at, default=None)
