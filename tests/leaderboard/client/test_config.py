"""Where the site is, and who one is there."""

import stat
from pathlib import Path

import pytest

from leaderboard.client import config
from leaderboard.client.config import Config
from leaderboard.client.faults import Misused


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return {"XDG_CONFIG_HOME": str(tmp_path / "deep" / "config")}


def test_what_is_saved_is_loaded(env: dict[str, str]) -> None:
    kept = Config(url="https://example.org", token='ego_"\\1')
    path = config.save(kept, env)
    assert config.load(env) == kept
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_saving_again_keeps_the_file_private(env: dict[str, str]) -> None:
    path = config.save(Config(url="https://example.org"), env)
    path.chmod(0o644)
    config.save(Config(url="https://example.org", token="ego_2"), env)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_environment_comes_first(env: dict[str, str]) -> None:
    config.save(Config(url="https://example.org", token="ego_1"), env)
    found = config.load({**env, "EGOBOARD_TOKEN": "ego_2"})
    assert found == Config(url="https://example.org", token="ego_2")


def test_a_kept_token_goes_to_no_other_site(env: dict[str, str]) -> None:
    config.save(Config(url="https://example.org", token="ego_1"), env)
    other = config.load({**env, "EGOBOARD_URL": "https://example.com/"})
    assert other == Config(url="https://example.com")
    same = config.load({**env, "EGOBOARD_URL": "https://example.org/"})
    assert same.token == "ego_1"


@pytest.mark.parametrize("url", ["", "example.org", "ftp://example.org", "https://"])
def test_what_is_no_url_is_refused(url: str) -> None:
    with pytest.raises(Misused):
        config.load({"EGOBOARD_URL": url, "XDG_CONFIG_HOME": "/nonexistent"})


def test_a_broken_file_is_named(env: dict[str, str]) -> None:
    path = config.save(Config(url="https://example.org"), env)
    path.write_text("url = ")
    with pytest.raises(Misused, match=r"config\.toml cannot be read"):
        config.load(env)


@pytest.mark.parametrize(
    ("url", "is_exposed"),
    [
        ("https://example.org", False),
        ("http://example.org", True),
        ("http://localhost:8000", False),
        ("http://[::1]:8000", False),
    ],
)
def test_a_token_over_http_is_warned_of(url: str, is_exposed: bool) -> None:
    assert config.is_exposed(url) is is_exposed
