"""What every suite must keep, so that the rest of the product can rely on it."""

import json
import subprocess
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from evaluation import SUITES, artifacts
from evaluation.aggregate import summarise
from evaluation.judges.lexical import LexicalJudge
from evaluation.reading import open_upload
from evaluation.statistics import intervals
from evaluation.suite import AnySuite, Resources
from evaluation.tables import InstanceTable, concatenate, pack, unpack

SAMPLES = Path(__file__).resolve().parents[2] / "evaluation" / "samples"
HEAVY = {"explore": ("torch", "spacy", "sentence_transformers")}


@dataclass(frozen=True, kw_only=True)
class Case:
    """A suite with a sample test set, and one sample submission of it scored."""

    suite: AnySuite
    truth: object
    compiled: object
    answers: object
    resources: Resources
    whole: InstanceTable

    def score(self, rows, answers=None) -> InstanceTable:
        given = self.answers if answers is None else answers
        return self.suite.score(self.compiled, given, rows, self.resources)


@pytest.fixture(scope="module", params=SUITES)
def case(request) -> Case:
    suite = SUITES[request.param]
    missing = [name for name in HEAVY.get(suite.slug, ()) if find_spec(name) is None]
    if missing:
        pytest.skip(f"needs {', '.join(missing)}")
    folder = SAMPLES / suite.slug
    test_set = sorted(folder.glob("testset*"))[0]
    sample = json.loads((folder / "samples.json").read_bytes())[0]["file"]
    truth = suite.read_annotations(open_upload(test_set))
    compiled = suite.compile(truth)
    manifest = suite.make_manifest(truth)
    answers = suite.read_predictions(open_upload(folder / sample), manifest)
    judge = LexicalJudge() if suite.needs_judge else None
    resources = Resources(protocol=suite.protocols[0], judge=judge)
    every = range(len(suite.instance_ids(compiled)))
    return Case(
        suite=suite,
        truth=truth,
        compiled=compiled,
        answers=answers,
        resources=resources,
        whole=suite.score(compiled, answers, every, resources),
    )


def assert_same(first: InstanceTable, second: InstanceTable) -> None:
    for name in ("ids", "clusters", "tags", "details"):
        assert getattr(first, name) == getattr(second, name), name
    for name in ("numerators", "denominators", "errors"):
        ours, theirs = getattr(first, name), getattr(second, name)
        assert ours.keys() == theirs.keys()
        for key in ours:
            assert np.array_equal(ours[key], theirs[key]), (name, key)


def test_declared_keys_are_unique_and_consistent(case):
    suite = case.suite
    for keys in (
        [metric.key for metric in suite.metrics],
        [family.key for family in suite.families],
        [error.key for error in suite.errors],
        [baseline.key for baseline in suite.baselines],
    ):
        assert len(keys) == len(set(keys))
    assert suite.headline in {metric.key for metric in suite.metrics}
    assert set(suite.instance_metrics) <= set(case.whole.numerators)
    assert SUITES[suite.slug] is suite
    assert suite.protocols[0].startswith(f"{suite.slug}/")
    assert all(metric.low < metric.high for metric in suite.metrics)


def test_tables_hold_what_the_suite_declares(case):
    suite, table = case.suite, case.whole
    assert table.ids == tuple(suite.instance_ids(case.compiled))
    assert len(set(table.ids)) == len(table)
    for metric in suite.metrics:
        assert metric.key in table.numerators
        assert metric.balanced_by is None or metric.balanced_by in table.tags
    assert table.numerators.keys() == table.denominators.keys()
    assert {family.key for family in suite.families} <= set(table.tags)
    assert set(table.errors) == {error.key for error in suite.errors}
    columns = [
        *table.tags.values(),
        *table.numerators.values(),
        *table.denominators.values(),
        *table.errors.values(),
        *table.details.values(),
        table.clusters,
    ]
    assert {len(column) for column in columns} == {len(table)}
    for column in (*table.numerators.values(), *table.denominators.values()):
        assert column.dtype == np.float64
        assert np.isfinite(column).all()
    assert all((column >= 0).all() for column in table.denominators.values())


def test_scores_lie_within_the_bounds_declared(case):
    for values in summarise(case.suite, case.whole).scores.values():
        for metric in case.suite.metrics:
            value = values[metric.key]
            assert value is None or metric.low <= value <= metric.high


def test_exclusive_error_types_add_up_to_the_instances(case):
    labels = np.array(list(case.whole.errors.values())).sum(axis=0)
    if case.suite.errors_count == "element":
        assert (labels >= 0).all()
    else:
        assert (labels == 1).all()


def test_packing_a_table_loses_nothing(case):
    again = unpack(pack(case.whole))
    assert_same(again, case.whole)
    assert again.counters == case.whole.counters


def test_packing_a_test_set_loses_nothing_and_its_address_is_stable(case):
    data = artifacts.pack(case.compiled)
    again = artifacts.unpack(data, case.suite.compiled_type)
    assert artifacts.address(artifacts.pack(again)) == artifacts.address(data)
    assert artifacts.pack(case.suite.compile(case.truth)) == data
    rows = range(len(case.whole))
    scored = case.suite.score(again, case.answers, rows, case.resources)
    assert_same(scored, case.whole)


def test_shards_together_equal_the_whole(case):
    size = max(1, len(case.whole) // 3)
    rows = range(len(case.whole))
    parts = [case.score(rows[start : start + size]) for start in rows[::size]]
    assert_same(concatenate(parts), case.whole)


def test_scoring_is_the_same_every_time(case):
    again = case.score(range(len(case.whole)))
    assert_same(again, case.whole)
    found = [intervals(case.suite, t, "seed", 50) for t in (again, case.whole)]
    assert found[0] == found[1]


def test_every_baseline_can_be_scored(case):
    for baseline in case.suite.baselines:
        table = case.score(range(len(case.whole)), baseline.predict(case.compiled))
        assert table.ids == case.whole.ids
        assert summarise(case.suite, table).scores["overall"][case.suite.headline] >= 0


def test_a_manifest_survives_packing(case):
    manifest = case.suite.make_manifest(case.truth)
    data = artifacts.pack(manifest)
    again = artifacts.unpack(data, case.suite.manifest_type)
    assert artifacts.pack(again) == data


def test_what_is_not_answered_stays_in_the_denominators(case):
    suite = case.suite
    denominators = case.whole.denominators
    ranked = [metric for metric in suite.metrics if not metric.is_information]
    for baseline in suite.baselines:
        table = case.score(range(len(case.whole)), baseline.predict(case.compiled))
        for metric in ranked:
            ours, theirs = table.denominators[metric.key], denominators[metric.key]
            assert np.array_equal(ours != 0, theirs != 0), (baseline.key, metric.key)


def test_coverage_adds_up(case):
    coverage = case.answers.coverage
    assert coverage.expected > 0
    parts = coverage.answered + coverage.missing + coverage.invalid
    assert parts == coverage.expected


def test_lint_names_places(case):
    for finding in case.suite.lint(case.truth):
        assert finding.place
        assert finding.detail
        assert finding.severity in {"warning", "error"}


def test_the_registry_imports_nothing_heavy():
    heavy = ("torch", "spacy", "transformers", "sentence_transformers", "django")
    code = (
        "import sys, evaluation; "
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=root,
    )
    assert done.stdout.strip() == "[]"
