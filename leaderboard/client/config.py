"""Where the site is and who one is there: environment first, then a private file."""

import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from leaderboard.client.faults import Misused

LOCAL = {"localhost", "127.0.0.1", "::1"}


@dataclass(frozen=True, kw_only=True)
class Config:
    """`url` without a slash at its end; `token` is "" for who only reads."""

    url: str
    token: str = ""


def path(env: Mapping[str, str] = os.environ) -> Path:
    base = env.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(base) / "egoboard" / "config.toml"


def load(env: Mapping[str, str] = os.environ) -> Config:
    """EGOBOARD_URL and EGOBOARD_TOKEN, else the file. Raises Misused without a URL."""
    kept = _read(path(env))
    url = env.get("EGOBOARD_URL") or kept.get("url", "")
    if not url:
        raise Misused("no site is known: run `egoboard login`, or set EGOBOARD_URL")
    token = env.get("EGOBOARD_TOKEN", "")
    # A kept token goes to the site that it was kept for, and to no other.
    if not token and clean_url(url) == clean_url(kept.get("url", url)):
        token = kept.get("token", "")
    return Config(url=clean_url(url), token=token)


def save(config: Config, env: Mapping[str, str] = os.environ) -> Path:
    """Write the file so that only its owner can read it, whole or not at all."""
    target = path(env)
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    text = f"url = {json.dumps(config.url)}\ntoken = {json.dumps(config.token)}\n"
    draft = target.with_suffix(".new")
    draft.unlink(missing_ok=True)
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        stream.write(text)
    draft.replace(target)
    return target


def clean_url(url: str) -> str:
    """The site's address. Raises Misused for what is none."""
    parts = urlsplit(url.strip())
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise Misused(f"{url!r} is no address of a site, like https://example.org")
    return url.strip().rstrip("/")


def is_exposed(url: str) -> bool:
    """Whether a token would cross a network in the clear."""
    parts = urlsplit(url)
    return parts.scheme == "http" and parts.hostname not in LOCAL


def _read(file: Path) -> dict[str, str]:
    try:
        kept = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Misused(
            f"{file} cannot be read ({error}); delete it or fix it"
        ) from error
    return {key: value for key, value in kept.items() if isinstance(value, str)}
