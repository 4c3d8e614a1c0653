"""A judge against people."""

import json
from pathlib import Path

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from evaluation.agreement import agreement, correlation, ranks, read_ratings, spearman
from evaluation.agreement_cli import register
from evaluation.judges.lexical import LexicalJudge
from evaluation.problems import InvalidUpload

WORDS = ("red", "red cup", "red cup shelf", "red cup shelf door", "door wall rug")


def a_line(number: int, **ratings: float) -> dict[str, object]:
    return {
        "kind": ("attribute", "relation")[number % 2],
        "sentence": "a red cup",
        "phrase": WORDS[number % 5],
        "ratings": ratings or {"ann": 5 - number % 5, "bob": (5 - number) % 5},
    }


def encoded(*lines: dict[str, object]) -> bytes:
    return b"\n".join(json.dumps(line).encode() for line in lines) + b"\n\n"


def test_ranks_share_the_mean_of_ties() -> None:
    assert ranks(np.array([10.0, 20.0, 20.0, 5.0])).tolist() == [2, 3.5, 3.5, 1]


@pytest.mark.parametrize(
    ("one", "other", "rho"),
    [
        ([1, 2, 3, 4], [10, 20, 30, 40], 1.0),
        ([1, 2, 3, 4], [4, 3, 2, 1], -1.0),
        ([1, 2, 3, 4, 5], [2, 1, 4, 3, 5], 0.8),  # 1 - 6 * 4 / (5 * 24)
        ([1, 1, 2, 2], [1, 2, 1, 2], 0.0),
        ([3, 3, 3], [1, 2, 3], None),
        ([1], [1], None),
    ],
)
def test_spearman_is_the_correlation_of_ranks(
    one: list[float], other: list[float], rho: float | None
) -> None:
    found = spearman(np.array(one, float), np.array(other, float))

    assert found == (None if rho is None else pytest.approx(rho))


def test_the_interval_holds_the_estimate_and_repeats() -> None:
    values = np.arange(40.0)
    noisy = values + np.tile([0.0, 6.0, -6.0, 3.0], 10)

    found = correlation(values, noisy)

    assert found.rho is not None
    assert found.low is not None
    assert found.high is not None
    assert found.low < found.rho < found.high < 1
    assert found == correlation(values, noisy)


def test_the_judge_is_compared_with_the_mean_of_people_by_kind_and_in_all() -> None:
    ratings = read_ratings(encoded(*(a_line(n, ann=5 - n % 5) for n in range(20))))

    found = agreement(ratings, LexicalJudge())

    assert found.judge.n == 20
    assert found.judge.rho is not None
    assert found.judge.rho > 0.9
    assert {kind: c.n for kind, c in found.by_kind.items()} == {
        "attribute": 10,
        "relation": 10,
    }
    assert found.raters == {}


def test_people_are_compared_where_both_rated() -> None:
    lines = [a_line(n, ann=n % 5, bob=n % 5, cid=4 - n % 5) for n in range(10)]
    lines += [a_line(n, ann=n % 5) for n in range(10)]

    found = agreement(read_ratings(encoded(*lines)), LexicalJudge())

    assert {pair: (c.n, c.rho) for pair, c in found.raters.items()} == {
        "ann/bob": (10, pytest.approx(1.0)),
        "ann/cid": (10, pytest.approx(-1.0)),
        "bob/cid": (10, pytest.approx(-1.0)),
    }


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([a_line(1)] * 2, "holds 2 ratings; at least 3"),
        ([a_line(1, ann=7)] * 3, "line 1: has a rating outside 0 to 5"),
        ([{**a_line(1), "ratings": {}}] * 3, "has no ratings"),
        ([{"kind": "size"}] * 3, "expected kind, sentence, phrase and ratings"),
    ],
)
def test_unusable_ratings_are_named(
    lines: list[dict[str, object]], message: str
) -> None:
    with pytest.raises(InvalidUpload) as refused:
        read_ratings(encoded(*lines))

    assert message in str(refused.value.problems[0])


def test_the_command_prints_and_writes_the_numbers(tmp_path: Path) -> None:
    app = typer.Typer()
    app.command("other")(lambda: None)
    register(app)
    file, out = tmp_path / "ratings.jsonl", tmp_path / "out.json"
    file.write_bytes(encoded(*(a_line(n) for n in range(20))))

    result = CliRunner().invoke(
        app,
        [
            "judge-agreement",
            "--ratings",
            str(file),
            "--judge",
            "lexical",
            "--json",
            str(out),
        ],
    )

    assert result.exit_code == 0, result.output
    assert "judge against people" in result.output
    assert "people: ann/bob" in result.output
    written = json.loads(out.read_text())
    assert written["judge"]["n"] == 20
    assert -1 <= written["judge"]["low"] <= written["judge"]["rho"] <= 1
