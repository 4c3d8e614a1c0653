"""The JSON report: the contract's keys, the same bytes each time, and back."""

import json

import numpy as np
import pytest

from evaluation import report
from evaluation.problems import InvalidUpload, Problem
from evaluation.suite import Coverage
from tests.evaluation.tabling import metric, suite, table

METRICS = [metric("m"), metric("n")]
VALUES = {"m": [100.0, 0.1, None, 0.3], "n": [None, 1 / 3, 2.5, 1e-9]}
KINDS = {"kind": ["a", "b", "a", "a"]}


def built(*, with_instances: bool = True) -> dict[str, object]:
    return report.build(
        suite(METRICS),
        table(VALUES, tags=KINDS),
        coverage=Coverage(expected=4, answered=3, missing=1),
        protocol="made/1",
        judge_id=None,
        seed="address",
        with_instances=with_instances,
        notices=[Problem(code="late", detail="is late", line=3)],
    )


def test_a_report_has_the_keys_of_the_contract():
    found = json.loads(report.encode(built()))
    assert {key: found[key] for key in ("suite", "protocol", "judge", "test_set")} == {
        "suite": "svcbench",
        "protocol": "made/1",
        "judge": None,
        "test_set": "address",
    }
    assert found["coverage"] == {
        "expected": 4,
        "answered": 3,
        "missing": 1,
        "invalid": 0,
        "unknown": 0,
        "duplicate": 0,
    }
    assert list(found["scores"]) == ["overall", "kind:b", "kind:a"]
    assert found["scores"]["kind:b"] == {"m": 0.1, "n": 1 / 3}
    assert found["intervals"]["kind:b"] == {"m": None, "n": None}
    assert len(found["intervals"]["overall"]["m"]) == 2
    assert found["counts"]["overall"] == {"m": 3, "n": 3}
    assert found["errors"]["overall"] == {"right": 1, "wrong": 3}
    assert found["instances"][1] == {
        "id": "i1",
        "subsets": ["kind:b"],
        "error": "wrong",
        "m": 0.1,
        "n": 1 / 3,
    }
    assert found["notices"][0]["line"] == 3


def test_instances_are_listed_only_on_request():
    found = json.loads(report.encode(built(with_instances=False)))
    assert "instances" not in found
    assert "columns" not in found


def test_the_same_input_gives_the_same_bytes():
    assert report.encode(built()) == report.encode(built())


def test_a_table_comes_back_from_its_report_bit_by_bit():
    original = table(VALUES, tags=KINDS)
    again = report.read_table(report.decode(report.encode(built())))
    assert again.ids == original.ids
    assert again.clusters == original.clusters
    assert again.tags == original.tags
    for key in VALUES:
        assert np.array_equal(again.numerators[key], original.numerators[key])
        assert np.array_equal(again.denominators[key], original.denominators[key])
    for key, counts in original.errors.items():
        assert np.array_equal(again.errors[key], counts)


def test_a_report_without_instances_gives_no_table():
    found = report.decode(report.encode(built(with_instances=False)))
    with pytest.raises(InvalidUpload, match="--instances"):
        report.read_table(found)


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b'{"suite": 3}', b"\xff"])
def test_what_is_no_report_is_refused(data):
    with pytest.raises(InvalidUpload, match="not a report"):
        report.decode(data, "a.json")


def test_a_report_whose_columns_do_not_fit_is_refused():
    found = json.loads(report.encode(built()))
    found["columns"]["numerators"]["m"].pop()
    with pytest.raises(InvalidUpload, match="do not fit"):
        report.read_table(report.decode(json.dumps(found).encode()))
