"""Bounds on how many things a JSON text holds, found before they are built.

Decoding an array as undecoded pieces costs some 50 bytes for an element of two. Where
a text is long, its elements are therefore counted first: as objects without fields,
which keep nothing, and whose making stops at the limit.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

UNGUARDED = 4 * 1024 * 1024  # bytes; shorter texts cannot do harm
MAX_ENTRIES = 20_000  # of a file
MAX_TURNS = 5_000  # of an entry
MAX_FILES = 1_000  # in a joined object


class TooMany(ValueError):
    """Counting stopped at the limit."""


def guard_array(raw: msgspec.Raw | bytearray, limit: int) -> None:
    """Pass an array of at most `limit` objects; others may be of any kind if short.

    Raises msgspec.ValidationError otherwise.
    """
    if len(memoryview(raw)) > UNGUARDED:
        msgspec.json.decode(raw, type=list[_counted(limit, array_like=False)])  # type: ignore[misc]


def guard_files(raw: msgspec.Raw | bytearray) -> None:
    """Pass an object of at most MAX_FILES arrays, bare or under `submission`.

    Raises msgspec.ValidationError otherwise, for a long text.
    """
    if len(memoryview(raw)) <= UNGUARDED:
        return
    arrays: Any = dict[str, _counted(MAX_FILES, array_like=True)]  # type: ignore[misc]
    wrapped = msgspec.defstruct("Wrapped", [("submission", arrays, msgspec.UNSET)])
    whole = msgspec.json.decode(raw, type=wrapped)
    if getattr(whole, "submission", None) is msgspec.UNSET:
        msgspec.json.decode(raw, type=arrays)


def _counted(limit: int, *, array_like: bool) -> type[msgspec.Struct]:
    """A type whose values are objects (or arrays), of which there are but so many."""
    left: Iterator[int] = iter(range(limit))

    def count(self: msgspec.Struct) -> None:
        if next(left, None) is None:
            raise TooMany(f"holds more than {limit} elements")

    return msgspec.defstruct(
        "Element", [], namespace={"__post_init__": count}, array_like=array_like
    )
