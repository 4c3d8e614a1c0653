"""From shards to numbers, and board rows made anew from what is recorded."""

import pytest

from evaluation import SUITES, tables
from evaluation.aggregate import summarise
from evaluation.statistics import intervals
from leaderboard import publishing
from leaderboard.models import BoardEntry, Score
from tests import factories

pytestmark = pytest.mark.django_db
SUITE = SUITES[factories.SUITE]


def test_recorded_numbers_are_those_of_the_library() -> None:
    table = factories.make_table(SUITE, skill=0.7)
    evaluation = factories.make_scored(table=table)

    summary = summarise(SUITE, table)
    spread = intervals(SUITE, table, evaluation.test_set.address)
    recorded = {(s.subset, s.metric): s for s in Score.objects.all()}
    assert len(recorded) == sum(map(len, summary.scores.values()))
    for (subset, metric), score in recorded.items():
        assert score.value == summary.scores[subset][metric]
        assert (score.low, score.high) == (spread[subset][metric] or (None, None))
        assert score.n == summary.counts[subset][metric]
    assert BoardEntry.objects.get().errors == summary.errors


def test_the_same_table_gives_the_same_row_whoever_scores_it() -> None:
    test_set = factories.make_test_set()
    for _ in range(2):
        factories.make_scored(test_set=test_set, skill=0.4)
    first, second = BoardEntry.objects.order_by("pk")
    assert (first.scores, first.errors) == (second.scores, second.errors)


def test_lost_and_damaged_board_rows_are_made_anew() -> None:
    phase = factories.make_test_set().phase
    for skill in (0.2, 0.5, 0.9):
        factories.make_scored(phase, skill=skill)
    factories.make_evaluation(factories.make_accepted(phase))  # not scored yet
    columns = ("evaluation", "phase", "test_set", "scores", "errors", "scored_at")
    before = list(BoardEntry.objects.order_by("evaluation").values(*columns))

    entries = BoardEntry.objects.order_by("pk")
    entries[0].delete()
    BoardEntry.objects.filter(pk=entries[0].pk).update(scores={}, errors={})
    assert publishing.rebuild(phase) == 3

    assert list(BoardEntry.objects.order_by("evaluation").values(*columns)) == before


def test_shards_are_joined_in_their_order_and_then_let_go() -> None:
    evaluation = factories.make_scored()
    assert not evaluation.shards.exists()
    assert tables.unpack(bytes(evaluation.table)).ids == factories.make_table(SUITE).ids
