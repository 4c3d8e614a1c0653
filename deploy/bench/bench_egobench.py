"""EgoBench: time against the released way of working, and memory on long dialogues.

    python deploy/bench/bench_egobench.py TESTSET SUBMISSION
    python deploy/bench/bench_egobench.py TESTSET --memory

TESTSET is a directory with tasks/ and databases/, SUBMISSION a file for it. The
baseline is a plain transcription of how the released evaluator works: load the
database three times for each task, replay both sides, normalise and hash both whole
states, match without remembering anything.
"""

import argparse
import hashlib
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from evaluation.egobench import SUITE
from evaluation.egobench.cascade import name_of, parameters_of
from evaluation.egobench.compiled import Compiled, Stage
from evaluation.egobench.matching import GoalCall, covered
from evaluation.egobench.replay import understood
from evaluation.egobench.scenarios import SCENARIOS
from evaluation.egobench.scenarios.base import ODD_CALL, Scenario
from evaluation.egobench.state import Store
from evaluation.egobench.submissions import Submission
from evaluation.egobench.testset import MODES, TestSet
from evaluation.reading import MIB, Limits, open_upload
from evaluation.suite import Resources

RUNS = 5
RESOURCES = Resources(protocol="egobench/1")
LIMITS = Limits(packed_mib=512)
DIALOGUES_MIB = 200


def submitted_rows(
    compiled: Compiled, submission: Submission, test_set: TestSet
) -> list[int]:
    """The rows of the files that a submission contains."""
    chosen = SUITE.select(test_set, SUITE.submitted(submission, test_set))
    wanted = set(SUITE.instance_ids(SUITE.compile(chosen)))
    ids = SUITE.instance_ids(compiled)
    return [row for row, instance in enumerate(ids) if instance in wanted]


def baseline(test_set: TestSet, texts: dict[str, str], path: Path) -> tuple[int, int]:
    """Tasks and joint successes, found the slow way. `texts`: databases as JSON."""
    files = json.loads(path.read_text())["submission"]
    tasks = passed = 0
    for variant in test_set.variants:
        for mode in MODES:
            entries = files.get(f"{variant.name}_{mode}")
            if entries is None:
                continue
            by_id = {e.get("scenario_id", e.get("task_id")): e for e in entries}
            for task in variant.tasks:
                tasks += 1
                goal = [(c.tool, c.parameters) for c in task.calls]
                entry = by_id.get(task.id, {"tool_calls": []})
                given = [
                    (name_of(call), parameters_of(call))
                    for turn in entry["tool_calls"]
                    for call in turn["calls"]
                ]
                scenario = SCENARIOS[variant.scenario]
                passed += one_task(scenario, texts[variant.database], goal, given)
    return tasks, passed


def one_task(scenario: Scenario, text: str, goal: list, given: list) -> bool:
    """Three loads, two replays, two whole states hashed, calls matched."""
    stage = Stage(scenario, scenario.load(json.loads(text)))
    goals = [
        GoalCall(tool=t, parameters=understood(scenario.tools, t, p), is_plain=False)
        for t, p in goal
    ]
    pool: dict[str, list] = {}
    for position, (tool, parameters) in enumerate(given):
        kept = understood(scenario.tools, tool, parameters)
        pool.setdefault(tool, []).append((position, kept))
    is_covered = len(covered(goals, pool, stage.equality)) == len(goals)
    states = []
    for calls in (goal, given):
        store = scenario.load(json.loads(text))
        run(scenario, store, calls)
        states.append(digest(store))
    return is_covered and states[0] == states[1]


def run(scenario: Scenario, store: Store, calls: list) -> None:
    for name, parameters in calls:
        if name in scenario.tools:
            kept = understood(scenario.tools, name, parameters)
            try:
                scenario.tools[name].function(store, **kept)
            except ODD_CALL:
                continue


def digest(store: Store) -> str:
    """The hash of a whole state."""
    if hasattr(store, "restaurants"):
        for restaurant in store.restaurants.initial:
            store.menu(restaurant)
    state = {
        "/".join(map(str, name)): {
            str(key): normalised(table.compared(record))
            for key, record in table.items()
        }
        for name, table in store.tables()
    }
    text = json.dumps(state, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def normalised(value: object) -> object:
    if isinstance(value, dict):
        return {key: normalised(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [normalised(element) for element in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def timed(work: Callable[[], object]) -> float:
    """The median processor time of some runs, in seconds."""
    times = []
    for _ in range(RUNS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return statistics.median(times)


def compare_times(test_set: TestSet, path: Path) -> None:
    compiled, manifest = SUITE.compile(test_set), SUITE.make_manifest(test_set)
    texts = {name: json.dumps(db) for name, db in test_set.databases.items()}
    submission = SUITE.read_predictions(open_upload(path), manifest)
    rows = submitted_rows(compiled, submission, test_set)
    table = SUITE.score(compiled, submission, rows, RESOURCES)
    passed = int(table.numerators["joint_succ"].sum() / 100)
    tasks, slowly_passed = baseline(test_set, texts, path)
    if (tasks, slowly_passed) != (len(table), passed):
        raise SystemExit(
            f"they disagree: {tasks} {slowly_passed}, {len(table)} {passed}"
        )

    def ours() -> None:
        read = SUITE.read_predictions(open_upload(path), manifest)
        SUITE.score(compiled, read, rows, RESOURCES)

    def cold() -> None:
        fresh = SUITE.compile(test_set)
        read = SUITE.read_predictions(open_upload(path), manifest)
        SUITE.score(fresh, read, rows, RESOURCES)

    slow = timed(lambda: baseline(test_set, texts, path))
    for label, seconds in (
        ("the released way", slow),
        ("ours, parsing included", timed(ours)),
        ("ours, compiling included", timed(cold)),
    ):
        print(
            f"{label:26} {seconds:7.3f} s  {tasks / seconds:9.0f} tasks/s"
            f"  1/{slow / seconds:.0f}"
        )


def write_dialogues(test_set: TestSet, folder: Path) -> None:
    """Result files in all modes whose dialogues make up DIALOGUES_MIB."""
    chance = random.Random(7)
    words = [f"word{chance.randrange(10**6)}" for _ in range(300)]
    instances = sum(len(i) for v in test_set.variants for i in v.chosen.values())
    length = DIALOGUES_MIB * MIB // instances
    for variant in test_set.variants:
        for mode in MODES:
            entries = []
            for task in variant.tasks:
                text = " ".join(chance.choices(words, k=length // 22))
                calls = [
                    {"tool_name": c.tool, "parameters": c.parameters}
                    for c in task.calls
                ]
                turn = {"turn": 1, "calls": calls, "results": [text]}
                dialogue = [{"role": "user", "content": text}]
                entries.append(
                    {"task_id": task.id, "tool_calls": [turn], "dialogue": dialogue}
                )
            name = folder / f"{variant.name}_{mode}.json"
            name.write_text(json.dumps(entries))


def compare_memory(test_set: TestSet, where: Path) -> None:
    """Peak memory of reading and scoring, each in a process of its own."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch, "files")
        folder.mkdir()
        write_dialogues(test_set, folder)
        packed, joined = Path(scratch, "files.zip"), Path(scratch, "joined.json")
        with (
            zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as z,
            joined.open("w") as stream,
        ):
            for position, path in enumerate(sorted(folder.iterdir())):
                z.write(path, path.name)
                stream.write(f'{"," if position else "{"}"{path.stem}":')
                stream.write(path.read_text())
            stream.write("}")
        for path in (Path(scratch, "none"), folder, packed, joined):
            command = [sys.executable, __file__, str(where), "--peak", str(path)]
            subprocess.run(command, check=True)  # noqa: S603


def peak(test_set: TestSet, path: Path) -> None:
    """Print the peak memory of this process after scoring one submission."""
    compiled, manifest = SUITE.compile(test_set), SUITE.make_manifest(test_set)
    size = 0
    start = time.perf_counter()
    if path.exists():
        parts = path.rglob("*") if path.is_dir() else [path]
        size = sum(part.stat().st_size for part in parts)
        read = SUITE.read_predictions(open_upload(path, limits=LIMITS), manifest)
        ids = SUITE.instance_ids(compiled)
        table = SUITE.score(compiled, read, range(len(ids)), RESOURCES)
        score = table.numerators["joint_succ"].mean()
        if score < 100:
            raise SystemExit(f"JointSucc is {score}, not 100")
    seconds = time.perf_counter() - start
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{path.name:12} {size / MIB:6.0f} MiB  {seconds:6.1f} s  peak {used:5.0f} MiB"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("testset", type=Path)
    parser.add_argument("submission", type=Path, nargs="?")
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--peak", type=Path)
    options = parser.parse_args()
    test_set = SUITE.read_annotations(open_upload(options.testset))
    if options.peak is not None:
        peak(test_set, options.peak)
    elif options.memory:
        compare_memory(test_set, options.testset)
    else:
        compare_times(test_set, options.submission)


if __name__ == "__main__":
    main()
