"""A submission of the size of a real one: long dialogues, some calls damaged."""

import copy
import json
import random
import zipfile
from collections.abc import Iterator
from pathlib import Path

MODES = ("easy", "hard", "static")
WORDS = (
    *("please", "the", "shelf", "bottle", "which", "costs", "less", "than", "that"),
    *("add", "it", "to", "my", "cart", "thanks", "price", "per", "hundred", "grams"),
    *("calories", "total", "let", "me", "check", "database", "again", "second", "left"),
    *("pointing", "hand", "video", "frame", "confirm", "quantity", "order", "table"),
)
REPLY_WORDS = 900  # of each turn: about 6 KB
Json = dict[str, object]


def pack_test_set(data: Path, target: Path) -> None:
    """Tasks and databases as their host zips them."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for folder in ("tasks", "databases"):
            for path in sorted((data / folder).glob("*.json")):
                archive.write(path, f"{folder}/{path.name}")


def pack_submission(data: Path, target: Path, seed: int = 20) -> int:
    """A result file for every scenario file and mode; the bytes of all of them."""
    draw, size = random.Random(seed), 0  # noqa: S311
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for path in sorted((data / "tasks").glob("*.json")):
            tasks = json.loads(path.read_bytes())
            for mode in MODES:
                entries = [_entry(task, mode, draw) for task in tasks]
                kept = [entry for entry in entries if draw.random() > 0.02]
                text = json.dumps(kept)
                size += len(text)
                archive.writestr(f"results/{path.stem}_{mode}.json", text)
    return size


def _entry(task: Json, mode: str, draw: random.Random) -> Json:
    """What the released runner writes for one task."""
    key = "scenario_id" if "scenario_id" in task else "task_id"
    calls = list(_damaged(copy.deepcopy(task["ground_truth"]), draw))
    turns = [
        {"turn": number, "calls": [call], "results": [_prose(draw, 60)]}
        for number, call in enumerate(calls, 1)
    ]
    return {
        key: task[key],
        "mode": mode,
        "instruction": _prose(draw, 80),
        "tool_calls": turns,
        "tool_calls_count": len(calls),
        "dialogue": [
            {"role": role, "content": _prose(draw, REPLY_WORDS)}
            for _ in range(2)
            for role in ("user", "assistant")
        ],
        "rounds_count": 2 + len(calls),
        "input_tokens": draw.randrange(4_000, 60_000),
        "output_tokens": draw.randrange(200, 4_000),
    }


def _damaged(calls: list[Json], draw: random.Random) -> Iterator[Json]:
    """The ground truth; in two of five tasks one call is lost, odd or made twice."""
    chosen = draw.randrange(len(calls)) if draw.random() < 0.4 else None
    for number, call in enumerate(calls):
        kind = draw.choice(("lost", "another's", "malformed", "twice"))
        if number != chosen:
            kind = ""
        elif kind == "another's":
            call["parameters"]["user_id"] = "somebody_else_1"  # type: ignore[index]
        elif kind == "malformed":
            del call["parameters"]
        if kind == "twice":
            yield copy.deepcopy(call)
        if kind != "lost":
            yield call


def _prose(draw: random.Random, words: int) -> str:
    return " ".join(draw.choices(WORDS, k=words))
