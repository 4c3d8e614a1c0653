"""Directories become the same zip each time."""

import os
import zipfile
from pathlib import Path

import pytest

from leaderboard.client.faults import Misused
from leaderboard.client.packing import pack, parcel


def make(folder: Path, names: list[str], mode: int = 0o644) -> Path:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(name.encode() * 100)
        path.chmod(mode)
    return folder


def test_the_same_content_gives_the_same_bytes(tmp_path: Path) -> None:
    names = ["b/2.json", "a.json", "b/1.json"]
    first = make(tmp_path / "one", names)
    second = make(tmp_path / "two", names[::-1], mode=0o600)
    os.utime(second / "a.json", (0, 0))
    pack(first, tmp_path / "1.zip")
    pack(second, tmp_path / "2.zip")
    assert (tmp_path / "1.zip").read_bytes() == (tmp_path / "2.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "1.zip") as archive:
        assert archive.namelist() == ["a.json", "b/1.json", "b/2.json"]
        assert archive.read("b/1.json") == b"b/1.json" * 100
        assert archive.testzip() is None


def test_hidden_files_and_links_stay_out(tmp_path: Path) -> None:
    folder = make(tmp_path / "one", ["a.json", ".secret", ".git/config", "b/.DS_Store"])
    (folder / "link.json").symlink_to("/etc/passwd")
    pack(folder, tmp_path / "1.zip")
    assert zipfile.ZipFile(tmp_path / "1.zip").namelist() == ["a.json"]


def test_an_empty_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Misused, match="holds no files"), parcel(tmp_path):
        pass


def test_a_file_is_uploaded_as_it_is(tmp_path: Path) -> None:
    path = make(tmp_path, ["a.json"]) / "a.json"
    with parcel(path) as found:
        assert (found.path, found.name) == (path, "a.json")


def test_a_packed_directory_is_gone_afterwards(tmp_path: Path) -> None:
    with parcel(make(tmp_path / "one", ["a.json"])) as found:
        assert found.name == "one.zip"
        assert found.path.is_file()
    assert not found.path.exists()
