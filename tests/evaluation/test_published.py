"""Numbers carried over from papers: readable, sourced, under our own keys."""

import pytest

from evaluation import SUITES
from evaluation.published import FOLDER, notes, published
from evaluation.svcbench import SUITE
from evaluation.svcbench.taxonomy import SUBTYPES


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda p: p.stem)
def test_every_file_is_readable_and_every_row_has_a_source(path):
    rows = published(path.stem)
    assert rows
    for row in rows:
        assert row.source.title
        assert row.scores


@pytest.mark.parametrize("slug", SUITES)
def test_scores_stand_under_keys_and_in_bounds_of_the_suite(slug):
    suite = SUITES[slug]
    families = {family.key for family in suite.families}
    metrics = {metric.key: metric for metric in suite.metrics}
    for row in published(slug):
        for subset, scores in row.scores.items():
            assert subset == "overall" or subset.partition(":")[0] in families
            for key, value in scores.items():
                metric = metrics[key]
                assert value is None or metric.low <= value <= metric.high


def test_a_suite_without_a_file_has_no_rows():
    assert published("absent") == ()
    assert notes("absent") == ()


def test_svcbench_has_the_main_table_and_says_what_is_secondary():
    rows = published("svcbench")
    overall = {
        row.method: row.scores["overall"] for row in rows if "overall" in row.scores
    }
    assert len(overall) == 16
    assert overall["Gemini-3-Flash"] == {"gpa": 37.0, "moc": 73.7, "uda": 73.8}
    secondary = [row for row in rows if row.source.id == "note"]
    assert all("secondary" in row.note for row in secondary)
    assert [row.method for row in rows if row.is_human] == ["Human"] * 3
    assert any("UDA (script)" in note for note in notes("svcbench"))


def test_no_value_of_svcbench_is_given_twice():
    seen = set()
    for row in published("svcbench"):
        for subset in row.scores:
            assert subset == "overall" or subset.partition(":")[2] in SUBTYPES
            assert (row.method, subset) not in seen
            seen.add((row.method, subset))


def test_the_published_uda_stands_beside_the_papers():
    keys = {
        key for row in published("svcbench") for s in row.scores.values() for key in s
    }
    assert keys == {"gpa", "moc", "uda"}
    assert SUITE.metric("uda").label == "UDA"
