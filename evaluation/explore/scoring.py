"""Scoring a shard: prepare all its scenes, ask the judge once, make the rows.

The README beside this file describes the protocol and where we differ from the
released scripts.
"""

from collections.abc import Sequence

from evaluation.embedding import load_encoder
from evaluation.explore.predictions import Predictions
from evaluation.explore.preparing import Models, prepare
from evaluation.explore.questions import Questions
from evaluation.explore.rating import rate
from evaluation.explore.rows import Row, make_table
from evaluation.explore.scenes import Compiled, extent
from evaluation.judges.answers import Replies
from evaluation.nouns import load_nouns
from evaluation.suite import Resources
from evaluation.tables import InstanceTable

STRICT = "explore/1"
COMPAT = "explore/1-compat"


class EncoderChanged(Exception):
    """The test set was compiled with another encoder than the one loaded."""


def score(
    compiled: Compiled,
    predictions: Predictions,
    rows: Sequence[int],
    resources: Resources,
) -> InstanceTable:
    """One row for each position in `rows`. Raises JudgeUnavailable."""
    models = Models(encoder=load_encoder(), nouns=load_nouns(resources.parser))
    return score_with(models, compiled, predictions, rows, resources)


def score_with(
    models: Models,
    compiled: Compiled,
    predictions: Predictions,
    rows: Sequence[int],
    resources: Resources,
) -> InstanceTable:
    """`score` with given models."""
    _check_encoder(compiled, models)
    is_strict = resources.protocol == STRICT
    scenes = [compiled.scenes[row] for row in rows]
    prepared = prepare(models, compiled, predictions, scenes, is_strict=is_strict)
    asked = [each.questions for each in prepared]
    ratings, replies = rate(asked, resources.judge, is_strict=is_strict)
    table_rows = [
        Row(scene=each.scene, reading=each.reading, match=each.match, ratings=rated)
        for each, rated in zip(prepared, ratings, strict=True)
    ]
    return make_table(
        table_rows,
        _counters(models, asked, replies),
        has_ordinary=extent(compiled.scenes).has_ordinary,
        is_stepwise=predictions.is_stepwise and is_strict,
    )


def _check_encoder(compiled: Compiled, models: Models) -> None:
    if compiled.encoder != models.encoder.model_id:
        raise EncoderChanged(
            f"compiled with {compiled.encoder}, loaded {models.encoder.model_id};"
            " compile the test set again"
        )


def _counters(
    models: Models, asked: Sequence[Questions], replies: Replies
) -> dict[str, int]:
    """What the judge was asked, and how many instances each model has scored."""
    return {
        "judge_questions": sum(len(each.in_order) for each in asked),
        "judge_asked": replies.asked,
        "judge_cached": replies.cached,
        "judge_retried": replies.retried,
        "judge_invalid": replies.invalid,
        # One key per model: two parsers under one submission mean a mixed score.
        f"model:{models.nouns.model_id}": len(asked),
        f"model:{models.encoder.model_id}": len(asked),
    }
