"""JSON Lines, fast where a line is provably clean and strict everywhere else.

msgspec accepts exactly what the strict decoder accepts, save for four things: a key
given twice, nesting beyond the limit, strings beyond 1 MiB and integers of thousands
of digits. A block of lines without any of these (proven by counting bytes) is taken as
it is; a line that cannot be proven clean is decoded again by the strict decoder.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

from evaluation import strict_json
from evaluation.problems import InvalidUpload, Problem, ProblemList
from evaluation.reading import Member, refused

CHUNK_BYTES = 1024 * 1024
MAX_LINES = 5_000_000  # of a file; a test set has some 5,000 query points

_fast = msgspec.json.Decoder().decode


@dataclass(frozen=True, kw_only=True)
class Chunk:
    """Some whole lines of a file; `first` is the number of the first, from 1."""

    file: str
    first: int
    data: bytes


@dataclass(frozen=True, kw_only=True)
class Block:
    """Some decoded lines, in the order of the file, and their line numbers."""

    rows: Sequence[object]
    numbers: Sequence[int]


def read_chunks(member: Member) -> Iterator[Chunk]:
    """The lines of a file, split at LF. Raises InvalidUpload over the limits."""
    first = 1
    with member.open() as stream:
        while data := stream.read(CHUNK_BYTES):
            data += (rest := stream.readline(CHUNK_BYTES))
            if len(rest) == CHUNK_BYTES:  # what it decodes to may be 75 times as large
                raise _too_long(member.name, first + data.count(b"\n"))
            yield Chunk(file=member.name, first=first, data=data)
            first += data.count(b"\n")
            if first > MAX_LINES:
                detail = f"has more than {MAX_LINES} lines; give one per query point"
                raise refused("too_many_lines", detail, member.name)


def _too_long(file: str, line: int) -> InvalidUpload:
    detail = "is longer than 1 MiB; write one JSON object per line"
    return InvalidUpload(
        [Problem(code="line_too_long", detail=detail, file=file, line=line)]
    )


def read_blocks(member: Member, broken: ProblemList) -> Iterator[Block]:
    """All lines decoded, as `decode_chunk` does."""
    for chunk in read_chunks(member):
        yield decode_chunk(chunk, broken)


def decode_chunk(chunk: Chunk, broken: ProblemList) -> Block:
    """Decode lines, skipping those of white space only.

    Lines that are no JSON are added to `broken`.
    """
    lines = chunk.data.split(b"\n")
    if not lines[-1]:
        lines.pop()
    try:
        rows = [_fast(line) for line in lines]
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return _careful(lines, chunk, broken)
    if not _is_clean(lines, rows):
        return _careful(lines, chunk, broken)
    return Block(rows=rows, numbers=range(chunk.first, chunk.first + len(lines)))


def _careful(lines: list[bytes], chunk: Chunk, broken: ProblemList) -> Block:
    rows: list[object] = []
    numbers: list[int] = []
    for number, line in enumerate(lines, chunk.first):
        if not line.strip():
            continue
        try:
            row = _one(line, chunk.file, number)
        except InvalidUpload as error:
            for problem in error.problems:
                broken.add(problem)
        else:
            rows.append(row)
            numbers.append(number)
    return Block(rows=rows, numbers=numbers)


def _one(line: bytes, file: str, number: int) -> object:
    try:
        row = _fast(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return strict_json.decode(line, file=file, line=number)
    if _is_clean([line], [row]):
        return row
    return strict_json.decode(line, file=file, line=number)


def _is_clean(lines: list[bytes], rows: list[object]) -> bool:
    """Prove that the lines hold no duplicate key, no deep nesting and nothing huge.

    Every key needs a colon, every object a brace and every list a bracket. So if there
    are no more of them than distinct keys, rows and lists right below a row, then no
    key came twice and nothing nests deeper. (The reverse fails for text with such
    characters: then the strict decoder decides.)
    """
    if max(map(len, lines), default=0) >= strict_json.MAX_DIGITS or set(
        map(type, rows)
    ) != {dict}:
        return False
    objects = [row for row in rows if isinstance(row, dict)]
    text = b"".join(lines)
    if text.count(b":") != sum(map(len, objects)) or text.count(b"{") != len(rows):
        return False
    brackets = text.count(b"[")
    if not brackets:
        return True
    return brackets == sum(type(v) is list for row in objects for v in row.values())
