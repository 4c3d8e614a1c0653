"""All submissions of the reference data: what they must score, or why be refused."""

import json
from collections import Counter
from pathlib import Path

import pytest

from evaluation.aggregate import summarise
from evaluation.problems import InvalidUpload
from evaluation.reading import open_upload
from evaluation.svcbench import SUITE
from evaluation.svcbench.annotations import Annotations, Compiled
from evaluation.svcbench.counts import Unreadable, read_count
from evaluation.svcbench.truth import read_annotations
from tests.evaluation.svcbench import building

THEIRS = {
    "gpa": "gpa",
    "moc": "moc",
    "uda": "uda_paper",
    "uda_direction": "uda_script",
}
FAMILIES = {
    "subtype": "by_subtype",
    "type": "by_type",
    "source": "by_source_dataset",
}
TOLERANCE = 1e-10  # of percent


@pytest.fixture(scope="module")
def oracle(shared_data: Path) -> Path:
    return shared_data / "svcbench" / "oracle"


@pytest.fixture(scope="module")
def official(shared_data: Path) -> Annotations:
    path = shared_data / "svcbench" / "vcbench_eval.jsonl"
    return read_annotations(open_upload(path))


@pytest.fixture(scope="module")
def truth(official: Annotations) -> Compiled:
    return SUITE.compile(official)


def expected(oracle: Path, name: str) -> dict:
    return json.loads((oracle / "expected" / f"{name}.json").read_bytes())


def names(oracle: Path, action: str) -> list[str]:
    found = []
    for path in sorted((oracle / "submissions").glob("*.jsonl")):
        recommended = expected(oracle, path.stem).get("recommended")
        if (recommended or {"action": "score"})["action"] == action:
            found.append(path.stem)
    return found


def close(ours: float | None, theirs: float | None) -> bool:
    if ours is None or theirs is None:
        return ours is theirs
    return abs(ours - 100 * theirs) <= TOLERANCE


def test_every_accepted_submission_scores_as_the_oracle_says(oracle, truth):
    accepted = names(oracle, "score")
    assert len(accepted) == 47
    for name in accepted:
        case = expected(oracle, name)
        metrics = case.get("metrics") or case["recommended"]["metrics"]
        path = oracle / "submissions" / f"{name}.jsonl"
        answers = SUITE.read_predictions(open_upload(path), truth.manifest)
        table = building.score(truth, answers)
        assert set(metrics["per_question"]) == set(table.ids)
        for row, id_ in enumerate(table.ids):
            for ours, theirs in THEIRS.items():
                value = metrics["per_question"][id_][theirs]
                assert close(table.value(ours, row), value), (name, id_, ours)
        summary = summarise(SUITE, table)
        groups = {"overall": metrics["overall"]} | {
            f"{family}:{value}": group
            for family, key in FAMILIES.items()
            for value, group in metrics[key].items()
        }
        assert groups.keys() == summary.scores.keys()
        for subset, group in groups.items():
            for ours, theirs in THEIRS.items():
                assert close(summary.scores[subset][ours], group[theirs])
                assert summary.counts[subset][ours] == group[f"{theirs}_n"]
        check_diagnostics(case, answers)


def check_diagnostics(case: dict, answers) -> None:
    diagnostics = case.get("recommended", {}).get("diagnostics")
    if diagnostics is None:
        return
    outcomes = dict(diagnostics["parse_outcomes"])
    outcomes.pop("gts_differ_ignored", None)  # to say so would tell the truth
    assert answers.coverage.answered == outcomes.pop("ok")
    assert answers.unreadable == outcomes
    assert answers.coverage.missing == diagnostics["query_points_absent_from_file"]


def test_every_refused_submission_is_refused_for_the_reasons_of_the_oracle(
    oracle, truth
):
    refused = names(oracle, "reject")
    assert len(refused) == 16
    for name in refused:
        case = expected(oracle, name)["recommended"]
        path = oracle / "submissions" / f"{name}.jsonl"
        with pytest.raises(InvalidUpload) as caught:
            SUITE.read_predictions(open_upload(path), truth.manifest)
        error = caught.value
        assert error.total == case["n_errors"], name
        first = [(problem.line, problem.code) for problem in error.problems[:10]]
        assert first == [(p["line"], p["code"]) for p in case["first_errors"]], name
        seen = Counter(problem.code for problem in error.problems)
        if error.total <= 100:
            assert dict(seen) == case["error_codes"], name
        assert set(seen) <= set(case["error_codes"]), name


def test_every_parse_case_is_read_as_the_oracle_says(oracle):
    cases = json.loads((oracle / "expected" / "_parse_cases.json").read_bytes())
    assert len(cases) == 78
    for case in cases:
        repeated = case.get("json_string_of_repeated_digit")
        if repeated:
            value = repeated["char"] * repeated["count"]
        else:
            value = json.loads(case["json"])
        found = read_count(value)
        reason = case["recommended_reason"].split()[0]
        wanted = case["recommended"] if reason == "ok" else Unreadable(reason)
        assert found == wanted, case
        assert isinstance(found, Unreadable) == (reason != "ok"), case


def test_every_tiny_trajectory_scores_as_worked_out_by_hand(oracle):
    cases = json.loads((oracle / "expected" / "_tiny_trajectories.json").read_bytes())
    assert len(cases) == 18
    for case in cases:
        rows = building.question(case["gts"], subtype=case["subtype"])
        table = building.scored(rows, building.raw(rows, case["predictions"]))
        for ours, theirs in THEIRS.items():
            assert close(table.value(ours, 0), case[theirs]), (case, ours)


def test_the_official_test_set_has_the_known_shape_and_defects(official):
    findings = Counter(finding.code for finding in SUITE.lint(official))
    assert len(official.questions) == 1000
    assert sum(len(question.counts) for question in official.questions) == 4576
    assert len({question.video for question in official.questions}) == 406
    assert findings["count_stands"] == 15
    assert findings["single_query_point"] == 5
    assert "count_falls" not in findings
    unsorted = {
        finding.place.split("(id ")[1][:4]
        for finding in SUITE.lint(official)
        if finding.code == "unsorted_times"
    }
    assert len(unsorted) == 15


def test_the_baselines_score_what_the_specification_says(truth):
    scores = {}
    for baseline in SUITE.baselines:
        table = building.score(truth, baseline.predict(truth))
        overall = summarise(SUITE, table).scores["overall"]
        scores[baseline.key] = [round(value, 1) for value in overall.values()]
    assert scores == {
        "staircase": [45.1, 100.0, 100.0, 77.6],
        "lagging": [15.4, 100.0, 79.8, 69.8],
        "constant": [9.0, 100.0, 0.0, 15.6],
        "zeros": [6.1, 100.0, 0.0, 15.6],
    }
