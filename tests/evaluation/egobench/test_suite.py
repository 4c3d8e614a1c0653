"""What ships with the suite: declarations, tool files, samples, baselines, results."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaluation.aggregate import summarise
from evaluation.egobench import SUITE
from evaluation.egobench.scenarios import SCENARIOS
from evaluation.egobench.scenarios.base import schema
from evaluation.published import published
from evaluation.reading import open_upload
from tests.evaluation.egobench.building import RESOURCES, SAMPLES

# Where our declared tools differ from the released tool files, and why.
DIFFERENCES: dict[tuple[str, str], set[tuple[str, Any]]] = {
    # The store accepts a sell_type that the tool file does not offer.
    ("retail", "add_product"): {
        ("sell_type", "string"),
        # The file asks for neither, yet the store cannot do without nutrition.
        ("nutrition", "required"),
    },
}


def parameters(tool: dict[str, Any]) -> set[tuple[str, Any]]:
    """Names with types, and which are required."""
    found = tool["parameters"]
    kinds = {
        (name, "number" if p["type"] == "integer" else p["type"])
        for name, p in found.get("properties", {}).items()
    }
    return kinds | {(name, "required") for name in found.get("required") or ()}


@pytest.mark.parametrize("slug", list(SCENARIOS))
def test_declared_tools_are_those_of_the_released_files(
    slug: str, shared_data: Path
) -> None:
    text = (shared_data / f"egobench/tools/{slug}.json").read_text()
    theirs = {
        t["tool_name"]: t for t in (e.get("function", e) for e in json.loads(text))
    }
    ours = {
        t["function"]["tool_name"]: t["function"] for t in schema(SCENARIOS[slug].tools)
    }
    assert ours.keys() == theirs.keys()
    for name, tool in ours.items():
        differing = parameters(tool) ^ parameters(theirs[name])
        assert differing == DIFFERENCES.get((slug, name), set()), name
        assert tool["description"]


def test_every_scenario_declares_as_many_tools_as_the_protocol_says() -> None:
    counts = {slug: len(scenario.tools) for slug, scenario in SCENARIOS.items()}
    assert counts == {
        "retail": 21,
        "kitchen": 28,
        "restaurant": 27,
        "order": 27,
        "warehouse": 17,
        "household": 16,
    }


def test_query_tools_and_fuzzy_keys_exist() -> None:
    for scenario in SCENARIOS.values():
        assert scenario.query_tools <= scenario.tools.reading()
        accepted = {name for tool in scenario.tools.values() for name in tool.accepted}
        listed = {"restaurant_name"} if scenario.slug == "restaurant" else set()
        assert scenario.fuzzy_keys <= accepted | listed


def load() -> tuple[Any, Any, Any]:
    test_set = SUITE.read_annotations(open_upload(SAMPLES / "testset"))
    return test_set, SUITE.compile(test_set), SUITE.make_manifest(test_set)


def test_the_samples_are_sound_and_spread_over_the_scale() -> None:
    test_set, compiled, manifest = load()
    assert {f.code for f in SUITE.lint(test_set)} == {"empty_passes_result"}
    listed = json.loads((SAMPLES / "samples.json").read_text())
    scores, errors = {}, set()
    for sample in listed:
        answers = SUITE.read_predictions(
            open_upload(SAMPLES / sample["file"]), manifest
        )
        table = SUITE.score(compiled, answers, range(90), RESOURCES)
        scores[sample["method"]] = table.numerators["joint_succ"].mean()
        errors |= {table.error(row) for row in range(90)}
    values = list(scores.values())
    assert values[0] == max(values) > 80
    assert min(values) < 10
    assert errors == {error.key for error in SUITE.errors}


def test_baselines_need_no_answer_and_are_a_floor() -> None:
    _, compiled, _ = load()
    for baseline in SUITE.baselines:
        answers = baseline.predict(compiled)
        table = SUITE.score(compiled, answers, range(90), RESOURCES)
        assert answers.coverage.answered == 90
        assert table.numerators["joint_succ"].mean() < 5
        is_empty = baseline.key == "empty"
        assert bool(table.errors["syntax"].sum()) is is_empty
        if baseline.key == "read_only":
            unchanged = table.numerators["result_succ"].sum() / 100
            assert unchanged == 3, "only where the ground truth changes nothing (Q15)"


def test_baselines_know_all_scenarios(shared_data: Path) -> None:
    compiled = SUITE.compile(
        SUITE.read_annotations(open_upload(shared_data / "egobench"))
    )
    rows = range(len(SUITE.instance_ids(compiled)))
    for baseline in SUITE.baselines:
        table = SUITE.score(compiled, baseline.predict(compiled), rows, RESOURCES)
        assert table.numerators["joint_succ"].mean() < 1


def test_the_headline_is_the_mean_over_modes() -> None:
    test_set, compiled, manifest = load()
    path = SAMPLES / "hasty-agent.zip"
    chosen = SUITE.select(
        test_set, [*(f"retail91_easy/{n}" for n in range(1, 6)), "retail91_hard/1"]
    )
    answers = SUITE.read_predictions(open_upload(path), manifest)
    compiled = SUITE.compile(chosen)
    table = SUITE.score(compiled, answers, range(6), RESOURCES)
    scores = summarise(SUITE, table).scores
    easy, hard = (scores[f"mode:{mode}"]["joint_succ"] for mode in ("easy", "hard"))
    assert easy is not None
    assert hard is not None
    assert easy != hard
    assert scores["overall"]["joint_succ"] == pytest.approx((easy + hard) / 2)


def test_every_declared_metric_error_and_family_is_in_the_table() -> None:
    _, compiled, manifest = load()
    answers = SUITE.read_predictions(open_upload(SAMPLES / "eager-agent.zip"), manifest)
    table = SUITE.score(compiled, answers, range(90), RESOURCES)
    assert set(table.numerators) == {metric.key for metric in SUITE.metrics}
    assert set(table.denominators) == set(table.numerators)
    assert set(table.tags) == {family.key for family in SUITE.families}
    assert list(table.errors) == [error.key for error in SUITE.errors]
    assert sum(int(counts.sum()) for counts in table.errors.values()) == 90


def test_published_results_use_known_metrics_and_subsets() -> None:
    rows = published("egobench")
    assert len(rows) == 13
    keys = {metric.key for metric in SUITE.metrics}
    for row in rows:
        assert set(row.scores) <= {"overall", "mode:easy", "mode:hard", "mode:static"}
        for scores in row.scores.values():
            assert set(scores) <= keys
            assert all(
                0 <= value <= 100 for value in scores.values() if value is not None
            )


def test_published_averages_are_the_mean_over_modes() -> None:
    for row in published("egobench"):
        if "overall" in row.scores:
            modes = [
                row.scores[f"mode:{m}"]["joint_succ"]
                for m in ("easy", "hard", "static")
            ]
            mean = sum(value for value in modes if value is not None) / 3
            assert row.scores["overall"]["joint_succ"] == pytest.approx(mean, abs=0.006)
