"""SVCBench: the official test set, a submission in the browser and one by curl."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY
from tests.endtoend.api import Caller
from tests.endtoend.browsing import Person
from tests.endtoend.site import Site, run

PHASE = "svcbench/test"
OURS_AND_THEIRS = {
    "gpa": "gpa",
    "moc": "moc",
    "uda": "uda_paper",
    "uda_direction": "uda_script",
}
FAMILIES = {"subtype": "by_subtype", "type": "by_type", "source": "by_source_dataset"}


@pytest.fixture(scope="module")
def data(shared_data: Path) -> Path:
    return shared_data / "svcbench"


@pytest.fixture(scope="module")
def noisy(data: Path) -> Path:
    return data / "oracle" / "submissions" / "noisy.jsonl"


@pytest.fixture(scope="module")
def expected(data: Path) -> dict[str, dict[str, float | None]]:
    """The oracle's shares of the noisy submission, by our names of subsets."""
    path = data / "oracle" / "expected" / "noisy.json"
    metrics = json.loads(path.read_bytes())["metrics"]
    found = {"overall": metrics["overall"]}
    for family, key in FAMILIES.items():
        found |= {f"{family}:{name}": row for name, row in metrics[key].items()}
    return found


@pytest.fixture(scope="module", autouse=True)
def official(site: Site, data: Path) -> None:
    track, _, phase = PHASE.partition("/")
    told = site.manage(
        *("import_testset", "--track", track, "--phase", phase),
        *(data / "vcbench_eval.jsonl", "--activate"),
    )
    assert "active, 1000 instances" in told


@pytest.fixture(scope="module")
def ada(newcomer: Callable[[str], Person]) -> Person:
    return newcomer("ada")


@pytest.fixture(scope="module")
def token(ada: Person) -> str:
    return ada.make_token("Laptop")


def assert_on_the_board(
    anonymous: Caller, method: str, expected: dict[str, dict[str, float | None]]
) -> None:
    """Every number of every subset that the reference knows."""
    for subset, row in expected.items():
        found = anonymous.numbers(PHASE, subset, method)
        for ours, theirs in OURS_AND_THEIRS.items():
            wanted = row[theirs]
            if wanted is None:
                assert found[ours] is None, (subset, ours)
            else:
                assert found[ours] == pytest.approx(100 * wanted, abs=1e-9, rel=0)


def test_a_newcomer_submits_in_the_browser_and_watches_it_being_scored(
    ada: Person,
    anonymous: Caller,
    noisy: Path,
    expected: dict[str, dict[str, float | None]],
) -> None:
    ada.submit(PHASE, noisy, "From a browser")
    said = ada.watch("Scored")

    assert "answered of 4,576" in said
    for ours, theirs in OURS_AND_THEIRS.items():
        assert f"{100 * expected['overall'][theirs]:.1f}" in said, ours
    assert ada.complaints == []
    assert_on_the_board(anonymous, "From a browser", expected)


def test_the_board_shows_the_rounded_numbers(
    ada: Person, expected: dict[str, dict[str, float | None]]
) -> None:
    for subset in ("overall", "subtype:O2-Unique", "source:scannetpp"):
        ada.go(f"/tracks/{PHASE}/?subset={subset}")
        line = ada.page.get_by_role("row").filter(has_text="From a browser")
        said = line.inner_text()
        for ours, theirs in OURS_AND_THEIRS.items():
            wanted = expected[subset][theirs]
            if wanted is not None and ours != "uda_direction":
                assert f"{100 * wanted:.1f}" in said, (subset, ours)


def test_curl_submits_once_under_a_key_and_is_told_when_it_is_scored(
    site: Site,
    token: str,
    anonymous: Caller,
    noisy: Path,
    expected: dict[str, dict[str, float | None]],
) -> None:
    ada = Caller(url=site.url, token=token)
    key = ("-H", "Idempotency-Key: 3f0c")
    answer = ada.submit(PHASE, noisy, "By curl", *key)
    assert answer.status == 202
    where = answer.headers["location"]
    assert where.startswith(site.url)
    assert ada.follow(where)["evaluation"]["status"] == "scored"

    again = ada.submit(PHASE, noisy, "By curl", *key)
    assert (again.status, again.body["id"]) == (202, answer.body["id"])
    other = ada.submit(PHASE, noisy, "By another name", *key)
    assert (other.status, other.body["code"]) == (409, "idempotency_mismatch")
    assert_on_the_board(anonymous, "By curl", expected)


def test_a_rejected_file_tells_line_and_remedy_and_costs_nothing(
    ada: Person, data: Path
) -> None:
    before = ada.left_today(PHASE)
    path = data / "oracle" / "submissions" / "n_duplicate_rows_conflicting.jsonl"
    oracle = json.loads(
        (data / "oracle" / "expected" / f"{path.stem}.json").read_bytes()
    )["recommended"]
    ada.submit(PHASE, path, "Twice")
    said = ada.watch("Rejected")

    assert f"{oracle['n_errors']}" in said
    first = oracle["first_errors"][0]
    assert f"line {first['line']}" in said
    row = ada.page.locator("table.problems tbody tr").first.inner_text()
    assert "keep one" in row, row
    assert "cost no quota" in said
    assert ada.left_today(PHASE) == before


def test_the_terminal_client_prints_scores_and_fails_below_a_threshold(
    site: Site, token: str, noisy: Path, expected: dict[str, dict[str, float | None]]
) -> None:
    env = {**site.env, "EGOBOARD_URL": site.url, "EGOBOARD_TOKEN": token}
    command = [sys.executable, "-m", "leaderboard.client.cli"]
    where = ["--track", "svcbench", "--phase", "test"]
    told = run([*command, "validate", str(noisy), *where], cwd=REPOSITORY, env=env)
    assert "answered 4576 of 4576" in told

    more = ["--method", "From a terminal", "--wait", "--fail-under", "gpa=99"]
    argv = [*command, "submit", str(noisy), *where, *more]
    told = run(argv, wanted=3, cwd=REPOSITORY, env=env)
    for theirs in OURS_AND_THEIRS.values():
        assert f"{100 * expected['overall'][theirs]:.1f}" in told, told
    assert "must be at least 99" in told
