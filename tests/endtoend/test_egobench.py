"""EgoBench: all scenario files in all modes, in a submission of real size."""

import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY
from tests.endtoend.api import Caller
from tests.endtoend.browsing import Person
from tests.endtoend.memory import forget_peaks, peak_mib
from tests.endtoend.site import Site, run
from tests.endtoend.trajectories import MODES, pack_submission, pack_test_set

PHASE = "egobench/test"
MIB = 1024 * 1024
SCENARIOS = ("retail", "kitchen", "restaurant", "order", "warehouse", "household")


@dataclass(frozen=True, kw_only=True)
class Files:
    test_set: Path
    submission: Path
    size: int  # unpacked bytes of the submission


@pytest.fixture(scope="module")
def files(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Files:
    folder = tmp_path_factory.mktemp("egobench")
    data, test_set = shared_data / "egobench", folder / "testset.zip"
    submission = folder / "results.zip"
    pack_test_set(data, test_set)
    size = pack_submission(data, submission)
    return Files(test_set=test_set, submission=submission, size=size)


@pytest.fixture(scope="module", autouse=True)
def official(site: Site, files: Files) -> None:
    track, _, phase = PHASE.partition("/")
    told = site.manage(
        *("import_testset", "--track", track, "--phase", phase),
        *(files.test_set, "--activate"),
    )
    assert "active, 3180 instances" in told


@pytest.fixture(scope="module")
def report(files: Files) -> dict:
    """What the command line says about the same files, in a process of its own."""
    argv = [sys.executable, "-m", "evaluation", "score", "--suite", "egobench"]
    argv += ["--annotations", str(files.test_set)]
    argv += ["--predictions", str(files.submission), "--quiet", "--json", "-"]
    return json.loads(run(argv, cwd=REPOSITORY))


def assert_on_the_board(anonymous: Caller, method: str, report: dict) -> None:
    for subset, wanted in report["scores"].items():
        row = anonymous.board(PHASE, subset)[method]
        found = {key: number["value"] for key, number in row["numbers"].items()}
        assert found == wanted, subset
        assert row["errors"] == report["errors"][subset], subset


def test_the_submission_is_a_real_one(files: Files, report: dict) -> None:
    assert files.size >= 60 * MIB
    assert report["coverage"]["expected"] == 3180
    assert 3000 < report["coverage"]["answered"] < 3180
    wanted = {f"scenario_mode:{s}/{m}" for s in SCENARIOS for m in MODES}
    assert wanted <= set(report["scores"])
    shares = [report["scores"][subset]["joint_succ"] for subset in wanted]
    assert all(0 < share < 100 for share in shares), "no subset is trivial"
    labels = {key for key, n in report["errors"]["overall"].items() if n}
    assert {"missing", "syntax", "logic", "correct"} <= labels


def test_it_is_uploaded_in_the_browser_and_scored_in_bounded_memory(
    site: Site,
    newcomer: Callable[[str], Person],
    files: Files,
    report: dict,
    anonymous: Caller,
    record_testsuite_property: Callable[[str, object], None],
) -> None:
    eve = newcomer("eve")
    workers, web = site.pids("celery"), site.pids("gunicorn")
    forget_peaks([*workers, *web])
    started = time.monotonic()
    eve.submit(PHASE, files.submission, "In one piece")
    taken = time.monotonic() - started
    said = eve.watch("Scored")
    scored = time.monotonic() - started

    memory = {
        "worker_mib": peak_mib(site.pids("celery")),
        "web_mib": peak_mib(web),
    }
    for name, value in {**memory, "upload_s": taken, "scored_s": scored}.items():
        record_testsuite_property(f"egobench {name}", round(value, 1))
    assert memory["worker_mib"] < 1024
    assert memory["web_mib"] < 512
    assert f"{report['scores']['overall']['joint_succ']:.1f}" in said
    assert_on_the_board(anonymous, "In one piece", report)
    assert eve.complaints == []


def test_it_is_uploaded_by_api_with_the_same_numbers(
    caller: Caller, anonymous: Caller, files: Files, report: dict
) -> None:
    final = caller.scored(PHASE, files.submission, "By API")
    assert final["coverage"] == report["coverage"]
    assert_on_the_board(anonymous, "By API", report)
