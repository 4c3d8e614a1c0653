"""Files under their SHA-256, outside any web root. Equal content is stored once."""

import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.files import File
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


def store(content: BytesFile, folder: str) -> Stored:
    """Keep an uploaded file. A crash leaves the whole file or none: it is moved."""
    digest, size = hashlib.sha256(), 0
    for chunk in content.chunks():
        digest.update(chunk)
        size += len(chunk)
    content.seek(0)
    sha256 = digest.hexdigest()
    key = f"{folder}/{sha256[:2]}/{sha256}"
    if not default_storage.exists(key):
        if isinstance(content, TemporaryUploadedFile):
            os.fsync(content.fileno())
            key = default_storage.save(key, content)
        else:
            key = _save_copy(key, content)
    return Stored(key=key, sha256=sha256, size=size)


def store_bytes(data: bytes, folder: str) -> Stored:
    """Keep bytes made by us, like a manifest or a sealed artifact."""
    sha256 = hashlib.sha256(data).hexdigest()
    key = f"{folder}/{sha256[:2]}/{sha256}"
    if not default_storage.exists(key):
        with tempfile.TemporaryFile() as memory:
            memory.write(data)
            memory.seek(0)
            key = _save_copy(key, File(memory))
    return Stored(key=key, sha256=sha256, size=len(data))


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
        return default_storage.save(key, _Written(copy))
