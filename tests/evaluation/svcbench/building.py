"""Small SVCBench test sets and submissions."""

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

from evaluation.reading import open_upload
from evaluation.suite import Resources
from evaluation.svcbench import SUITE
from evaluation.svcbench.annotations import Annotations, Compiled
from evaluation.svcbench.draft import Predictions
from evaluation.tables import InstanceTable

DATA = Path(__file__).resolve().parents[2] / "data" / "svcbench"
Row = dict[str, object]


def question(
    counts: Sequence[int],
    *,
    question_id: str = "0001",
    subtype: str = "O2-Unique",
    video: str = "a.mp4",
    first_q_id: int = 0,
) -> list[Row]:
    """The rows of one question, ten seconds apart."""
    return [
        {
            "q_id": f"{first_q_id + index:04d}",
            "query_index": index,
            "id": question_id,
            "source_dataset": "hall",
            "video_path": video,
            "question": "How many?",
            "counting_type": subtype.partition("-")[0],
            "counting_subtype": subtype,
            "query_time": 1.5 + 10 * index,
            "count": count,
        }
        for index, count in enumerate(counts)
    ]


def raw(rows: Sequence[Row], predictions: Sequence[object]) -> list[Row]:
    """Raw submission rows for these query points."""
    kept = ("q_id", "id", "query_index", "query_time")
    return [
        {key: row[key] for key in kept} | {"prediction": prediction}
        for row, prediction in zip(rows, predictions, strict=True)
    ]


def lines(rows: Sequence[object]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def annotations(rows: Sequence[Row] | bytes) -> Annotations:
    data = rows if isinstance(rows, bytes) else lines(rows)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "vcbench_eval.jsonl"
        path.write_bytes(data)
        return SUITE.read_annotations(open_upload(path))


def compiled(rows: Sequence[Row]) -> Compiled:
    return SUITE.compile(annotations(rows))


def predictions(
    given: Sequence[object] | bytes, rows: Sequence[Row] | None
) -> Predictions:
    """Read a submission against these query points, or (None) for its form alone."""
    manifest = None if rows is None else SUITE.make_manifest(annotations(rows))
    data = given if isinstance(given, bytes) else lines(given)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "predictions.jsonl"
        path.write_bytes(data)
        return SUITE.read_predictions(open_upload(path), manifest)


def scored(rows: Sequence[Row], given: Sequence[object] | bytes) -> InstanceTable:
    truth = compiled(rows)
    return score(truth, predictions(given, rows))


def score(truth: Compiled, answers: Predictions) -> InstanceTable:
    every = range(len(truth.ids))
    return SUITE.score(truth, answers, every, Resources(protocol="svcbench/1"))
