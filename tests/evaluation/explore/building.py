"""Small scenes, uploads and judges for the tests of EXPLORE-Bench."""

import json
from collections.abc import Sequence
from pathlib import Path

from evaluation.explore.annotations import read_annotations
from evaluation.explore.compiling import compile_annotations, make_manifest
from evaluation.explore.predictions import Predictions, read_predictions
from evaluation.explore.preparing import Models
from evaluation.explore.scenes import Annotations, Compiled
from evaluation.explore.scoring import STRICT, score_with
from evaluation.judges import Answer, Judge, Question
from evaluation.judges.answers import answer_of
from evaluation.judges.lexical import LexicalJudge
from evaluation.reading import Upload, open_upload
from evaluation.suite import Resources
from evaluation.tables import InstanceTable

JsonObject = dict[str, object]


class FixedJudge:
    """Always says the same, and remembers what it was asked."""

    judge_id = "fixed"

    def __init__(self, text: str) -> None:
        self.text = text
        self.asked: list[Question] = []

    def ask(self, questions: Sequence[Question]) -> list[Answer]:
        self.asked += questions
        return [answer_of(self.text) for _ in questions]


class CountingJudge(LexicalJudge):
    """The lexical judge, remembering what it was asked."""

    def __init__(self) -> None:
        self.asked: list[Question] = []

    def ask(self, questions: Sequence[Question]) -> list[Answer]:
        self.asked += questions
        return super().ask(questions)


def an_object(
    category: str, description: str = "plain", *relations: str, **more: object
) -> JsonObject:
    return {
        "category": category,
        "description": description,
        "relation": list(relations),
        **more,
    }


def an_item(
    frame: str, *objects: JsonObject, actions: int = 12, **more: object
) -> JsonObject:
    return {
        "start_frame": frame,
        "atomic_actions": "|".join(["C waits"] * actions),
        "end_frame_info": list(objects),
        **more,
    }


def upload(folder: Path, name: str, value: object) -> Upload:
    """A JSON file written and opened as an upload."""
    path = folder / name
    path.write_text(json.dumps(value), encoding="utf-8")
    return open_upload(path)


def annotations(
    folder: Path, *items: JsonObject, name: str = "anno.json"
) -> Annotations:
    return read_annotations(upload(folder, name, list(items)))


def predictions(
    folder: Path, values: object, of: Annotations | None = None
) -> Predictions:
    manifest = None if of is None else make_manifest(of)
    return read_predictions(upload(folder, "predictions.json", values), manifest)


def score_all(
    models: Models,
    compiled: Compiled,
    given: Predictions,
    *,
    judge: Judge | None = None,
    protocol: str = STRICT,
) -> InstanceTable:
    """Every instance of a compiled set, by the lexical judge unless told otherwise."""
    resources = Resources(protocol=protocol, judge=judge or LexicalJudge())
    rows = range(len(compiled.scenes))
    return score_with(models, compiled, given, rows, resources)


def compiled_of(models: Models, found: Annotations) -> Compiled:
    return compile_annotations(found, models.encoder)
