"""What an environment makes of the settings."""

import json
import os
import subprocess
import sys

import pytest

CODE = """
import json, leaderboard.settings as s
print(json.dumps({
    "allauth": s.ALLAUTH_TRUSTED_PROXY_COUNT,
    "api": s.REST_FRAMEWORK["NUM_PROXIES"],
    "https": getattr(s, "SECURE_PROXY_SSL_HEADER", None),
    "pool": s.DATABASES["default"].get("OPTIONS", {}).get("pool"),
}))
"""


def settings_of(**env: str) -> dict[str, object]:
    done = subprocess.run(
        [sys.executable, "-c", CODE],
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize("flag", ["0", "1"])
def test_addresses_that_a_proxy_tells_are_believed_only_behind_one(flag: str) -> None:
    """Else all visitors share the proxy's address, and its count of failed sign-ins."""
    found = settings_of(EGOBOARD_BEHIND_PROXY=flag)
    assert (found["allauth"], found["api"]) == (int(flag), int(flag))
    assert bool(found["https"]) is (flag == "1")


def test_a_page_does_not_wait_long_for_a_database_that_is_down() -> None:
    assert settings_of(EGOBOARD_DB_POOL="1")["pool"]["timeout"] <= 10
