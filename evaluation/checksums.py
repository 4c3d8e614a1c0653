"""Model files are trusted only when their SHA-256 is the one expected."""

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path

CHUNK = 1024 * 1024


class ModelMissing(Exception):
    """A model package that scoring needs is not installed here."""


class ModelFilesChanged(Exception):
    """A model file is not the one that scores are defined with."""


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def verify(root: Path, expected: Mapping[str, str]) -> None:
    """Check files under `root` (path -> SHA-256). Raises ModelFilesChanged."""
    for name, digest in expected.items():
        path = root / name
        if not path.is_file():
            raise ModelFilesChanged(f"{path} is missing; reinstall the model package")
        found = sha256_of(path)
        if found != digest:
            raise ModelFilesChanged(
                f"{path} has SHA-256 {found}, expected {digest}; reinstall the package"
            )


def combined(root: Path, names: Iterable[str]) -> str:
    """One SHA-256 over several files, in the order given; absent ones are skipped."""
    digest = hashlib.sha256()
    for name in names:
        if (root / name).is_file():
            digest.update(f"{name}\0{sha256_of(root / name)}\n".encode())
    return digest.hexdigest()
