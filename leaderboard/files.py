"""Files under their SHA-256, outside any web root. Equal content is stored once."""

import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.files import File
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import TemporaryUploadedFile

if TYPE_CHECKING:  # generic in the stubs only
    BytesFile = File[bytes]
else:
    BytesFile = File


@dataclass(frozen=True, kw_only=True)
class Stored:
    key: str
    sha256: str
    size: int


class _Written(BytesFile):
    """A complete temporary file, which the file system backend moves into place."""

    def temporary_file_path(self) -> str:
        return str(self.name)


def measure(content: BytesFile, folder: str) -> Stored:
    """Where `keep` would put an uploaded file. Nothing is stored yet."""
    digest, size = hashlib.sha256(), 0
    for chunk in content.chunks():
        digest.update(chunk)
        size += len(chunk)
    content.seek(0)
    sha256 = digest.hexdigest()
    return Stored(key=f"{folder}/{sha256[:2]}/{sha256}", sha256=sha256, size=size)


def keep(content: BytesFile, measured: Stored) -> Stored:
    """Keep a measured file. A crash leaves the whole file or none: it is moved."""
    if default_storage.exists(measured.key):
        return measured
    if isinstance(content, TemporaryUploadedFile):
        os.fsync(content.fileno())
        key = default_storage.save(measured.key, content)
    else:
        key = _save_copy(measured.key, content)
    _sync_folder(key)
    return replace(measured, key=key)


def store(content: BytesFile, folder: str) -> Stored:
    """Keep an uploaded file."""
    return keep(content, measure(content, folder))


def store_bytes(data: bytes, folder: str) -> Stored:
    """Keep bytes made by us, like a manifest or a sealed artifact."""
    return store(ContentFile(data), folder)


def read(key: str) -> bytes:
    """The whole content of a stored file."""
    with default_storage.open(key) as stream:
        data: bytes = stream.read()
        return data


@contextmanager
def local(key: str) -> Iterator[Path]:
    """A path to read the file from; a temporary copy where storage is remote."""
    try:
        yield Path(default_storage.path(key))
    except NotImplementedError:
        with tempfile.NamedTemporaryFile() as copy, default_storage.open(key) as stream:
            for chunk in iter(lambda: stream.read(1 << 20), b""):
                copy.write(chunk)
            copy.flush()
            yield Path(copy.name)


def _save_copy(key: str, content: BytesFile) -> str:
    incoming = Path(settings.FILE_UPLOAD_TEMP_DIR)
    with tempfile.NamedTemporaryFile(dir=incoming, delete=False) as copy:
        for chunk in content.chunks():
            copy.write(chunk)
        copy.flush()
        os.fsync(copy.fileno())
        try:
            return default_storage.save(key, _Written(copy))
        finally:  # a remote storage has copied it, and a full disk left it behind
            Path(copy.name).unlink(missing_ok=True)


def _sync_folder(key: str) -> None:
    """Make the move itself survive a power cut, before the database refers to it."""
    try:
        folder = os.open(Path(default_storage.path(key)).parent, os.O_RDONLY)
    except NotImplementedError:  # a remote storage
        return
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
