"""From shards to numbers: aggregate, record, put on the board."""

from datetime import datetime

from django.utils import timezone

from evaluation import SUITES, tables
from evaluation.aggregate import Summary, summarise
from evaluation.statistics import Interval, intervals
from evaluation.suite import AnySuite
from evaluation.tables import InstanceTable
from leaderboard.models import BoardEntry, Evaluation, Score

Numbers = dict[str, dict[str, list[float | int | None]]]
Intervals = dict[str, dict[str, Interval | None]]


def publish(evaluation: Evaluation) -> None:
    """Aggregate the done shards; in the caller's transaction, with the row locked."""
    shards = evaluation.shards.order_by("number")
    table = tables.concatenate([tables.unpack(bytes(s.rows or b"")) for s in shards])
    suite = SUITES[evaluation.test_set.phase.track.suite]
    now = timezone.now()
    evaluation.table = tables.pack(table)
    evaluation.counters = dict(table.counters)
    evaluation.status, evaluation.finished_at = Evaluation.Status.SCORED, now
    evaluation.save(update_fields=["table", "counters", "status", "finished_at"])
    summary = summarise(suite, table)
    numbers = combine(summary, intervals(suite, table, evaluation.test_set.address))
    _record_scores(evaluation, numbers)
    _record_entry(evaluation, numbers, summary.errors, now)
    # The shards' parts now stand in the evaluation's table; keep each number once.
    shards.delete()


def combine(summary: Summary, spans: Intervals) -> Numbers:
    """{subset: {metric: [value, low, high, n]}}."""
    return {
        subset: {
            metric: [
                value,
                *(spans[subset][metric] or (None, None)),
                summary.counts[subset][metric],
            ]
            for metric, value in values.items()
        }
        for subset, values in summary.scores.items()
    }


def numbers_of(
    suite: AnySuite, table: InstanceTable, seed: str
) -> tuple[Numbers, Summary]:
    """The numbers of a whole table, for what is not an evaluation (baselines)."""
    summary = summarise(suite, table)
    return combine(summary, intervals(suite, table, seed)), summary


def _record_scores(evaluation: Evaluation, numbers: Numbers) -> None:
    Score.objects.bulk_create(
        Score(
            evaluation=evaluation,
            subset=subset,
            metric=metric,
            value=value,
            low=low,
            high=high,
            n=n or 0,
        )
        for subset, metrics in numbers.items()
        for metric, (value, low, high, n) in metrics.items()
    )


def _record_entry(
    evaluation: Evaluation,
    numbers: Numbers,
    errors: dict[str, dict[str, int]],
    now: datetime,
) -> None:
    test_set = evaluation.test_set
    BoardEntry.objects.create(
        evaluation=evaluation,
        phase=test_set.phase,
        test_set=test_set,
        scores=numbers,
        errors=errors,
        scored_at=now,
    )
