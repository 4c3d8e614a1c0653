"""What is uploaded: a file as it is, a directory as a zip that is always the same."""

import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from leaderboard.client.faults import Misused

EPOCH = (1980, 1, 1, 0, 0, 0)  # zip knows no earlier time


@dataclass(frozen=True, kw_only=True)
class Parcel:
    path: Path
    name: str


@contextmanager
def parcel(path: Path) -> Iterator[Parcel]:
    """The file to upload, for as long as the block lasts. Raises Misused."""
    if path.is_file():
        yield Parcel(path=path, name=path.name)
        return
    if not path.is_dir():
        raise Misused(f"{path} is neither a file nor a directory")
    with tempfile.TemporaryDirectory() as folder:
        packed = Path(folder) / "upload.zip"
        pack(path, packed)
        yield Parcel(path=packed, name=f"{path.resolve().name}.zip")


def pack(directory: Path, target: Path) -> None:
    """The same content gives the same bytes: sorted, without times and owners.

    Hidden files and links stay out. Raises Misused when nothing is left.
    """
    names = [found.relative_to(directory) for found in _files(directory)]
    if not names:
        raise Misused(f"{directory} holds no files")
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for name in sorted(names, key=lambda one: one.as_posix()):
            entry = zipfile.ZipInfo(name.as_posix(), EPOCH)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            entry.create_system = 3  # the same on every system
            archive.writestr(entry, (directory / name).read_bytes())


def _files(directory: Path) -> Iterator[Path]:
    for found in directory.rglob("*"):
        inside = found.relative_to(directory)
        is_hidden = any(part.startswith(".") for part in inside.parts)
        if found.is_file() and not found.is_symlink() and not is_hidden:
            yield found
