"""Reading result files: arrays of entries, each alone or joined in one object."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import PurePosixPath

import msgspec

from evaluation.egobench.guards import MAX_ENTRIES, guard_array, guard_files
from evaluation.egobench.runs import RawField, Trajectory
from evaluation.egobench.testset import FILE, Manifest
from evaluation.egobench.trajectories import (
    Entry,
    is_object,
    read_entry,
    refuse_twice,
)
from evaluation.problems import InvalidUpload, Problem, ProblemList
from evaluation.reading import Member, refused

MAX_FILE_MIB = 256  # one result file, or all of them joined
MAX_ID = 64  # characters of an id, as JSON
JOINED = re.compile(rb'"([a-z]+[0-9]+_(?:easy|hard|static))"\s*:')
_BYTE = re.compile(r"\(byte (\d+)\)")
UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
Entries = dict[int, Trajectory | None]  # by task id; None: an entry that says nothing


@dataclass
class Reader:
    """Collects entries, problems that refuse the upload, and notices that do not."""

    manifest: Manifest | None
    files: dict[str, Entries] = field(default_factory=dict)
    problems: ProblemList = field(default_factory=ProblemList)
    notices: ProblemList = field(default_factory=ProblemList)
    unknown: int = 0
    duplicate: int = 0

    def note(self, code: str, detail: str, file: str, path: str | None = None) -> None:
        self.notices.add(Problem(code=code, detail=detail, file=file, path=path))

    def collect(self, work: Callable[[], None]) -> None:
        """Do it, and keep its problems for the report."""
        try:
            work()
        except InvalidUpload as error:
            for problem in error.problems:
                self.problems.add(problem)


def read_member(reader: Reader, member: Member) -> None:
    path = PurePosixPath(member.name)
    if path.suffix != ".json":
        reader.note("ignored_file", "is not a .json file and is ignored", member.name)
        return
    data = _bytes(member)
    if FILE.fullmatch(path.stem):
        _read_file(reader, path.stem, data, member.name, "")
    elif data[:64].lstrip()[:1] == b"{":
        _read_joined(reader, data, member.name)
    else:
        detail = "is not named like retail1_easy.json and is ignored"
        reader.note("ignored_file", detail, member.name)


def _bytes(member: Member) -> bytearray:
    """The content, read in pieces: a large file is never held twice."""
    data = bytearray()
    with member.open() as stream:
        while piece := stream.read(256 * 1024):
            data += piece
            if len(data) > MAX_FILE_MIB * 1024 * 1024:
                detail = f"is larger than {MAX_FILE_MIB} MiB; split it by file"
                raise refused("too_large", detail, member.name)
    return data


def _read_joined(reader: Reader, data: bytearray, file: str) -> None:
    """`{"retail1_easy": […], …}`, bare or under the key `submission`."""
    seen = Counter(match[1].decode() for match in JOINED.finditer(data))
    whole = msgspec.Raw(data)
    parts, path = _object(whole, file), ""
    if "submission" in parts:
        whole, path = parts["submission"], "submission."
        parts = _object(whole, file, "submission")
    twice = [name for name, count in seen.items() if count > 1]
    if twice:
        refuse_twice(whole, twice, file, path.rstrip("."))
    names = [name for name in parts if FILE.fullmatch(name)]
    if not names:
        reader.note("ignored_file", "holds no key like retail1_easy", file)
    for name in names:
        reader.collect(
            partial(_read_file, reader, name, parts[name], file, f"{path}{name}")
        )


def _object(raw: msgspec.Raw, file: str, path: str = "") -> dict[str, msgspec.Raw]:
    try:
        guard_files(raw)
        return msgspec.json.decode(raw, type=dict[str, msgspec.Raw])
    except UNREADABLE as error:
        wanted = "an object of result files"
        raise _malformed(error, raw, file, path, wanted) from None


def _malformed(
    error: Exception, raw: msgspec.Raw | bytearray, file: str, path: str, wanted: str
) -> InvalidUpload:
    """What is wrong with JSON that could not be decoded as wanted, and where."""
    line = None
    if isinstance(error, msgspec.ValidationError):
        code, detail = "wrong_type", f"must be {wanted} ({error})"
    elif isinstance(error, RecursionError):
        code, detail = "too_deep", "nests too deep; flatten it"
    else:
        code, detail = "invalid_json", f"is not valid JSON: {error}"
        place = _BYTE.search(str(error))
        if place and not path:
            line = bytes(memoryview(raw)[: int(place[1])]).count(b"\n") + 1
    found = Problem(code=code, detail=detail, file=file, path=path or None, line=line)
    return InvalidUpload([found])


def _read_file(
    reader: Reader, name: str, data: bytearray | msgspec.Raw, file: str, path: str
) -> None:
    """One result file: an array of entries."""
    try:
        guard_array(data, MAX_ENTRIES)
        raws = msgspec.json.decode(data, type=list[msgspec.Raw])
    except UNREADABLE as error:
        raise _malformed(error, data, file, path, "an array of entries") from None
    if name in reader.files:
        raise refused("duplicate_file", f"brings {name} a second time; keep one", file)
    entries = reader.files[name] = {}
    known = _known(reader, name, file)
    for position, raw in enumerate(raws):
        place = f"{path}[{position}]"
        reader.collect(
            partial(_take, reader, entries, raw, position, known, file, place)
        )


def _known(reader: Reader, name: str, file: str) -> set[int] | None:
    """The ids that the test set has for a file; None without a test set."""
    if reader.manifest is None:
        return None
    variant, _, mode = name.rpartition("_")
    modes = reader.manifest.variants.get(variant)
    if modes is None:
        reader.note("unknown_file", f"{variant} is not in this test set", file)
    elif mode not in modes:
        reader.note("unknown_file", f"{name} does not count in this test set", file)
    return set((modes or {}).get(mode, ()))


def _take(
    reader: Reader,
    entries: Entries,
    raw: msgspec.Raw,
    position: int,
    known: set[int] | None,
    file: str,
    path: str,
) -> None:
    """Pair one entry with its task; a later entry of a task replaces the earlier."""
    trajectory: Trajectory | None = None
    number: int | None = position + 1
    if is_object(raw):
        try:
            entry, trajectory = read_entry(raw, file, path)
            number = _id(entry, position)
        except UNREADABLE as error:
            raise _malformed(error, raw, file, path, "an entry object") from None
    if number is None or (known is not None and number not in known):
        reader.unknown += 1
        shown_id = (
            "has an id that is no integer" if number is None else f"is task {number}"
        )
        detail = f"{shown_id}, which this test set does not have; it is not scored"
        reader.note("unknown_task", detail, file, path)
        return
    if number in entries:
        reader.duplicate += 1
        detail = f"answers task {number} again; this later entry counts"
        reader.note("duplicate_task", detail, file, path)
    entries[number] = trajectory


def _id(entry: Entry, position: int) -> int | None:
    """The task that an entry names: 3 or 3.0; its place where it names none."""
    for raw in (entry.scenario_id, entry.task_id):
        if isinstance(raw, msgspec.Raw):
            return _integer(raw)
    return position + 1


def _integer(raw: RawField) -> int | None:
    data = bytes(raw)  # type: ignore[arg-type]
    if len(data) > MAX_ID:
        return None
    try:
        value = msgspec.json.decode(data)
    except msgspec.ValidationError:
        return None  # a number beyond a double
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if value == int(value) else None
