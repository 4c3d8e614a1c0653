"""SVCBench: reading and scoring, against the released way of working in plain Python.

    python deploy/bench/bench_svcbench.py [--scale 100]

The baseline follows the description of the released scripts: parse every line with
`json`, group rows by question, sort them by query_index, read predictions with `int`,
write one row per question; read that again, compute each metric of each question in
Python loops and average. Both sides get the truth ready made (a dict there, a compiled
test set here). Reading annotations and the bootstrap are timed apart. The test set is
made up here; both sides must agree on the scores. Times are CPU seconds.
"""

import argparse
import json
import math
import random
import resource
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from evaluation import SUITES
from evaluation.aggregate import summarise
from evaluation.reading import Limits, open_upload
from evaluation.statistics import intervals
from evaluation.suite import Resources
from evaluation.svcbench.taxonomy import MONOTONE, SINGLE, SUBTYPES, UPDATING, type_of
from evaluation.tables import InstanceTable

QUESTIONS = 1000
REPEATS = 5
Row = dict[str, object]
Truth = dict[str, tuple[int, int]]  # q_id -> query_index, count
T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Files:
    annotations: Path
    predictions: Path


def make_test_set(questions: int) -> list[Row]:
    """Rows like the official ones: about 4.6 query points a question, 400 videos."""
    draw = random.Random(20)
    rows: list[Row] = []
    for number in range(questions):
        subtype = draw.choice(SUBTYPES)
        points = 1 if subtype in SINGLE else draw.randint(2, 9)
        count, moment = draw.randint(0, 3), draw.uniform(1, 20)
        for index in range(points):
            rows.append(
                {
                    "q_id": f"{len(rows):04d}",
                    "query_index": index,
                    "id": f"{number:04d}",
                    "source_dataset": f"source{number % 10}",
                    "video_path": f"{number % (questions * 2 // 5)}.mp4",
                    "question": "How many?",
                    "counting_type": type_of(subtype),
                    "counting_subtype": subtype,
                    "query_time": round(moment, 2),
                    "count": count,
                }
            )
            moment += draw.uniform(1, 20)
            step = draw.choice((0, 1, 1, 2))
            count = count + step if subtype in MONOTONE else draw.randint(0, 8)
    return rows


def make_submission(rows: Sequence[Row]) -> list[Row]:
    """One noisy prediction per query point, as the released demo writes them."""
    draw = random.Random(21)
    kept = ("q_id", "id", "query_index", "query_time")
    return [
        {key: row[key] for key in kept}
        | {"prediction": int(str(row["count"])) + draw.choice((-1, 0, 0, 0, 1))}
        for row in rows
    ]


def unify(path: Path, truth: Truth, out: Path) -> None:
    """Group a file's rows into trajectories and write one row per question."""
    groups: dict[str, list[dict[str, object]]] = defaultdict(list)
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            groups[row["id"]].append(row)
    with out.open("w", encoding="utf-8") as file:
        for id_, group in groups.items():
            group.sort(key=lambda row: truth[str(row["q_id"])][0])
            unified = {
                "id": id_,
                "query_times": [row["query_time"] for row in group],
                "predictions": [int(str(row["prediction"])) for row in group],
                "gts": [truth[str(row["q_id"])][1] for row in group],
            }
            file.write(json.dumps(unified) + "\n")


def subtypes_of(path: Path) -> dict[str, str]:
    """id -> subtype, from the annotations, which the released script reads each time."""
    with path.open(encoding="utf-8") as lines:
        rows = (json.loads(line) for line in lines)
        return {row["id"]: row["counting_subtype"] for row in rows}


def question_metrics(
    subtype: str, predictions: Sequence[int], truths: Sequence[int]
) -> dict[str, float | None]:
    """The three metrics of one trajectory, as the released script computes them."""
    n = len(truths)
    closeness = 0.0
    for p, g in zip(predictions, truths, strict=True):
        sigma = 0.05 * max(g, 1)
        closeness += math.exp(-((p - g) ** 2) / (2 * sigma**2))
    found: dict[str, float | None] = {"gpa": closeness / n, "moc": None, "uda": None}
    if n > 1 and subtype in MONOTONE:
        falls = (i for i in range(n - 1) if predictions[i + 1] < predictions[i])
        found["moc"] = next(falls, n - 1) / (n - 1)
    if n > 1 and subtype in UPDATING:
        hits = 0
        for i in range(1, n):
            p, g = predictions[i] - predictions[i - 1], truths[i] - truths[i - 1]
            hits += (p > 0) - (p < 0) == (g > 0) - (g < 0)
        found["uda"] = hits / (n - 1)
    return found


def compute(unified: Path, subtypes: dict[str, str]) -> dict[str, float]:
    """Overall and by subtype, like the released script's report."""
    values: dict[tuple[str, str], list[float]] = defaultdict(list)
    with unified.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            subtype = subtypes[row["id"]]
            metrics = question_metrics(subtype, row["predictions"], row["gts"])
            for key, value in metrics.items():
                if value is not None:
                    values["overall", key].append(value)
                    values[subtype, key].append(value)
    return {"/".join(key): sum(v) / len(v) for key, v in values.items()}


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """The best of a few runs in CPU seconds, and what the last returned."""
    best = math.inf
    for _ in range(REPEATS):
        start = time.process_time()
        result = work()
        best = min(best, time.process_time() - start)
    return best, result


def write(rows: Sequence[Row], path: Path) -> Path:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    return path


def released_way(
    files: Files, truth: Truth
) -> tuple[dict[str, float], dict[str, float]]:
    """Seconds of each stage, and the scores."""
    unified = files.predictions.with_name("unified.jsonl")
    grouping, _ = timed(lambda: unify(files.predictions, truth, unified))
    reading, subtypes = timed(lambda: subtypes_of(files.annotations))
    computing, scores = timed(lambda: compute(unified, subtypes))
    return {"unify": grouping, "annotations": reading, "compute": computing}, scores


def our_way(files: Files) -> tuple[dict[str, float], dict[str, float | None]]:
    """Seconds of each stage, and the scores."""
    suite = SUITES["svcbench"]
    limits = Limits(packed_mib=1024, unpacked_mib=1024)
    annotations = open_upload(files.annotations, limits=limits)
    upload = open_upload(files.predictions, limits=limits)
    reading, read = timed(lambda: suite.read_annotations(annotations))
    compiling, compiled = timed(lambda: suite.compile(read))
    manifest = suite.make_manifest(read)
    every = range(len(suite.instance_ids(compiled)))
    resources = Resources(protocol=suite.protocols[0])

    def score() -> InstanceTable:
        answers = suite.read_predictions(upload, manifest)
        return suite.score(compiled, answers, every, resources)

    scoring, table = timed(score)
    adding, summary = timed(lambda: summarise(suite, table))
    drawing, _ = timed(lambda: intervals(suite, table, "bench"))
    seconds = {
        "annotations": reading + compiling,
        "score": scoring + adding,
        "intervals": drawing,
    }
    return seconds, summary.scores["overall"]


def measure(questions: int, folder: Path) -> None:
    """Time both ways on one made-up test set, and see that they agree."""
    rows = make_test_set(questions)
    files = Files(
        annotations=write(rows, folder / "vcbench_eval.jsonl"),
        predictions=write(make_submission(rows), folder / "predictions.jsonl"),
    )
    truth = {
        str(row["q_id"]): (int(str(row["query_index"])), int(str(row["count"])))
        for row in rows
    }
    ours, scores = our_way(files)
    base, expected = released_way(files, truth)
    for our_key, key in (("gpa", "gpa"), ("moc", "moc"), ("uda_direction", "uda")):
        if abs((scores[our_key] or 0) / 100 - expected[f"overall/{key}"]) > 1e-9:
            raise SystemExit(f"{key} differs: the two do not compute the same")
    once = base["unify"] + base["compute"]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{questions} questions, {len(rows)} rows")
    print(f"  released way: unify             {base['unify']:8.4f} s")
    print(f"  released way: compute           {base['compute']:8.4f} s")
    print(f"  released way: read annotations  {base['annotations']:8.4f} s")
    print(f"  ours: read, score, aggregate    {ours['score']:8.4f} s")
    print(f"  ours: read and compile test set {ours['annotations']:8.4f} s, once")
    print(f"  ours: intervals                 {ours['intervals']:8.4f} s")
    print(f"  unify + compute against ours: {once / ours['score']:.1f} times")
    print(f"  peak memory so far: {peak:.0f} MiB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=int, default=100)
    scale = parser.parse_args().scale
    for questions in (QUESTIONS, QUESTIONS * scale):
        with tempfile.TemporaryDirectory() as folder:
            measure(questions, Path(folder))


if __name__ == "__main__":
    main()
