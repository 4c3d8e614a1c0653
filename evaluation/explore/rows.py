"""From one scene's match and ratings to its row in the instance table.

The formulas are the paper's (arXiv 2603.09731); see the README beside this file.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.explore.elements import ERRORS, count_errors
from evaluation.explore.matching import Match
from evaluation.explore.rating import Ratings
from evaluation.explore.readings import Outcome, Reading
from evaluation.explore.scenes import CompiledScene
from evaluation.tables import Counts, Floats, InstanceTable

PLAIN = ("s_uni", "s_obj", "s_att", "s_rel", "words")
MULTI = ("s_uni_multi",)
ABNORMAL = ("s_abn", "s_key")
OUTCOMES: tuple[Outcome, ...] = ("scored", "zero", "skipped", "error")
TAGS = ("length", "scene", "abnormal", "set", "source")


@dataclass(frozen=True, kw_only=True)
class Row:
    """All that is known about one instance once the judge has answered."""

    scene: CompiledScene
    reading: Reading
    match: Match
    ratings: Ratings


def unified(s_obj: float, s_att: float, s_rel: float) -> float:
    """S_uni in 0..100 from coverage in percent and two scores in 0..5."""
    return 0.25 * s_obj + 0.35 * 20 * s_att + 0.40 * 20 * s_rel


def abnormal(s_uni: float, s_key: float) -> float:
    """S_abn in 0..100 from S_uni and the key-state score in 0..5."""
    return 0.1 * s_uni + 0.9 * 20 * s_key


def values(row: Row) -> dict[str, float]:
    """Every metric of one instance, 0 where nothing was scored."""
    if row.reading.outcome != "scored":
        return dict.fromkeys(PLAIN + MULTI + ABNORMAL, 0.0)
    s_obj = 100 * row.match.coverage
    s_att = mean(row.ratings.attributes)
    s_rel = mean(row.ratings.relations)
    s_key = mean(row.ratings.key_states)
    s_uni = unified(s_obj, s_att, s_rel)
    return {
        "s_uni": s_uni,
        "s_uni_multi": s_uni,
        "s_obj": s_obj,
        "s_att": s_att,
        "s_rel": s_rel,
        "words": float(len(row.reading.text.split())),
        "s_abn": abnormal(s_uni, s_key),
        "s_key": s_key,
    }


def applies(row: Row, *, has_ordinary: bool, is_stepwise: bool) -> dict[str, float]:
    """The denominators of one instance.

    Abnormal scenes count in the ordinary metrics only where a test set has no
    ordinary scenes: the published S_uni never mixes the two.
    """
    counts = row.reading.counts
    plain = counts and not (row.scene.is_abnormal and has_ordinary)
    return {
        **dict.fromkeys(PLAIN, float(plain)),
        **dict.fromkeys(MULTI, float(plain and is_stepwise)),
        **dict.fromkeys(ABNORMAL, float(counts and row.scene.is_abnormal)),
    }


def make_table(
    rows: Sequence[Row],
    counters: Mapping[str, int],
    *,
    has_ordinary: bool,
    is_stepwise: bool,
) -> InstanceTable:
    """The instance table of these rows, in their order."""
    bases = [
        applies(row, has_ordinary=has_ordinary, is_stepwise=is_stepwise) for row in rows
    ]
    scored = [
        {key: value * basis[key] for key, value in values(row).items()}
        for row, basis in zip(rows, bases, strict=True)
    ]
    outcomes = [row.reading.outcome for row in rows]
    return InstanceTable(
        ids=tuple(row.scene.id for row in rows),
        clusters=tuple(row.scene.frame for row in rows),
        tags={key: tuple(_tag(row.scene, key) for row in rows) for key in TAGS},
        numerators=_columns(scored, PLAIN + MULTI + ABNORMAL),
        denominators=_columns(bases, PLAIN + MULTI + ABNORMAL),
        errors=_errors(rows),
        details=_details(rows),
        counters={
            **counters,
            **{f"instances_{key}": outcomes.count(key) for key in OUTCOMES},
        },
    )


def mean(scores: Sequence[int]) -> float:
    """The mean, 0 for none (an annotation fault; lint reports it)."""
    return sum(scores) / len(scores) if scores else 0.0


def _tag(scene: CompiledScene, family: str) -> str:
    return {
        "length": scene.length,
        "scene": scene.name,
        "abnormal": scene.kind,
        "set": "tiny" if scene.is_tiny else "",
        "source": "self_recorded" if scene.is_self_recorded else "",
    }[family]


def _errors(rows: Sequence[Row]) -> dict[str, Counts]:
    counted = [
        count_errors(row.match, row.ratings) if row.reading.counts else {}
        for row in rows
    ]
    return {
        error.key: np.array([each.get(error.key, 0) for each in counted], np.int64)
        for error in ERRORS
    }


def _details(rows: Sequence[Row]) -> dict[str, tuple[object, ...]]:
    return {
        "outcome": tuple(row.reading.outcome for row in rows),
        "reason": tuple(row.reading.reason for row in rows),
        "objects": _lists(rows, lambda row: row.match.scores),
        "attributes": _lists(rows, lambda row: row.ratings.attributes),
        "relations": _lists(rows, lambda row: row.ratings.relations),
        "key_states": _lists(rows, lambda row: row.ratings.key_states),
    }


def _lists(
    rows: Sequence[Row], scores: Callable[[Row], Sequence[float]]
) -> tuple[list[float], ...]:
    """Scores by element, in annotation order; none where an instance does not count."""
    return tuple(list(scores(row)) if row.reading.counts else [] for row in rows)


def _columns(
    rows: Sequence[Mapping[str, float]], keys: Sequence[str]
) -> dict[str, Floats]:
    return {key: np.array([row[key] for row in rows], np.float64) for key in keys}
