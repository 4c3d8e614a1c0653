"""The command against a live server, with workers that really check and score."""

import json
import stat
import tomllib
from pathlib import Path

import pytest

from leaderboard.models import ApiToken, Phase, Submission
from tests.factories import make_user
from tests.leaderboard.api.doors import (
    make_real_phase,
    predictions,
    token_text,
    work,
)
from tests.leaderboard.client.terminal import Terminal

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def phase(terminal: Terminal) -> Phase:
    """A phase with a checked test set, and a token to submit to it."""
    terminal.token = token_text(make_user("ada"))
    return make_real_phase()


def place(phase: Phase) -> list[str]:
    return ["--track", phase.track.slug, "--phase", phase.slug]


def write(folder: Path, data: bytes, name: str = "mine.jsonl") -> str:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return str(path)


def test_a_login_is_kept_where_only_its_owner_reads_it(terminal: Terminal) -> None:
    text, url = token_text(make_user("ada"), "read"), terminal.url
    terminal.url = ""
    said = terminal.run("login", "--url", f"{url}/", "--token", text)
    assert said.status == 0, said.err
    assert "as ada (read)" in said.err
    kept = terminal.home / ".config/egoboard/config.toml"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert tomllib.loads(kept.read_text()) == {"url": url, "token": text}
    assert terminal.run("tracks").status == 0  # by what was kept
    assert ApiToken.objects.get().last_used_at is not None


def test_a_token_that_does_not_work_is_not_kept(terminal: Terminal) -> None:
    said = terminal.run("login", "--url", terminal.url, "--token", "ego_wrong")
    assert said.status == 2
    assert "authentication_failed" in said.err
    assert not (terminal.home / ".config/egoboard").exists()


def test_a_kept_token_is_not_shown_to_another_site(terminal: Terminal) -> None:
    text = token_text(make_user())
    terminal.run("login", "--url", terminal.url, "--token", text)
    terminal.url = terminal.url.replace("localhost", "127.0.0.1")
    said = terminal.run("status", "0193a8c0-0000-7000-8000-000000000000")
    assert said.status == 2
    assert "not_authenticated" in said.err


def test_without_a_site_it_says_what_to_do(terminal: Terminal) -> None:
    terminal.url = ""
    said = terminal.run("tracks")
    assert said.status == 2
    assert "egoboard login" in said.err


def test_tracks_are_listed(terminal: Terminal, phase: Phase) -> None:
    said = terminal.run("tracks")
    assert said.status == 0
    assert phase.track.slug in said.out
    listed = json.loads(terminal.run("tracks", "--json").out)
    assert listed[0]["phases"][0]["slug"] == "test"


def test_a_sound_file_is_validated(terminal: Terminal, phase: Phase) -> None:
    file = write(terminal.home, predictions())
    said = terminal.run("validate", *place(phase), file)
    assert said.status == 0, said.err
    assert "answered 12 of 12" in said.out
    assert not Submission.objects.exists()


def test_problems_are_printed_with_their_place(
    terminal: Terminal, phase: Phase
) -> None:
    file = write(terminal.home, predictions() + b'{"q_id": "x", "prediction": 1}\n')
    said = terminal.run("validate", *place(phase), file)
    assert said.status == 2
    assert "problem: mine.jsonl, line 13: " in said.err
    body = json.loads(terminal.run("validate", *place(phase), file, "--json").out)
    assert body["errors"][0]["line"] == 13


def test_a_file_that_is_not_there_is_said_so(terminal: Terminal, phase: Phase) -> None:
    for command in (["validate"], ["submit", "--method", "M"]):
        said = terminal.run(*command, *place(phase), "nowhere.jsonl")
        assert said.status == 2
        assert "nowhere.jsonl is neither a file nor a directory" in said.err


def test_an_unknown_phase_is_said_so(terminal: Terminal, phase: Phase) -> None:
    said = terminal.run("leaderboard", "--track", "none", "--phase", "test")
    assert said.status == 2
    assert "no phase none/test" in said.err


def test_a_submission_is_followed_to_its_scores(
    terminal: Terminal, phase: Phase
) -> None:
    file = write(terminal.home, predictions(right=3))
    words = ["submit", *place(phase), file, "--method", "My method", "--wait"]
    said = terminal.run(*words, "--description", "How", "--private", meanwhile=work)
    assert said.status == 0, said.err
    made = Submission.objects.get()
    assert (made.method, made.description, made.is_public) == (
        "My method",
        "How",
        False,
    )
    assert f"submitted as {made.pk}" in said.err
    assert "received" in said.err  # told on the way
    assert "accepted, scored" in said.err
    assert "75.0 [" in said.out


def test_json_is_all_there_is_on_the_standard_output(
    terminal: Terminal, phase: Phase
) -> None:
    file = write(terminal.home, predictions(right=3))
    words = ["submit", *place(phase), file, "--method", "M", "--wait", "--json"]
    body = json.loads(terminal.run(*words, meanwhile=work).out)
    assert body["submission"]["is_final"] is True
    assert body["scores"]["scores"]["overall"]["gpa"]["value"] == 75.0
    again = terminal.run("status", body["submission"]["id"], "--json")
    assert json.loads(again.out) == body


def test_a_directory_is_submitted_as_a_zip(terminal: Terminal, phase: Phase) -> None:
    write(terminal.home / "results", predictions(), "predictions.jsonl")
    write(terminal.home / "results", b"junk", ".hidden")
    words = ["submit", *place(phase), f"{terminal.home}/results", "--method", "M"]
    said = terminal.run(*words, "--wait", meanwhile=work)
    assert said.status == 0, said.err
    assert Submission.objects.get().file_name == "results.zip"
    assert "100.0" in said.out


def test_a_rejected_file_ends_with_its_problems(
    terminal: Terminal, phase: Phase
) -> None:
    file = write(terminal.home, b'{"q_id": "0000", "prediction": 1}\n{"q_id": "x"}\n')
    words = ["submit", *place(phase), file, "--method", "M", "--wait"]
    said = terminal.run(*words, meanwhile=work)
    assert said.status == 2
    assert "problem: mine.jsonl, line 2" in said.err
    assert "rejected" in said.out


@pytest.mark.parametrize(
    ("threshold", "status"),
    [("gpa=75", 0), ("gpa=75.1", 3), ("type:O1/gpa=100", 0), ("type:E2/gpa=1", 3)],
)
def test_a_threshold_decides_the_exit_status(
    terminal: Terminal, phase: Phase, threshold: str, status: int
) -> None:
    file = write(terminal.home, predictions(right=3))
    words = ["submit", *place(phase), file, "--method", "M", "--fail-under", threshold]
    said = terminal.run(*words, meanwhile=work)
    assert said.status == status, said.err
    assert ("must be at least" in said.err) == (status == 3)


@pytest.mark.parametrize("threshold", ["gpa", "gpa=x", "none=1", "type:none/gpa=1"])
def test_a_wrong_threshold_costs_no_submission(
    terminal: Terminal, phase: Phase, threshold: str
) -> None:
    file = write(terminal.home, predictions())
    words = ["submit", *place(phase), file, "--method", "M", "--fail-under", threshold]
    assert terminal.run(*words).status == 2
    assert not Submission.objects.exists()


def test_a_result_is_held_against_an_earlier_one(
    terminal: Terminal, phase: Phase
) -> None:
    words = ["submit", *place(phase), "--method", "M", "--json"]
    middling = write(terminal.home, predictions(right=2), "middling.jsonl")
    first = terminal.run(*words, middling, "--wait", meanwhile=work)
    earlier = json.loads(first.out)["submission"]["id"]
    for right, status in ((3, 0), (2, 0), (1, 3)):
        file = write(terminal.home, predictions(right=right))
        reference = ["--fail-if-worse-than", earlier]
        said = terminal.run(*words, file, *reference, meanwhile=work)
        assert said.status == status, said.err


def test_a_key_makes_a_second_run_harmless(terminal: Terminal, phase: Phase) -> None:
    file = write(terminal.home, predictions())
    words = ["submit", *place(phase), file, "--method", "M", "--key", "run-1"]
    for _ in range(2):
        assert terminal.run(*words).status == 0
    assert Submission.objects.count() == 1


def test_waiting_ends_with_its_patience(terminal: Terminal, phase: Phase) -> None:
    file = write(terminal.home, predictions())
    words = ["submit", *place(phase), file, "--method", "M", "--wait", "--timeout", "0"]
    said = terminal.run(*words)
    assert said.status == 1
    assert f"egoboard status {Submission.objects.get().pk}" in said.err


def test_a_used_up_quota_is_said_so(terminal: Terminal, phase: Phase) -> None:
    Phase.objects.update(daily_quota=0)
    file = write(terminal.home, predictions())
    said = terminal.run("submit", *place(phase), file, "--method", "M")
    assert said.status == 2
    assert "quota_exceeded" in said.err


def test_a_board_is_shown_in_three_ways(terminal: Terminal, phase: Phase) -> None:
    file = write(terminal.home, predictions(right=3))
    words = ["submit", *place(phase), file, "--method", "Mine [bold]", "--wait"]
    terminal.run(*words, meanwhile=work)
    terminal.token = ""  # boards are public
    shown = terminal.run("leaderboard", *place(phase))
    assert shown.status == 0, shown.err
    assert "Mine [bold]" in shown.out
    assert "75.0 [" in shown.out
    board = json.loads(terminal.run("leaderboard", *place(phase), "--json").out)
    assert board["rows"][0]["numbers"]["gpa"]["value"] == 75.0
    table = terminal.run("leaderboard", *place(phase), "--csv", "--subset", "type:E2")
    header, first = table.out.splitlines()[:2]
    values = dict(zip(header.split(","), first.split(","), strict=True))
    assert (values["subset"], values["gpa"]) == ("type:E2", "0.0")
    wrong = terminal.run("leaderboard", *place(phase), "--subset", "none")
    assert wrong.status == 2
    assert "subset: is not known here" in wrong.err
