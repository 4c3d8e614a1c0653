"""Everything before the judge, for all scenes of a shard at once.

split -> tag all distinct sub-captions -> encode all distinct nouns -> match per scene
-> write the questions.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.embedding import Encoder
from evaluation.explore.captions import split
from evaluation.explore.matching import Match, match, pool_nouns, unmatched
from evaluation.explore.predictions import Predictions
from evaluation.explore.questions import Questions, questions
from evaluation.explore.readings import Reading, read_compat, read_strict
from evaluation.explore.scenes import Compiled, CompiledScene, extent
from evaluation.nouns import NounFinder


@dataclass(frozen=True, kw_only=True)
class Models:
    """The two models that scoring uses."""

    encoder: Encoder
    nouns: NounFinder


@dataclass(frozen=True, kw_only=True)
class Said:
    """What a description says: sub-captions, nouns, and each noun's sub-caption."""

    captions: tuple[str, ...] = ()
    nouns: tuple[str, ...] = ()
    places: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Prepared:
    """Everything about one scene before the judge is asked."""

    scene: CompiledScene
    reading: Reading
    said: Said
    match: Match
    questions: Questions


def prepare(
    models: Models,
    compiled: Compiled,
    predictions: Predictions,
    scenes: Sequence[CompiledScene],
    *,
    is_strict: bool,
) -> list[Prepared]:
    """Read, tag, encode and match all scenes at once, and write the questions."""
    whole = extent(compiled.scenes)
    read = read_strict if is_strict else read_compat
    readings = [read(predictions, scene, whole) for scene in scenes]
    said = listen([reading.text for reading in readings], models.nouns)
    matches = match_all(models.encoder, compiled, scenes, said)
    if not is_strict:
        readings = [_crash(*each) for each in zip(readings, scenes, said, strict=True)]
    return [
        Prepared(
            scene=scene,
            reading=reading,
            said=words,
            match=found,
            questions=_questions(scene, reading, words, found, is_strict=is_strict),
        )
        for scene, reading, words, found in zip(
            scenes, readings, said, matches, strict=True
        )
    ]


def listen(texts: Sequence[str], finder: NounFinder) -> list[Said]:
    """The sub-captions and nouns of each text; equal sub-captions are tagged once."""
    captions = [tuple(split(text)) for text in texts]
    distinct = list(dict.fromkeys(part for parts in captions for part in parts))
    nouns = dict(zip(distinct, finder.nouns(distinct), strict=True))
    return [
        Said(
            captions=parts,
            nouns=tuple(noun for part in parts for noun in nouns[part]),
            places=tuple(i for i, part in enumerate(parts) for _ in nouns[part]),
        )
        for parts in captions
    ]


def match_all(
    encoder: Encoder,
    compiled: Compiled,
    scenes: Sequence[CompiledScene],
    said: Sequence[Said],
) -> list[Match]:
    """Match every scene's categories with what was said about it."""
    pool = pool_nouns(
        compiled, [noun for words in said for noun in words.nouns], encoder
    )
    return [
        match(
            scene.vectors,
            np.array([pool.rows[noun] for noun in words.nouns], dtype=np.int64),
            pool.vectors,
        )
        if words.nouns and scene.categories
        else unmatched(len(scene.categories))
        for scene, words in zip(scenes, said, strict=True)
    ]


def _crash(reading: Reading, scene: CompiledScene, said: Said) -> Reading:
    """Where the released ordinary script stops; the abnormal one has guards."""
    if reading.outcome != "scored" or scene.is_abnormal:
        return reading
    if not said.nouns:
        return Reading(outcome="error", reason="no_nouns")
    if not any(value.relations for value in scene.objects):
        return Reading(outcome="error", reason="no_relations")
    return reading


def _questions(
    scene: CompiledScene,
    reading: Reading,
    said: Said,
    found: Match,
    *,
    is_strict: bool,
) -> Questions:
    """A scene's questions; none are asked where nothing is scored."""
    nouns = found.nouns if reading.outcome == "scored" else ((),) * len(found.nouns)
    mentions = [[said.places[noun] for noun in each] for each in nouns]
    released = not is_strict and not scene.is_abnormal
    return questions(scene, said.captions, mentions, as_released=released)
