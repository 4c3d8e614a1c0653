"""`python -m evaluation`, run as its users run it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from evaluation.reading import open_upload
from evaluation.running import run
from evaluation.suite import Resources
from evaluation.svcbench import SUITE
from tests.evaluation.svcbench.building import DATA, lines, question, raw

ROOT = Path(__file__).resolve().parents[2]
TRUTH = DATA / "testset.jsonl"
GOLDEN = json.loads((DATA / "expected.json").read_bytes())


def evaluation(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "evaluation", *map(str, arguments)]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "COLUMNS": "140"}
    environment.pop("FORCE_COLOR", None)
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        cwd=DATA,
        env=environment,
        timeout=60,
    )


def score(*arguments: object, predictions: object = DATA / "raw.jsonl"):
    given = ("--suite", "svcbench", "--annotations", TRUTH)
    return evaluation("score", *given, "--predictions", predictions, *arguments)


def test_suites_are_listed():
    done = evaluation("suites")
    assert done.returncode == 0
    assert "svcbench" in done.stdout
    assert "uda_direction" in done.stdout


def test_a_submission_is_scored_for_people_and_for_programs(tmp_path):
    out = tmp_path / "report.json"
    done = score("--json", out, "--instances")
    assert done.returncode == 0
    assert "13 of 17 answered, 3 missing, 1 invalid" in done.stdout
    assert "overall" in done.stdout
    assert "52.0 [" in done.stdout
    assert "line 9: 1 prediction is null or absent" in done.stderr
    report = json.loads(out.read_bytes())
    for subset, scores in GOLDEN["scores"].items():
        assert report["scores"][subset] == pytest.approx(scores)
    assert report["counts"]["overall"] == GOLDEN["counts"]["overall"]
    assert report["errors"]["overall"] == GOLDEN["errors"]["overall"]
    assert report["coverage"]["invalid"] == 1
    assert report["protocol"] == "svcbench/1"
    assert report["judge"] is None
    first = report["instances"][0]
    assert first["id"] == "0010"
    assert first["error"] == "non_monotone"
    assert first["subsets"] == ["type:O2", "subtype:O2-Unique", "source:hall"]
    assert first["query_points"] == 4


def test_a_dash_writes_only_json_to_standard_output():
    done = score("--json", "-")
    assert json.loads(done.stdout)["suite"] == "svcbench"
    assert score("--json", "-", "--quiet").stdout == done.stdout


def test_quiet_prints_nothing():
    done = score("--quiet")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_both_formats_are_accepted_and_may_be_compared(tmp_path):
    reports = []
    for name in ("raw", "unified"):
        reports.append(tmp_path / f"{name}.json")
        done = score(
            "--json", reports[-1], "--instances", predictions=DATA / f"{name}.jsonl"
        )
        assert done.returncode == 0
    out = tmp_path / "compared.json"
    done = evaluation("compare", *reports, "--json", out)
    assert done.returncode == 0
    assert "B minus A" in done.stdout
    overall = json.loads(out.read_bytes())["differences"]["overall"]["gpa"]
    assert overall == {"value": 0, "interval": [0, 0], "p_value": 1}


def test_reports_of_different_test_sets_are_not_compared(tmp_path):
    other = tmp_path / "vcbench_eval.jsonl"
    other.write_bytes(lines(question([1, 2])))
    sent = tmp_path / "predictions.jsonl"
    sent.write_bytes(lines(raw(question([1, 2]), [1, 2])))
    a, b = tmp_path / "a.json", tmp_path / "b.json"
    assert score("--json", a, "--instances").returncode == 0
    given = ("--suite", "svcbench", "--annotations", other, "--predictions", sent)
    assert evaluation("score", *given, "--json", b, "--instances").returncode == 0
    done = evaluation("compare", a, b)
    assert done.returncode == 2
    assert "different test sets" in done.stderr


def test_reports_without_instances_are_not_compared(tmp_path):
    out = tmp_path / "a.json"
    score("--json", out, "--quiet")
    done = evaluation("compare", out, out)
    assert done.returncode == 2
    assert "--instances" in done.stderr
    done = evaluation("compare", TRUTH, out)
    assert done.returncode == 2
    assert "testset.jsonl: is not a report" in done.stderr


def test_every_problem_of_a_submission_is_printed_with_its_place(tmp_path):
    sent = tmp_path / "mine.jsonl"
    sent.write_text('{"q_id": 3}\n{"q_id": "0001", "id": "10", "prediction": 1}\n')
    done = score(predictions=sent)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "mine.jsonl, line 1: q_id must be a string, got the number 3" in done.stderr
    assert "mine.jsonl, line 2: id must be" in done.stderr
    assert "[id_mismatch]" in done.stderr
    assert "2 problems" in done.stderr


def test_hostile_text_reaches_the_terminal_harmless(tmp_path):
    sent = tmp_path / "mine.jsonl"
    sent.write_text('{"q_id": "\\u001b[31mred", "prediction": 1}\n')
    done = score(predictions=sent)
    assert done.returncode == 2
    assert "\x1b" not in done.stderr
    assert "[31mred" in done.stderr


def test_a_submission_is_validated_with_and_without_the_test_set(tmp_path):
    given = ("validate", "--suite", "svcbench", "--predictions", DATA / "raw.jsonl")
    alone = evaluation(*given)
    assert alone.returncode == 0
    assert "13 of 14 answered, 1 invalid" in alone.stdout
    out = tmp_path / "v.json"
    whole = evaluation(*given, "--annotations", TRUTH, "--json", out)
    assert whole.returncode == 0
    found = json.loads(out.read_bytes())
    assert found["is_valid"] is True
    assert found["coverage"]["missing"] == 3
    assert [notice["code"] for notice in found["notices"]] == [
        "unreadable_null",
        "missing_prediction",
    ]


def test_a_refusal_is_written_as_json_too(tmp_path):
    sent = tmp_path / "mine.jsonl"
    sent.write_text('{"q_id": "0000", "prediction": NaN}\n')
    done = evaluation(
        "validate", "--suite", "svcbench", "--predictions", sent, "--json", "-"
    )
    assert done.returncode == 2
    found = json.loads(done.stdout)
    assert (found["is_valid"], found["total"]) == (False, 1)
    problem = found["problems"][0]
    assert (problem["code"], problem["line"]) == ("invalid_json", 1)


def test_lint_tells_warnings_and_fails_on_errors(tmp_path):
    given = ("lint", "--suite", "svcbench", "--annotations")
    done = evaluation(*given, TRUTH)
    assert done.returncode == 0
    assert "single_query_point" in done.stdout
    falling = tmp_path / "falling.jsonl"
    falling.write_bytes(lines(question([3, 2])))
    done = evaluation(*given, falling, "--json", tmp_path / "f.json")
    assert done.returncode == 2
    assert "error: falling.jsonl, line 2" in done.stdout
    (finding,) = json.loads((tmp_path / "f.json").read_bytes())["findings"]
    assert finding["code"] == "count_falls"


def test_faulty_annotations_are_the_inputs_fault(tmp_path):
    faulty = tmp_path / "faulty.jsonl"
    faulty.write_bytes(lines([question([1])[0] | {"count": "many"}]))
    done = evaluation("lint", "--suite", "svcbench", "--annotations", faulty)
    assert done.returncode == 2
    assert "faulty.jsonl, line 1: count must be an integer" in done.stderr


def test_a_selection_is_what_is_scored(tmp_path):
    chosen = tmp_path / "chosen.json"
    chosen.write_text('["0010"]')
    sent = tmp_path / "mine.jsonl"
    sent.write_text('{"q_id": "0000", "prediction": 1}\n')
    done = score("--selection", chosen, "--json", "-", predictions=sent)
    assert done.returncode == 0
    found = json.loads(done.stdout)
    assert found["counts"]["overall"]["gpa"] == 1
    assert found["scores"]["overall"]["gpa"] == pytest.approx(25)
    submitted = score("--selection", "submitted", "--json", "-", predictions=sent)
    assert json.loads(submitted.stdout)["scores"] == found["scores"]


def test_wrong_selections_are_refused(tmp_path):
    chosen = tmp_path / "chosen.json"
    for text, words in (
        ('["77"]', "no question has the id '77'"),
        ("3", "must be a JSON list of ids"),
        ("[", "is not valid JSON"),
    ):
        chosen.write_text(text)
        done = score("--selection", chosen)
        assert done.returncode == 2
        assert words in done.stderr
    assert score("--selection", tmp_path / "absent.json").returncode == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--suite", "nope"), "no suite 'nope'"),
        (("--suite", "svcbench", "--protocol", "svcbench/9"), "svcbench/1"),
        (("--suite", "svcbench", "--predictions", "/absent"), "does not exist"),
    ],
)
def test_wrong_arguments_exit_with_two_and_say_what_is_right(arguments, words):
    done = evaluation(
        "score", "--annotations", TRUTH, "--predictions", TRUTH, *arguments
    )
    assert done.returncode == 2
    assert words in done.stderr


def test_a_report_that_cannot_be_written_is_told(tmp_path):
    done = score("--json", tmp_path / "no" / "such" / "folder.json")
    assert done.returncode == 2
    assert "folder.json" in done.stderr


def test_the_same_input_gives_the_same_bytes():
    first, second = (score("--json", "-", "--instances").stdout for _ in range(2))
    assert first == second


def test_progress_goes_from_part_to_part(monkeypatch):
    monkeypatch.setattr("evaluation.running.SECONDS_PER_PART", 2 / 50_000)
    seen = []
    scored = run(
        SUITE,
        open_upload(TRUTH),
        open_upload(DATA / "raw.jsonl"),
        Resources(protocol="svcbench/1"),
        progress=lambda *step: seen.append(step),
    )
    assert [step[1] for step in seen if step[0] == "Scoring"] == [0, 2, 4, 6]
    assert len(scored.table) == 7
    for subset, scores in GOLDEN["scores"].items():
        assert scored.summary.scores[subset] == pytest.approx(scores)
