"""What a judge must be asked, found out with the library alone."""

import json
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluation.aggregate import Summary, summarise
from evaluation.embedding import load_encoder
from evaluation.explore import SUITE
from evaluation.explore.predictions import Predictions
from evaluation.explore.preparing import Models, prepare
from evaluation.explore.scenes import Compiled, Manifest
from evaluation.judges.cache import question_key
from evaluation.judges.lexical import LexicalJudge
from evaluation.nouns import load_nouns
from evaluation.reading import open_upload
from evaluation.suite import Resources

PARTS = ("anno", "anno_short_seq", "anno_medium_seq", "anno_long_seq", "anno_tiny")
ABNORMAL = "anno_abnormal"
Item = dict[str, object]
Lists = Mapping[str, Sequence[Item]]


def read_lists(data: Path) -> dict[str, list[Item]]:
    """The annotation lists as published, by file stem."""
    return {
        name: json.loads((data / f"{name}.json").read_bytes())
        for name in (*PARTS, ABNORMAL)
    }


def pack(lists: Lists, target: Path) -> Path:
    """A zip of annotation lists, as a host uploads it."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, items in lists.items():
            archive.writestr(f"{name}.json", json.dumps(items))
    return target


def changed(lists: Lists, frames: Iterable[str], word: str) -> Lists:
    """The lists with the first object of these scenes described anew, everywhere."""
    chosen = set(frames)

    def change(item: Item) -> Item:
        if item["start_frame"] not in chosen:
            return item
        first, *rest = item["end_frame_info"]  # type: ignore[misc]
        first = {**first, "description": f"{word} with a {word} rim"}
        return {**item, "end_frame_info": [first, *rest]}

    return {name: [change(item) for item in items] for name, items in lists.items()}


@dataclass(frozen=True, kw_only=True)
class TestSet:
    """An annotation zip as the library reads it."""

    __test__ = False  # not a pytest class

    compiled: Compiled
    manifest: Manifest
    models: Models

    def questions(self, judge_id: str, given: Predictions) -> set[str]:
        """Keys of all distinct questions that scoring these predictions asks."""
        scenes = self.compiled.scenes
        prepared = prepare(self.models, self.compiled, given, scenes, is_strict=True)
        return {
            question_key(judge_id, question)
            for each in prepared
            for question in each.questions.in_order
        }

    def of_file(self, path: Path) -> Predictions:
        return SUITE.read_predictions(open_upload(path), self.manifest)

    def all_questions(self, judge_id: str, files: Iterable[Path]) -> set[str]:
        """Those of these files and of the baselines, which every test set is given."""
        given = [baseline.predict(self.compiled) for baseline in SUITE.baselines]
        given += [self.of_file(path) for path in files]
        return set().union(*(self.questions(judge_id, one) for one in given))

    def summary(self, path: Path) -> Summary:
        """The numbers of a file by the lexical judge, which asks nobody."""
        means = Resources(protocol=SUITE.protocols[0], judge=LexicalJudge())
        rows = range(len(self.compiled.scenes))
        table = SUITE.score(self.compiled, self.of_file(path), rows, means)
        return summarise(SUITE, table)


def read(path: Path) -> TestSet:
    annotations = SUITE.read_annotations(open_upload(path))
    return TestSet(
        compiled=SUITE.compile(annotations),
        manifest=SUITE.make_manifest(annotations),
        models=Models(encoder=load_encoder(), nouns=load_nouns()),
    )
