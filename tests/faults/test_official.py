"""The official test set, from the command that a host types to the board."""

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from django.core.files import File

from leaderboard import stack, submissions, teams
from leaderboard.models import BoardEntry
from tests import factories
from tests.conftest import REPOSITORY
from tests.faults.conftest import Processes, until
from tests.faults.outcomes import assert_scored_once, is_over

pytestmark = [pytest.mark.faults, pytest.mark.django_db(transaction=True)]
METRICS = {
    "gpa": "gpa",
    "moc": "moc",
    "uda": "uda_paper",
    "uda_direction": "uda_script",
}
FAMILIES = {"subtype": "by_subtype", "type": "by_type", "source": "by_source_dataset"}
ROOMY = {
    "EGOBOARD_SOFT_LIMIT": "60",
    "EGOBOARD_HARD_LIMIT": "70",
    "EGOBOARD_LEASE": "80",
    "EGOBOARD_VISIBILITY": "90",
    "EGOBOARD_SHARD_SECONDS": "0.005",  # 250 questions
}


def test_official_numbers_equal_the_reference_s(
    server: Processes, shared_data: Path, tmp_path: Path
) -> None:
    folder = shared_data / "svcbench"
    truth, answers = folder / "vcbench_eval.jsonl", "noisy"
    phase = factories.make_phase(factories.make_track("official"), slug="final")
    server.worker(**ROOMY)
    argv = [sys.executable, "manage.py", "import_testset", "--track", "official"]
    done = subprocess.run(
        [*argv, "--phase", "final", str(truth), "--activate"],
        cwd=REPOSITORY,
        env=stack.samples(env=server.env).env,  # what may seal and not open
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr + server.said()
    assert "active, 1000 instances" in done.stdout

    user = factories.make_user()
    path = folder / "oracle" / "submissions" / f"{answers}.jsonl"
    with path.open("rb") as stream:
        submissions.submit(
            phase=phase,
            team=teams.personal_team(user),
            user=user,
            upload=File(stream, name=path.name),
            entry=submissions.Entry(method="Noisy"),
        )
    assert until(is_over), server.said()

    assert_scored_once(tmp_path, truth.read_bytes(), path.read_bytes())
    expected = (folder / "oracle" / "expected" / f"{answers}.json").read_bytes()
    assert_equals_reference(msgspec.json.decode(expected)["metrics"])


def assert_equals_reference(reference: dict[str, dict[str, object]]) -> None:
    """Every subset and metric, with its count, within 1e-9 of a share."""
    scores = BoardEntry.objects.get().scores
    wanted = {"overall": reference["overall"]}
    for family, key in FAMILIES.items():
        wanted |= {f"{family}:{name}": row for name, row in reference[key].items()}
    assert sorted(scores) == sorted(wanted)
    for subset, row in wanted.items():
        for metric, key in METRICS.items():
            value, low, high, n = scores[subset][metric]
            assert n == row[f"{key}_n"]
            if n:
                assert value == pytest.approx(row[key] * 100, abs=1e-7)
                assert low is None or low <= value <= high
            else:
                assert value is None
