"""Mutated samples: whatever comes, a file is read or refused, never our fault."""

import json
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evaluation import SUITES, artifacts
from evaluation.problems import InvalidUpload
from evaluation.reading import open_upload
from evaluation.suite import Resources
from tests.evaluation.egobench import building

SAMPLES = Path(__file__).resolve().parents[2] / "evaluation" / "samples"
ODD: list[Any] = [
    *(None, True, 0, -1, 1.5, 1e308, 2**53, 2**63, 10**30, 10**400),
    *("", " ", "\0", "\ud800", "0001", "nan", "٣", "</s>"),
    *([], {}, [[]], [None], {"a": 1}, {"\ud800": 1}),
]
KEYS = [
    "x",
    "prediction",
    "pred",
    "predictions",
    "query_times",
    "id",
    "calls",
    "call",
    "name",
    "scenario_id",
    "task_id",
    "key_state",
    "relation",
    "submission",
]
JUNK = [b"{", b"]", b",", b'"', b"\n", b"\xff", b"NaN", b"1e999", b"\\ud800", b"\0"]
FILES = {
    "svcbench": ("testset.jsonl", ["sleepy.jsonl", "eager-overcounter.jsonl"]),
    "egobench": ("testset", ["lost-agent.zip"]),
    "explore": ("testset.json", ["stepwise.json", "brief.json"]),
}
QUIET = settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def mutated(value: Any, draw: st.DataObject) -> Any:
    """The value with one thing replaced, added, doubled or taken away somewhere."""
    if not isinstance(value, dict | list) or not value:
        return draw.draw(st.sampled_from(ODD))
    where: Any = draw.draw(
        st.sampled_from(list(value) if isinstance(value, dict) else range(len(value)))
    )
    action = draw.draw(st.sampled_from(["deeper"] * 3 + ["drop", "odd", "more"]))
    changed = value.copy()
    if action == "drop":
        del changed[where]
    elif action == "more" and isinstance(value, dict):
        key = draw.draw(st.sampled_from(KEYS))
        changed[key] = draw.draw(st.sampled_from(ODD))
    elif action == "more":
        changed.insert(where, value[where])
    else:
        inner = value[where] if action == "deeper" else None
        changed[where] = mutated(inner, draw)
    return changed


def spoiled(data: bytes, draw: st.DataObject) -> bytes:
    """The bytes with a piece cut out and junk put in, or as they are."""
    if draw.draw(st.booleans()):
        return data
    start = draw.draw(st.integers(0, max(0, len(data) - 1)))
    cut = draw.draw(st.sampled_from([0, 1, 40]))
    return data[:start] + draw.draw(st.sampled_from(JUNK)) + data[start + cut :]


def text(value: Any) -> bytes:
    return json.dumps(value).encode()


def rows(value: Any) -> bytes:
    whole = value if isinstance(value, list) else [value]
    return b"".join(text(row) + b"\n" for row in whole)


def contents(path: Path) -> Iterator[tuple[str, Any]]:
    """Decoded files of a sample, by name."""
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist()[:3]:
                yield name, json.loads(archive.read(name))
    elif path.is_dir():
        for file in sorted(path.rglob("*.json")):
            if file.stem in {"retail91", "kitchen91", "kitchen", "restaurant92"}:
                yield file.relative_to(path).as_posix(), json.loads(file.read_bytes())
    elif path.suffix == ".jsonl":
        lines = path.read_bytes().splitlines()[:20]
        yield path.name, [json.loads(line) for line in lines]
    else:
        value = json.loads(path.read_bytes())
        yield path.name, value[:3] if isinstance(value, list) else value


def write(path: Path, files: dict[str, Any], draw: st.DataObject) -> None:
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w") as archive:
            for member, content in files.items():
                archive.writestr(member, spoiled(text(content), draw))
        return
    value = next(iter(files.values()))
    data = rows(value) if path.suffix == ".jsonl" else text(value)
    path.write_bytes(spoiled(data, draw))


def hostile(folder: Path, sample: Path, draw: st.DataObject) -> Path:
    files = dict(contents(sample))
    for _ in range(draw.draw(st.integers(1, 3))):
        name = draw.draw(st.sampled_from(list(files)))
        files[name] = mutated(files[name], draw)
    path = folder / f"sample{'.zip' if sample.is_dir() else sample.suffix}"
    write(path, files, draw)
    return path


@pytest.mark.parametrize("slug", list(FILES))
@given(draw=st.data())
@QUIET
def test_a_mutated_submission_is_read_or_refused(slug, draw):
    suite, (truth, submissions) = SUITES[slug], FILES[slug]
    annotations = suite.read_annotations(open_upload(SAMPLES / slug / truth))
    manifest = suite.make_manifest(annotations)
    sample = SAMPLES / slug / draw.draw(st.sampled_from(submissions))
    with tempfile.TemporaryDirectory() as folder:
        path = hostile(Path(folder), sample, draw)
        try:
            suite.read_predictions(open_upload(path), None)
            answers = suite.read_predictions(open_upload(path), manifest)
        except InvalidUpload as refused:
            for problem in refused.problems:
                str(problem).encode()
            return
    suite.submitted(answers, annotations)
    if not suite.needs_judge:
        compiled = suite.compile(annotations)
        every = range(len(suite.instance_ids(compiled)))
        suite.score(compiled, answers, every, Resources(protocol=suite.protocols[0]))


@pytest.mark.parametrize("slug", list(FILES))
@given(draw=st.data())
@QUIET
def test_a_mutated_test_set_is_read_and_stored_or_refused(slug, draw):
    suite, (truth, _) = SUITES[slug], FILES[slug]
    with tempfile.TemporaryDirectory() as folder:
        path = hostile(Path(folder), SAMPLES / slug / truth, draw)
        try:
            annotations = suite.read_annotations(open_upload(path))
        except InvalidUpload as refused:
            for problem in refused.problems:
                str(problem).encode()
            return
    for finding in suite.lint(annotations):
        f"{finding.place} {finding.detail}".encode()
    artifacts.pack(suite.make_manifest(annotations))
    if not suite.needs_judge:
        artifacts.pack(suite.compile(annotations))


@pytest.mark.parametrize("odd", ["1e999", "9" * 70, '"1"', "true", "{}", "1.5"])
def test_an_entry_with_an_odd_id_pairs_with_nothing(tmp_path, odd):
    path = tmp_path / "retail91_easy.json"
    path.write_text(f'[{{"scenario_id": {odd}, "tool_calls": []}}]')
    suite = SUITES["egobench"]
    assert suite.read_predictions(open_upload(path), None).coverage.unknown == 1


def test_an_id_that_is_no_utf_8_is_refused(tmp_path):
    path = tmp_path / "retail91_easy.json"
    path.write_bytes(b'[{"scenario_id": "\xff", "tool_calls": []}]')
    with pytest.raises(InvalidUpload) as refused:
        SUITES["egobench"].read_predictions(open_upload(path), None)
    assert refused.value.problems[0].code == "invalid_json"


ASK = ("get_price", {"product_name": "Tea"})
HALF = "\ud800"


@pytest.mark.parametrize(
    ("task", "code"),
    [
        (building.task(ASK, task_id=10**30), "bad_number"),
        (building.task(ASK, Instruction=HALF), "not_unicode"),
        (building.task(ASK, key=HALF), "not_unicode"),
        (building.task(ASK, value=[HALF]), "not_unicode"),
        (building.task((HALF, {})), "not_unicode"),
        (building.task(("get_price", {"product_name": HALF})), "not_unicode"),
        (building.task(("get_price", {"product_name": 2**70})), "bad_number"),
        (
            building.task(("x", {"list": [{"name": "a", "quantity": 1e300}] * 2})),
            "bad_number",
        ),
    ],
)
def test_a_task_that_cannot_be_stored_is_refused(tmp_path, task, code):
    folder = building.write_test_set(
        tmp_path, {"retail91": [task]}, {"retail91": building.database("retail")}
    )
    with pytest.raises(InvalidUpload) as refused:
        SUITES["egobench"].read_annotations(open_upload(folder))
    assert [problem.code for problem in refused.value.problems] == [code]


def test_a_row_with_an_unreadable_key_of_no_meaning_is_read(tmp_path):
    row = json.loads((SAMPLES / "svcbench/testset.jsonl").read_bytes().splitlines()[0])
    path = tmp_path / "vcbench_eval.jsonl"
    path.write_text(json.dumps(row | {HALF: 1, "note": HALF}))
    annotations = SUITES["svcbench"].read_annotations(open_upload(path))
    assert len(annotations.questions) == 1
