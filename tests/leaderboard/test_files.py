"""Files under their SHA-256: the same content once, whole or not at all."""

import hashlib
import stat
from pathlib import Path

import pytest
from django.core.files.base import ContentFile, File
from django.core.files.storage import FileSystemStorage, Storage
from django.core.files.uploadedfile import SimpleUploadedFile, TemporaryUploadedFile
from pytest_django import Settings

from leaderboard import files
from tests.workers.racing import race

BODY = b"line\n" * 50_000


class Remote(Storage):
    """A storage without paths, as an object store is."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    def exists(self, name: str) -> bool:
        return name in self.kept

    def _save(self, name: str, content: File) -> str:
        self.kept[name] = b"".join(content.chunks())
        return name

    def _open(self, name: str, mode: str = "rb") -> File:
        return ContentFile(self.kept[name])


@pytest.fixture(autouse=True)
def root(settings: Settings, tmp_path: Path) -> Path:
    """A storage of this test's own."""
    incoming = tmp_path / "incoming"
    incoming.mkdir()
    settings.FILES_ROOT = tmp_path
    settings.FILE_UPLOAD_TEMP_DIR = incoming
    options = settings.STORAGES["default"]["OPTIONS"]
    settings.STORAGES = {
        **settings.STORAGES,
        "default": {
            "BACKEND": settings.STORAGES["default"]["BACKEND"],
            "OPTIONS": {**options, "location": tmp_path},
        },
    }
    return tmp_path


def uploaded(body: bytes = BODY) -> TemporaryUploadedFile:
    """A file as the upload handler leaves it: written beside its final place."""
    upload = TemporaryUploadedFile("a.jsonl", "text/plain", len(body), None)
    upload.write(body)
    upload.seek(0)
    return upload


def all_files(root: Path) -> list[str]:
    return sorted(
        path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()
    )


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(uploaded, id="an upload on disk"),
        pytest.param(lambda: SimpleUploadedFile("a", BODY), id="an upload in memory"),
        pytest.param(lambda: ContentFile(BODY), id="content of ours"),
    ],
)
def test_a_file_lies_under_its_content(root: Path, make: type[ContentFile]) -> None:
    with make() as content:
        stored = files.store(content, "uploads")

    digest = hashlib.sha256(BODY).hexdigest()
    assert (stored.sha256, stored.size) == (digest, len(BODY))
    assert stored.key == f"uploads/{digest[:2]}/{digest}"
    assert files.read(stored.key) == BODY
    assert all_files(root) == [stored.key]
    assert stat.S_IMODE((root / stored.key).stat().st_mode) == 0o600
    assert stat.S_IMODE((root / "uploads").stat().st_mode) == 0o700


def test_an_empty_file_is_a_file(root: Path) -> None:
    with uploaded(b"") as content:
        stored = files.store(content, "uploads")
    assert (stored.size, files.read(stored.key)) == (0, b"")


def test_measuring_stores_nothing(root: Path) -> None:
    with uploaded() as content:
        measured = files.measure(content, "uploads")
        assert not (root / measured.key).exists()
        assert files.keep(content, measured) == measured
    assert all_files(root) == [measured.key]


def test_the_same_content_is_stored_once(root: Path) -> None:
    keys = set()
    for _ in range(3):
        with uploaded() as content:
            keys.add(files.store(content, "uploads").key)
    keys.add(files.store_bytes(BODY, "uploads").key)
    assert all_files(root) == list(keys)


def test_two_requests_with_the_same_content_store_it_once(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of them look before the first has written."""
    monkeypatch.setattr(FileSystemStorage, "exists", lambda self, name: False)

    results = race(*[lambda: files.store_bytes(BODY, "uploads")] * 4)

    assert len({getattr(result, "key", result) for result in results}) == 1, results
    assert all_files(root) == [results[0].key]


@pytest.mark.parametrize("kind", ["on disk", "in memory"])
def test_a_crash_leaves_the_whole_file_or_none(
    root: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """Whatever is under a key's name is complete: it is moved there in one step."""
    content = uploaded() if kind == "on disk" else SimpleUploadedFile("a", BODY)
    measured = files.measure(content, "uploads")
    seen: list[bool] = []

    def crash(*args: object, **options: object) -> None:
        seen.append((root / measured.key).exists())
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("django.core.files.storage.filesystem.file_move_safe", crash)
        with pytest.raises(KeyboardInterrupt):
            files.keep(content, measured)

    assert seen == [False]
    assert not (root / measured.key).exists()
    if kind == "in memory":
        assert all_files(root) == []  # not even the draft
    assert files.keep(content, measured) == measured
    assert files.read(measured.key) == BODY
    content.close()


def test_a_stored_file_has_a_path_to_read_it_from(root: Path) -> None:
    stored = files.store_bytes(BODY, "uploads")
    with files.local(stored.key) as path:
        assert path.read_bytes() == BODY


def test_a_remote_file_is_stored_and_copied_to_be_read(
    root: Path, settings: Settings
) -> None:
    remote = {"BACKEND": f"{__name__}.Remote"}
    settings.STORAGES = {**settings.STORAGES, "default": remote}

    stored = files.store_bytes(BODY, "uploads")

    assert files.read(stored.key) == BODY
    with files.local(stored.key) as path:
        assert path.read_bytes() == BODY
    assert not path.exists()
    assert all_files(root) == []  # the draft is gone
