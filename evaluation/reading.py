"""Bounded reading of hostile files: a file, a directory, a zip or a gz.

Limits are enforced while streaming, before memory is spent (DESIGN section 5).
"""

import errno
import gzip
import io
import stat
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import BinaryIO, cast

from evaluation.problems import InvalidUpload, Problem, shown

MIB = 1024 * 1024
CHUNK = 256 * 1024
DAMAGED = "the compressed data is damaged; pack and upload it again"
# What Python's zip and gzip raise at damaged or unsupported data, found by fuzzing.
UNREADABLE = (
    zipfile.BadZipFile,
    gzip.BadGzipFile,
    zlib.error,
    EOFError,
    RuntimeError,
    ValueError,
)
PACKINGS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
ARCHIVES = {".zip", ".gz", ".tgz", ".tar", ".bz2", ".xz", ".7z", ".rar", ".zst"}


@dataclass(frozen=True, kw_only=True)
class Limits:
    packed_mib: int = 64
    unpacked_mib: int = 512
    ratio: int = 200
    members: int = 10_000


@dataclass
class _Budget:
    """Bytes that may still be unpacked from this upload."""

    limits: Limits
    packed: int
    spent: int = 0

    def spend(self, size: int, name: str) -> None:
        self.spent += size
        if self.spent > self.limits.unpacked_mib * MIB:
            raise refused(
                "too_large",
                f"unpacks to more than {self.limits.unpacked_mib} MiB",
                name,
            )
        if self.spent > MIB and self.spent > self.packed * self.limits.ratio:
            detail = f"unpacks to more than {self.limits.ratio} times its size; upload it unpacked"
            raise refused("compression_ratio", detail, name)


class _Bounded(io.RawIOBase):
    """A stream that spends the budget as it is read, and names itself when broken."""

    def __init__(self, inner: BinaryIO, name: str, budget: _Budget) -> None:
        self._inner, self._name, self._budget = inner, name, budget

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(cast(bytearray, buffer))
        try:
            data = self._inner.read(min(len(view), CHUNK))
        except UNREADABLE as error:
            raise refused("damaged_archive", DAMAGED, self._name) from error
        self._budget.spend(len(data), self._name)
        view[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._inner.close()
        super().close()


@dataclass(frozen=True, kw_only=True)
class Member:
    """One file of an upload, by its path inside it."""

    name: str
    _source: Callable[[], BinaryIO] = field(repr=False)

    def open(self) -> BinaryIO:
        """A bounded binary stream; reading it may raise InvalidUpload."""
        return self._source()

    def read(self) -> bytes:
        """The whole content. Raises InvalidUpload over the limits."""
        with self.open() as stream:
            return stream.read()


@dataclass(frozen=True, kw_only=True)
class Upload:
    """What was uploaded. `name` is the name its owner gave it."""

    path: Path
    name: str
    limits: Limits = field(default_factory=Limits)

    def members(self) -> list[Member]:
        """The files inside, sorted by path. Raises InvalidUpload for what is unsafe."""
        if self.path.is_dir():
            return _directory(self)
        size = self.path.stat().st_size
        if size > self.limits.packed_mib * MIB:
            detail = f"is larger than {self.limits.packed_mib} MiB; compress it"
            raise refused("too_large", detail, self.name)
        with self.path.open("rb") as stream:
            magic = stream.read(4)
        budget = _Budget(self.limits, max(size, 1))
        if magic == b"PK\x03\x04" or magic == b"PK\x05\x06":
            return _zipped(self, budget)
        if magic[:2] == b"\x1f\x8b":
            name = self.name.removesuffix(".gz")
            return [
                _member(
                    name, lambda: cast(BinaryIO, gzip.open(self.path, "rb")), budget
                )
            ]
        return [_member(self.name, lambda: self.path.open("rb"), budget)]


def open_upload(
    path: Path, name: str | None = None, limits: Limits | None = None
) -> Upload:
    """An upload at `path`, known to its owner as `name`."""
    return Upload(path=path, name=name or path.name, limits=limits or Limits())


def refused(code: str, detail: str, file: str | None = None) -> InvalidUpload:
    """An InvalidUpload with a single problem about a whole file."""
    return InvalidUpload([Problem(code=code, detail=detail, file=file)])


def _member(name: str, source: Callable[[], BinaryIO], budget: _Budget) -> Member:
    def opened() -> BinaryIO:
        try:
            inner = source()
        except UNREADABLE as error:
            raise refused("damaged_archive", DAMAGED, name) from error
        return io.BufferedReader(_Bounded(inner, name, budget), CHUNK)

    return Member(name=name, _source=opened)


def _directory(upload: Upload) -> list[Member]:
    files = sorted(
        p for p in upload.path.rglob("*") if p.is_file() and not p.is_symlink()
    )
    if len(files) > upload.limits.members:
        raise refused(
            "too_many_files",
            f"holds more than {upload.limits.members} files",
            upload.name,
        )
    budget = _Budget(upload.limits, sum(p.stat().st_size for p in files) or 1)
    return [
        _member(p.relative_to(upload.path).as_posix(), lambda p=p: p.open("rb"), budget)  # type: ignore[misc]
        for p in files
    ]


def _archive(upload: Upload) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(upload.path)
    except UNREADABLE as error:
        raise refused("damaged_archive", DAMAGED, upload.name) from error
    except OSError as error:
        if error.errno != errno.EINVAL:  # that is what seeking to nowhere gives
            raise
        raise refused("damaged_archive", DAMAGED, upload.name) from error


def _zipped(upload: Upload, budget: _Budget) -> list[Member]:
    archive = _archive(upload)
    entries = [e for e in archive.infolist() if not e.filename.endswith("/")]
    if len(entries) > upload.limits.members:
        raise refused(
            "too_many_files",
            f"holds more than {upload.limits.members} files",
            upload.name,
        )
    seen: set[str] = set()
    for entry in entries:
        _refuse_unsafe(entry, seen)
        seen.add(entry.filename)
    if sum(entry.file_size for entry in entries) > upload.limits.unpacked_mib * MIB:
        detail = f"unpacks to more than {upload.limits.unpacked_mib} MiB"
        raise refused("too_large", detail, upload.name)
    kept = sorted(
        (e for e in entries if not _is_clutter(e.filename)), key=lambda e: e.filename
    )
    return [
        _member(e.filename, lambda e=e: cast(BinaryIO, archive.open(e)), budget)  # type: ignore[misc]
        for e in kept
    ]


def _refuse_unsafe(entry: zipfile.ZipInfo, seen: set[str]) -> None:
    name = entry.filename
    path = PurePosixPath(name)
    is_plain = bool(path.parts) and name.isprintable() and "\\" not in name
    if not is_plain or path.is_absolute() or ".." in path.parts or ":" in path.parts[0]:
        raise refused(
            "unsafe_path", "has an unsafe path; use plain relative names", shown(name)
        )
    if entry.header_offset < 0:
        raise refused("damaged_archive", DAMAGED, shown(name))
    if stat.S_ISLNK(entry.external_attr >> 16):
        raise refused("link", "is a link; pack the file itself", shown(name))
    if entry.flag_bits & 0x1:
        raise refused(
            "encrypted", "is encrypted; pack it without a password", shown(name)
        )
    if entry.compress_type not in PACKINGS:
        detail = "is packed in an unusual way; use the usual one (deflate)"
        raise refused("unsupported_compression", detail, shown(name))
    if path.suffix.lower() in ARCHIVES:
        raise refused(
            "nested_archive", "is an archive inside the archive; unpack it", shown(name)
        )
    if name in seen:
        raise refused("duplicate_file", "is in the archive twice", shown(name))


def _is_clutter(name: str) -> bool:
    """What macOS and editors add to archives unasked."""
    return name.startswith("__MACOSX/") or PurePosixPath(name).name in {
        ".DS_Store",
        "Thumbs.db",
    }
