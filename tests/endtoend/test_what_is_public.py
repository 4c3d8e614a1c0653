"""Nothing that only a hidden test set holds comes out of it, anywhere.

Runs after the others of this folder, and on what they have left: three official test
sets, submissions of all suites, a judge that failed, logs of all of it.
"""

import json
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from urllib.parse import urldefrag, urljoin, urlsplit

import pytest

from tests.endtoend.api import Caller
from tests.endtoend.site import Site
from tests.endtoend.test_explore import MARKER

LONG = 25  # characters: enough that no other text has them by chance
PAGES = 250
PLAIN = re.compile(r"[A-Za-z0-9 ,.;:?]+")
LINK = re.compile(r'(?:href|src|hx-get)="([^"]+)"')


@pytest.fixture(scope="module")
def secrets(site: Site, shared_data: Path) -> list[bytes]:
    """Texts of the annotations that no submission repeats."""
    for suite in ("svcbench", "egobench", "explore"):
        query = (
            "select 1 from leaderboard_testsetversion v join leaderboard_phase p "
            "on p.id = v.phase_id join leaderboard_track t on t.id = p.track_id "
            "where t.slug = %s and p.slug = 'test' and v.status = 'active'"
        )
        if not site.ask(query, suite):
            pytest.skip(f"no official test set of {suite}; run the whole folder")
    found = [MARKER, *_questions(shared_data), *_tasks(shared_data)]
    assert len(found) > 1500
    return [text.encode() for text in found]


def _questions(shared_data: Path) -> set[str]:
    lines = (shared_data / "svcbench" / "vcbench_eval.jsonl").read_text().splitlines()
    return _told(json.loads(line)["question"] for line in lines)


def _tasks(shared_data: Path) -> set[str]:
    """What tasks say, and what their solutions are explained by."""
    tasks = [
        task
        for path in (shared_data / "egobench" / "tasks").glob("*.json")
        for task in json.loads(path.read_bytes())
    ]
    return _told(task.get(key) for task in tasks for key in ("Instruction", "analysis"))


def _told(texts: Iterable[str | None]) -> set[str]:
    """The longest part of each text that is written alike in HTML, JSON and SQL."""
    parts = {max(PLAIN.findall(text), key=len) for text in texts if text}
    return {part for part in parts if len(part) > LONG}


def assert_clean(text: bytes, secrets: Sequence[bytes], where: object) -> None:
    told = [secret.decode() for secret in secrets if secret in text]
    assert not told, f"{where} holds {told[:3]}"


def test_the_secrets_would_be_found(secrets: list[bytes], shared_data: Path) -> None:
    truth = (shared_data / "svcbench" / "vcbench_eval.jsonl").read_bytes()
    tasks = (shared_data / "egobench" / "tasks" / "retail1.json").read_bytes()
    for text in (truth, tasks):
        with pytest.raises(AssertionError, match="holds"):
            assert_clean(text, secrets, "the truth")


def test_stored_files_hold_no_secret(site: Site, secrets: list[bytes]) -> None:
    """Uploads, manifests, sealed files, and what the broker keeps; PostgreSQL below."""
    folders = (site.var / "files", site.var / "redis", site.var / "static")
    paths = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    kinds = {path.name for path in (site.var / "files").iterdir()}
    assert {"sealed", "manifests", "uploads"} <= kinds
    for path in paths:
        assert_clean(path.read_bytes(), secrets, path)


def test_the_database_holds_no_secret(site: Site, secrets: list[bytes]) -> None:
    tables = site.ask(
        "select table_name from information_schema.tables "
        "where table_schema = 'public' and table_type = 'BASE TABLE'"
    )
    assert len(tables) > 20
    for (table,) in tables:
        rows = site.ask(f'select t::text from "{table}" t')  # noqa: S608
        text = "\n".join(str(row) for (row,) in rows)
        assert_clean(text.encode(), secrets, table)
    packed = site.ask(
        "select \"table\" from leaderboard_evaluation where status = 'scored'"
    )
    assert len(packed) > 10
    for (table,) in packed:
        assert_clean(zlib.decompress(bytes(table)), secrets, "a table")  # type: ignore[arg-type]


def test_no_page_that_anybody_may_read_tells_a_secret(
    site: Site, anonymous: Caller, secrets: list[bytes]
) -> None:
    seen = dict(crawl(anonymous))
    kinds = ("/submissions/", "/api/v1/tracks/", "view=errors", "/api/schema")
    assert all(any(kind in url for url in seen) for kind in kinds)
    assert len(seen) > 60
    for url, text in seen.items():
        assert_clean(text.encode(), secrets, url)


def test_logs_tell_no_secret(site: Site, secrets: list[bytes]) -> None:
    logs = [site.log, *(site.var / "log").glob("*.log")]
    assert len(logs) >= 3
    for path in logs:
        assert_clean(path.read_bytes(), secrets, path)
    said = site.log.read_text()
    assert "Traceback" not in said
    assert "ERROR" not in said


def crawl(anonymous: Caller) -> Iterator[tuple[str, str]]:
    """Every address that links lead to, and what the API says of each phase."""
    waiting, seen = ["/", *api_addresses(anonymous)], set()
    while waiting and len(seen) < PAGES:
        url = urldefrag(urljoin(anonymous.url, waiting.pop(0))).url
        if url in seen or urlsplit(url).netloc != urlsplit(anonymous.url).netloc:
            continue
        seen.add(url)
        answer = anonymous.curl(url.replace("&amp;", "&"))
        assert answer.status < 500, url
        yield url, answer.text
        if "text/html" in answer.headers.get("content-type", ""):
            waiting += LINK.findall(answer.text)


def api_addresses(anonymous: Caller) -> Iterator[str]:
    yield "/api/v1/tracks"
    yield "/api/schema/"
    for track in json.loads(anonymous.curl("tracks").text):
        for phase in track["phases"]:
            base = f"/api/v1/tracks/{track['slug']}/phases/{phase['slug']}"
            yield from (base, f"{base}/manifest", f"{base}/leaderboard")
