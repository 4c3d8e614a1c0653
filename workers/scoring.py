"""Scoring one shard."""

from functools import partial

from evaluation.tables import InstanceTable
from leaderboard.models import Evaluation, Shard
from workers import resources
from workers.holding import patiently


def score(shard: Shard) -> InstanceTable:
    """The rows of the shard's instances. Raises InvalidUpload if the file misfits."""
    found = Evaluation.objects.select_related("submission", "test_set__phase__track")
    evaluation = patiently(partial(found.get, pk=shard.evaluation_id))
    test_set = evaluation.test_set
    suite = resources.suite_of(test_set)
    table: InstanceTable = suite.score(
        resources.compiled(test_set),
        resources.answers(evaluation.submission, test_set),
        range(shard.start, shard.stop),
        resources.means(
            protocol=evaluation.protocol,
            judge=evaluation.judge,
            parser=test_set.phase.parser,
        ),
    )
    return table
