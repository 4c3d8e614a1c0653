"""The command line of every suite on its own samples, literally as promised."""

import json
import os
import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from evaluation.embedding import PACKAGE

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "evaluation" / "samples"
SVCBENCH = {
    "--annotations": SAMPLES / "svcbench/testset.jsonl",
    "--predictions": SAMPLES / "svcbench/sleepy.jsonl",
}
EGOBENCH = {
    "--annotations": SAMPLES / "egobench/testset",
    "--predictions": SAMPLES / "egobench/lost-agent.zip",
}
EXPLORE = {
    "--annotations": SAMPLES / "explore/testset_abnormal.json",
    "--predictions": SAMPLES / "explore/abnormal_careless.json",
    "--judge": "lexical",
}
GIVEN = {"svcbench": SVCBENCH, "egobench": EGOBENCH, "explore": EXPLORE}
INSTANCE = {
    "svcbench": {"gpa", "moc", "uda", "uda_direction"},
    "egobench": {
        "matches",
        "total_gt_calls",
        "total_calls",
        "tool_success",
        "result_success",
        "joint_success",
        "sub_error",
    },
    "explore": {
        *("s_obj", "s_att", "s_rel", "s_key"),
        *("objects", "attributes", "relations", "key_states"),
    },
}
METRICS = {
    "svcbench": ["gpa", "moc", "uda", "uda_direction"],
    "egobench": ["joint_succ", "tool_succ", "result_succ", "micro_acc"],
    "explore": ["s_uni", "s_obj", "s_att", "s_rel", "words", "s_abn", "s_key"],
}
SUBSETS = {
    "svcbench": ["type:O1", "subtype:O1-Snap", "source:street-cam"],
    "egobench": [
        *("mode:easy", "mode:hard", "mode:static"),
        *("scenario:retail", "scenario_mode:retail/easy", "variant:retail91"),
    ],
    "explore": ["length:short", "scene:final", "abnormal:safety_hazard"],
}
ERRORS = {
    "svcbench": "invalid non_monotone correct lagging over_count under_count mixed_count",
    "egobench": "missing syntax perception hallucination logic over_operation correct",
    "explore": "object_missed attribute_wrong relation_wrong key_state_wrong right",
}


def run(*arguments: object, seed: str = "0") -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed}
    return subprocess.run(
        [sys.executable, "-m", "evaluation", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env=environment,
        timeout=120,
    )


def score(suite: str, *more: object, seed: str = "0", **changed: object) -> str:
    """The JSON that a scoring prints; it must succeed and print nothing else."""
    needs_models(suite)
    given = GIVEN[suite] | {f"--{key}": value for key, value in changed.items()}
    flat = [part for pair in given.items() for part in pair]
    done = run("score", "--suite", suite, *flat, "--json", "-", *more, seed=seed)
    assert done.returncode == 0, done.stderr
    return done.stdout


def needs_models(suite: str) -> None:
    missing = [m for m in ("torch", "spacy", PACKAGE) if find_spec(m) is None]
    if suite == "explore" and missing:
        pytest.skip(f"needs {', '.join(missing)}")


@pytest.mark.parametrize("suite", list(GIVEN))
def test_a_report_is_as_promised_and_the_same_under_any_hash_seed(suite: str) -> None:
    text = score(suite, "--instances", "--quiet", seed="1")
    report: dict[str, Any] = json.loads(text)
    assert (report["suite"], report["protocol"]) == (suite, f"{suite}/1")
    judge = "lexical (not comparable)" if suite == "explore" else None
    assert report["judge"] == judge
    assert set(report["coverage"]) == {
        "expected",
        "answered",
        "missing",
        "invalid",
        "unknown",
        "duplicate",
    }
    scores, errors = report["scores"], report["errors"]
    assert next(iter(scores)) == "overall"
    assert set(SUBSETS[suite]) < scores.keys() == errors.keys()
    assert scores.keys() == report["intervals"].keys()
    assert set(METRICS[suite]) <= scores["overall"].keys()
    assert errors["overall"].keys() == set(ERRORS[suite].split())
    for metric in METRICS[suite]:
        low, high = report["intervals"]["overall"][metric]
        assert low <= scores["overall"][metric] <= high
        assert scores["overall"][metric] <= (
            5 if metric in {"s_att", "s_rel", "s_key"} else 100.000001
        )
    for instance in report["instances"]:
        assert {"id", "subsets", "error", *INSTANCE[suite]} <= instance.keys()
        assert set(instance["subsets"]) <= scores.keys()
    if suite != "explore":
        labels = [instance["error"] for instance in report["instances"]]
        assert {key: labels.count(key) for key in errors["overall"]} == errors[
            "overall"
        ]
    assert score(suite, "--instances", "--quiet", seed="2") == text


def test_a_directory_and_a_zip_in_any_order_are_the_same(tmp_path: Path) -> None:
    whole = score("egobench", "--instances")
    test_set, sent = tmp_path / "set.zip", tmp_path / "sent"
    with zipfile.ZipFile(test_set, "w") as archive:
        for path in sorted(EGOBENCH["--annotations"].rglob("*.json"), reverse=True):
            archive.write(path, path.relative_to(EGOBENCH["--annotations"].parent))
    with zipfile.ZipFile(EGOBENCH["--predictions"]) as archive:
        archive.extractall(sent)
        names = archive.namelist()
    packed = tmp_path / "sent.zip"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in reversed(names):
            archive.write(sent / name, f"inner/{name}")
    assert score("egobench", "--instances", predictions=sent) == whole
    assert (
        score("egobench", "--instances", annotations=test_set, predictions=packed)
        == whole
    )


def counts(text: str) -> dict[str, int]:
    found: dict[str, int] = json.loads(text)["counts"]["overall"]
    return found


def test_selections_of_each_suite(tmp_path: Path) -> None:
    chosen = tmp_path / "chosen.json"
    chosen.write_text('{"retail91": {"ids": [1, 2], "modes": ["easy", "static"]}}')
    assert counts(score("egobench", selection=chosen))["joint_succ"] == 4
    chosen.write_text('["retail91_easy/1"]')
    assert counts(score("egobench", selection=chosen))["joint_succ"] == 1
    assert counts(score("egobench", selection="submitted"))["joint_succ"] == 90
    # A submission for the whole test set can be scored on a part of it.
    chosen.write_text('["0001", "0003"]')
    part = json.loads(score("svcbench", selection=chosen))
    assert part["counts"]["overall"]["gpa"] == 2
    assert part["coverage"]["expected"] < 20
    assert part["coverage"]["unknown"] > 150
    whole = json.loads(score("svcbench", "--instances"))
    alone = json.loads(score("svcbench", "--instances", selection=chosen))
    same = [one for one in whole["instances"] if one["id"] in {"0001", "0003"}]
    assert alone["instances"] == same
    assert counts(score("svcbench", selection="submitted"))["gpa"] > 2


def test_explore_reads_a_directory_and_scores_as_released_too(tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    for name in ("testset", "testset_abnormal"):
        copy = tmp_path / "set" / name.replace("testset", "anno")
        copy.with_suffix(".json").write_bytes(
            (SAMPLES / f"explore/{name}.json").read_bytes()
        )
    chosen = tmp_path / "chosen.json"
    chosen.write_text('["abnormal_01.jpg", "breakfast_01.jpg"]')
    both = json.loads(
        score(
            "explore",
            "--instances",
            annotations=tmp_path / "set",
            selection=chosen,
            protocol="explore/1-compat",
        )
    )
    assert both["protocol"] == "explore/1-compat"
    assert [one["id"] for one in both["instances"]] == [
        "breakfast_01.jpg",
        "abnormal_01.jpg",
    ]
    assert both["instances"][0]["outcome"] == "skipped", "not answered, so left out"
    assert both["counts"]["overall"]["s_abn"] == 1
    assert both["counts"]["overall"]["s_uni"] == 0


@pytest.mark.parametrize(
    ("judge", "status"),
    [
        (None, 2),
        ("nobody", 2),
        ("recorded:/absent.jsonl", 2),
        ("transformers:/absent", 2),
        ("openai:m", 2),
    ],
)
def test_a_judge_that_is_none_is_the_inputs_fault(
    judge: str | None, status: int
) -> None:
    needs_models("explore")
    given = {k: v for k, v in EXPLORE.items() if k != "--judge"}
    flat = [part for pair in given.items() for part in pair]
    named = () if judge is None else ("--judge", judge)
    done = run("score", "--suite", "explore", *flat, *named)
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr


def test_two_reports_are_compared_subset_by_subset(tmp_path: Path) -> None:
    for suite, other in (
        ("svcbench", "careful-counter.jsonl"),
        ("egobench", "eager-agent.zip"),
    ):
        a, b = tmp_path / f"{suite}_a.json", tmp_path / f"{suite}_b.json"
        a.write_text(score(suite, "--instances"))
        b.write_text(score(suite, "--instances", predictions=SAMPLES / suite / other))
        done = run("compare", a, b, "--json", "-")
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)
        first, second = (json.loads(path.read_text())["scores"] for path in (a, b))
        for metric in METRICS[suite]:
            difference = found["differences"]["overall"][metric]
            assert difference["value"] == pytest.approx(
                second["overall"][metric] - first["overall"][metric]
            )
            assert difference["interval"][0] <= difference["interval"][1]
            assert 0 < difference["p_value"] <= 1
        assert found["differences"].keys() == first.keys()
