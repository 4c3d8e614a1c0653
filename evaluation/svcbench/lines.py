"""JSON Lines, fast where a line is provably clean and strict everywhere else.

msgspec accepts exactly what the strict decoder accepts, save for four things: a key
given twice, nesting beyond the limit, strings beyond 1 MiB and integers of thousands
of digits. A block of lines without any of these (proven by counting bytes) is taken as
it is; a line that cannot be proven clean is decoded again by the strict decoder.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

from evaluation.problems import InvalidUpload, ProblemList
from evaluation.reading import Member
from evaluation.strict_json import MAX_DIGITS, decode

BLOCK_BYTES = 1024 * 1024

_fast = msgspec.json.Decoder().decode


@dataclass(frozen=True, kw_only=True)
class Block:
    """Some decoded lines, in the order of the file, and their line numbers from 1."""

    rows: Sequence[object]
    numbers: Sequence[int]


def read_blocks(member: Member, broken: ProblemList) -> Iterator[Block]:
    """The lines of a file, split at LF, skipping those of white space only.

    Lines that are no JSON are added to `broken`. Raises InvalidUpload over the limits.
    """
    first = 1
    with member.open() as stream:
        while lines := stream.readlines(BLOCK_BYTES):
            yield _block(lines, first, member.name, broken)
            first += len(lines)


def _block(lines: list[bytes], first: int, file: str, broken: ProblemList) -> Block:
    try:
        rows = [_fast(line) for line in lines]
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return _careful(lines, first, file, broken)
    if _is_clean(lines, rows):
        return Block(rows=rows, numbers=range(first, first + len(lines)))
    return _careful(lines, first, file, broken)


def _careful(lines: list[bytes], first: int, file: str, broken: ProblemList) -> Block:
    rows: list[object] = []
    numbers: list[int] = []
    for number, line in enumerate(lines, first):
        if not line.strip():
            continue
        try:
            row = _one(line, file, number)
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
        return decode(line, file=file, line=number)
    return row if _is_clean([line], [row]) else decode(line, file=file, line=number)


def _is_clean(lines: list[bytes], rows: list[object]) -> bool:
    """Prove that the lines hold no duplicate key, no deep nesting and nothing huge.

    Every key needs a colon, every object a brace and every list a bracket. So if there
    are no more of them than distinct keys, rows and lists right below a row, then no
    key came twice and nothing nests deeper. (The reverse fails for text with such
    characters: then the strict decoder decides.)
    """
    if max(map(len, lines)) >= MAX_DIGITS or set(map(type, rows)) != {dict}:
        return False
    objects = [row for row in rows if isinstance(row, dict)]
    text = b"".join(lines)
    if text.count(b":") != sum(map(len, objects)) or text.count(b"{") != len(rows):
        return False
    brackets = text.count(b"[")
    if not brackets:
        return True
    return brackets == sum(type(v) is list for row in objects for v in row.values())
