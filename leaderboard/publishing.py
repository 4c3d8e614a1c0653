"""From shards to numbers: aggregate, record, put on the board."""

from django.utils import timezone

from evaluation import SUITES, tables
from evaluation.aggregate import Summary, summarise
from evaluation.statistics import Interval, intervals
from evaluation.suite import AnySuite
from evaluation.tables import InstanceTable
from leaderboard.models import BoardEntry, Evaluation, Phase, Score

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
    _record_entry(evaluation, numbers, summary.errors)
    # The shards' parts now stand in the evaluation's table; keep each number once.
    shards.delete()


def rebuild(phase: Phase) -> int:
    """Make the board rows of a phase anew from the recorded scores and tables."""
    suite = SUITES[phase.track.suite]
    scored = Evaluation.objects.filter(
        test_set__phase=phase, status=Evaluation.Status.SCORED
    )
    for evaluation in scored.select_related("test_set").iterator():
        numbers: Numbers = {}
        for score in evaluation.scores.order_by("pk"):
            cell = [score.value, score.low, score.high, score.n]
            numbers.setdefault(score.subset, {})[score.metric] = cell
        table = tables.unpack(bytes(evaluation.table or b""))
        _record_entry(evaluation, numbers, summarise(suite, table).errors)
    return scored.count()


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
    evaluation: Evaluation, numbers: Numbers, errors: dict[str, dict[str, int]]
) -> None:
    BoardEntry.objects.update_or_create(
        evaluation=evaluation,
        defaults={
            "phase_id": evaluation.test_set.phase_id,
            "test_set_id": evaluation.test_set_id,
            "scores": numbers,
            "errors": errors,
            "scored_at": evaluation.finished_at,
        },
    )
