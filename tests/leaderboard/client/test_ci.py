"""The CI templates, run as their platforms would run them."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml

from leaderboard.models import Phase, Submission
from tests.factories import make_user
from tests.leaderboard.api.doors import make_real_phase, predictions, token_text, work
from tests.leaderboard.client.terminal import REPOSITORY, Said, Terminal

pytestmark = pytest.mark.django_db(transaction=True)
CI = REPOSITORY / "deploy" / "ci"


@pytest.fixture
def phase(terminal: Terminal) -> Phase:
    """A phase, a token, predictions with 3 of 4 right, and `egoboard` on the path."""
    terminal.token = token_text(make_user())
    (terminal.home / "mine.jsonl").write_bytes(predictions(right=3))
    command = terminal.home / "egoboard"
    command.write_text(
        f'#!/bin/sh\nexec {sys.executable} -m leaderboard.client.cli "$@"\n'
    )
    command.chmod(0o755)
    return make_real_phase()


def variables(terminal: Terminal, phase: Phase, **given: str) -> dict[str, str]:
    return {
        **terminal.environment(),
        "PATH": f"{terminal.home}:{os.environ['PATH']}",
        "PYTHONPATH": str(REPOSITORY),
        "RUNNER_TEMP": str(terminal.home),
        "GITHUB_OUTPUT": str(terminal.home / "output"),
        "TRACK": phase.track.slug,
        "PHASE": phase.slug,
        "FILE": "mine.jsonl",
        "METHOD": 'quotes " and $(touch hacked) `touch hacked`',
        "KEY": "repository/1/job",
        **given,
    }


def run(shell: list[str], script: str, home: Path, env: dict[str, str]) -> Said:
    process = subprocess.Popen(
        [*shell, script],
        cwd=home,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < deadline:
        work()
        time.sleep(0.2)
    out, err = process.communicate(timeout=60)
    return Said(status=process.returncode, out=out, err=err)


def github(terminal: Terminal, phase: Phase, **given: str) -> Said:
    action = yaml.safe_load((CI / "action.yml").read_text())
    step = next(s for s in action["runs"]["steps"] if s.get("id") == "submit")
    defaults = {
        variable: str(action["inputs"][name].get("default", ""))
        for variable, value in step["env"].items()
        for name in [value.removeprefix("${{ inputs.").removesuffix(" }}")]
    }
    env = {**defaults, **variables(terminal, phase, **given)}
    return run(["bash", "-e", "-c"], step["run"], terminal.home, env)


def gitlab(terminal: Terminal, phase: Phase, **given: str) -> Said:
    job = yaml.safe_load((CI / "gitlab.yml").read_text())[".egoboard"]
    env = {**job["variables"], **variables(terminal, phase, **given)}
    return run(["sh", "-c"], "\n".join(job["script"]), terminal.home, env)


@pytest.mark.parametrize("platform", [github, gitlab])
def test_a_job_submits_waits_and_keeps_the_scores(
    platform: object, terminal: Terminal, phase: Phase
) -> None:
    said = platform(terminal, phase, FAIL_UNDER="gpa=75", PRIVATE="true")
    assert said.status == 0, said.err
    result = json.loads((terminal.home / "egoboard.json").read_text())
    assert result["scores"]["scores"]["overall"]["gpa"]["value"] == 75.0
    made = Submission.objects.get()
    assert made.method == 'quotes " and $(touch hacked) `touch hacked`'
    assert made.is_public is False
    assert not (terminal.home / "hacked").exists()
    again = platform(terminal, phase, PRIVATE="true")
    assert again.status == 0, again.err
    assert Submission.objects.count() == 1  # the same key and file


@pytest.mark.parametrize("platform", [github, gitlab])
def test_a_job_fails_below_a_threshold(
    platform: object, terminal: Terminal, phase: Phase
) -> None:
    said = platform(terminal, phase, FAIL_UNDER="gpa=75.1")
    assert said.status == 3
    assert "must be at least 75.1" in said.err


def test_a_job_may_only_validate(terminal: Terminal, phase: Phase) -> None:
    said = github(terminal, phase, VALIDATE_ONLY="true")
    assert said.status == 0, said.err
    assert json.loads((terminal.home / "egoboard.json").read_text())["is_valid"] is True
    assert not Submission.objects.exists()
    (terminal.home / "mine.jsonl").write_text("{")
    assert github(terminal, phase, VALIDATE_ONLY="true").status == 2


def test_every_input_of_the_action_is_used_and_none_is_in_a_script() -> None:
    action = yaml.safe_load((CI / "action.yml").read_text())
    steps = action["runs"]["steps"]
    used = {value for step in steps for value in step.get("env", {}).values()}
    assert used == {f"${{{{ inputs.{name} }}}}" for name in action["inputs"]}
    assert not any("${{" in step.get("run", "") for step in steps)
