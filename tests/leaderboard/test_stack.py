"""The processes of a server and what each of them is told."""

from pathlib import Path

import pytest

from leaderboard import embedded, stack
from leaderboard.supervisor import Child

RECIPIENT, IDENTITY = "EGOBOARD_SEAL_RECIPIENT", "EGOBOARD_SEAL_IDENTITY_FILE"


@pytest.fixture(autouse=True)
def unconfigured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("EGOBOARD_VAR", str(tmp_path))
    monkeypatch.delenv(RECIPIENT, raising=False)
    monkeypatch.delenv(IDENTITY, raising=False)


def others() -> list[Child]:
    return [stack.web(host="127.0.0.1", port=1), stack.beat(), stack.samples()]


def test_everybody_may_seal() -> None:
    for child in [*others(), stack.worker(concurrency=1)]:
        assert child.env[RECIPIENT] == embedded.seal_recipient()


def test_only_workers_may_open_what_is_sealed(monkeypatch: pytest.MonkeyPatch) -> None:
    worker = stack.worker(concurrency=1)
    assert worker.env[IDENTITY] == str(embedded.seal_identity_file())

    monkeypatch.setenv(IDENTITY, "/run/secrets/identity")
    monkeypatch.setenv(RECIPIENT, "age1given")
    assert stack.worker(concurrency=1).env[IDENTITY] == "/run/secrets/identity"
    assert not [child.name for child in others() if IDENTITY in child.env]


def test_a_given_recipient_is_kept_and_not_mixed_with_our_identity(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(RECIPIENT, "age1given")

    worker = stack.worker(concurrency=1)
    assert worker.env[RECIPIENT] == "age1given"
    assert IDENTITY not in worker.env


def test_only_the_web_pools_its_connections() -> None:
    pooling = [
        child.name
        for child in [*others(), stack.worker(concurrency=1)]
        if "EGOBOARD_DB_POOL" in child.env
    ]
    assert pooling == ["web"]


def test_a_test_can_point_every_process_elsewhere() -> None:
    worker = stack.worker(concurrency=1, env={"DATABASE_URL": "postgresql:///other"})

    assert worker.env["DATABASE_URL"] == "postgresql:///other"
