"""The usual file, fast: a chunk of raw rows that all have the same few scalar keys.

A chunk is either placed as a whole or not touched. In the latter case each line is
looked at alone (raw.py), with the same result for lines that are right and a message
for those that are not.
"""

from functools import lru_cache
from keyword import iskeyword
from operator import attrgetter

import msgspec
import numpy as np

from evaluation.strict_json import MAX_DIGITS
from evaluation.svcbench.draft import ABSENT, TOLERANCE, Draft
from evaluation.svcbench.lines import Chunk
from evaluation.tables import Counts

LF, BRACE = b"\n{"
Columns = dict[str, list[object]]
Rows = range | Counts


Scalar = int | float | str | bool | None
TYPES: dict[str, type] = {
    "q_id": str,
    "id": str,
    "query_index": int,
    "query_time": float,
}
ANSWERS = {"prediction", "pred"}
MAX_KEYS = 32


def place(chunk: Chunk, draft: Draft) -> int:
    """Place all rows of the chunk and return how many they are; 0 if it did nothing."""
    keys = _keys(chunk.data)
    if not keys:
        return 0
    try:
        rows = _decoder(keys).decode_lines(chunk.data)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return 0
    if not _is_plain(chunk.data, len(rows), len(keys)):
        return 0
    used = [key for key in keys if key in TYPES or key in ANSWERS]
    columns: Columns = {key: list(map(attrgetter(key), rows)) for key in used}
    found = _places(columns["q_id"], draft)
    if found is None or not _agrees(columns, found, draft):
        return 0
    lines = range(chunk.first, chunk.first + len(rows))
    draft.fill(found, columns.get("prediction", columns.get("pred", [])), lines)
    draft.next_row = int(found[-1]) + 1
    return len(rows)


def _keys(data: bytes) -> tuple[str, ...]:
    """The keys of the first row, if it is one of the raw format; else none."""
    try:
        first = msgspec.json.decode(data[: data.index(b"\n") + 1])
    except (ValueError, RecursionError):
        return ()
    if not isinstance(first, dict) or "q_id" not in first or "predictions" in first:
        return ()
    if not ANSWERS & first.keys() or len(first) > MAX_KEYS:
        return ()
    is_usual = all(k.isidentifier() and k.islower() and k[0] != "_" for k in first)
    return tuple(first) if is_usual and not any(map(iskeyword, first)) else ()


@lru_cache(maxsize=64)
def _decoder(keys: tuple[str, ...]) -> msgspec.json.Decoder[msgspec.Struct]:
    """Rows with exactly these keys; the ones that are not ours hold any scalar."""
    fields = [(key, TYPES.get(key, Scalar)) for key in keys]
    return msgspec.json.Decoder(msgspec.defstruct("Row", fields, gc=False))


def _is_plain(data: bytes, rows: int, keys: int) -> bool:
    """Prove that each line is one row with each key once, and nothing is huge.

    Values are scalars and hold no line feed, so a line that begins with a brace begins
    a row: with as many such lines as rows, each row has its own. Each of its keys needs
    a colon: with no more colons than that, no key came twice.
    """
    text = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero(text == LF)
    starts = np.concatenate([[0], ends[:-1] + 1])
    return (
        len(ends) == rows
        and bool((text[starts] == BRACE).all())
        and data.count(b":") == rows * keys
        and int((ends - starts).max()) < MAX_DIGITS
    )


def _places(q_ids: list[object], draft: Draft) -> Rows | None:
    """The rows' places in the manifest, if all are there, new and different."""
    found: Rows = range(draft.next_row, draft.next_row + len(q_ids))
    if _taken(draft.manifest.q_ids, found) != q_ids:  # not in the manifest's order
        places = list(map(draft.row_of.get, q_ids))  # type: ignore[arg-type]
        if None in places or len(set(places)) < len(places):
            return None
        found = np.array(places, np.int64)
    return None if (draft.state[found] != ABSENT).any() else found


def _agrees(columns: Columns, found: Rows, draft: Draft) -> bool:
    """Whether ids, indices and times, where given, are those of the manifest."""
    manifest = draft.manifest
    for key, wanted in (("id", manifest.ids), ("query_index", manifest.query_index)):
        if key in columns and columns[key] != _taken(wanted, found):
            return False
    times = columns.get("query_time")
    if times is None or times == _taken(manifest.query_times, found):
        return True
    gaps = np.array(times, np.float64) - draft.query_times[found]
    return bool(np.abs(gaps).max() <= TOLERANCE)


def _taken(values: tuple[object, ...], rows: Rows) -> list[object]:
    if isinstance(rows, range):
        return list(values[rows.start : rows.stop])
    return list(map(values.__getitem__, rows.tolist()))
