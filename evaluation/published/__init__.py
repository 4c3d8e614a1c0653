"""Results from papers and project pages, with their sources.

They are shown beside what was measured here, flagged, and never ranked among it.
"""

from functools import cache
from pathlib import Path

import msgspec

FOLDER = Path(__file__).parent


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """Where numbers were read."""

    id: str
    title: str
    url: str | None = None


class PublishedRow(msgspec.Struct, frozen=True, kw_only=True):
    """One method's published scores: subset -> metric -> value, in the metric's unit."""

    method: str
    source: Source
    scores: dict[str, dict[str, float | None]]
    note: str | None = None  # what keeps it from being compared
    is_open_weights: bool | None = None
    is_human: bool = False
    is_subset: bool = False  # measured on a part of the test set
    organisation: str | None = None
    parameters: str | None = None
    track: str | None = None  # where a suite has several boards
    group: str | None = None


class _File(msgspec.Struct, frozen=True, kw_only=True):
    suite: str
    sources: list[Source]
    rows: list[dict[str, object]]
    notes: list[str] = []


@cache
def published(suite: str) -> tuple[PublishedRow, ...]:
    """A suite's published rows, in the order of its file; none where it has no file."""
    found = _read(suite)
    if found is None:
        return ()
    sources = {source.id: msgspec.to_builtins(source) for source in found.sources}
    return tuple(
        msgspec.convert(row | {"source": sources[str(row["source"])]}, PublishedRow)
        for row in found.rows
    )


@cache
def notes(suite: str) -> tuple[str, ...]:
    """What holds for all of a suite's published rows."""
    found = _read(suite)
    return tuple(found.notes) if found else ()


def _read(suite: str) -> _File | None:
    path = FOLDER / f"{suite}.json"
    return msgspec.json.decode(path.read_bytes(), type=_File) if path.exists() else None
