"""JSON from strangers: strict UTF-8, no NaN, no duplicate keys, bounded depth."""

import json
import math
from collections import Counter

from evaluation.problems import InvalidUpload, Problem, shown

MAX_DEPTH = 64
MAX_STRING = 1024 * 1024
MAX_DIGITS = (
    4000  # beyond, Python refuses to make an int; such a number is infinite to us
)


class _Refused(ValueError):
    def __init__(self, code: str, detail: str) -> None:
        self.code, self.detail = code, detail
        super().__init__(detail)


def decode(data: bytes, *, file: str | None = None, line: int | None = None) -> object:
    """Parse one JSON document, or raise InvalidUpload with its place.

    `line` is the line of `data` itself in a JSON Lines file; without it the
    problem's line is counted inside the document.
    """
    try:
        value = _DECODER.decode(data.decode("utf-8"))
        if len(data) > MAX_STRING or data.count(b"[") + data.count(b"{") > MAX_DEPTH:
            _check_size(value)
    except UnicodeDecodeError as error:
        problem = (
            "invalid_json",
            f"is not UTF-8 at byte {error.start}; save it as UTF-8",
            line,
        )
    except json.JSONDecodeError as error:
        detail = f"is not valid JSON: {error.msg} at column {error.colno}"
        problem = ("invalid_json", detail, line or error.lineno)
    except RecursionError:
        problem = ("too_deep", f"nests deeper than {MAX_DEPTH} levels", line)
    except _Refused as error:
        problem = (error.code, error.detail, line)
    else:
        return value
    code, detail, place = problem
    raise InvalidUpload([Problem(code=code, detail=detail, file=file, line=place)])


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise _Refused("duplicate_key", f"has the key {shown(twice)!r} twice; keep one")
    return found


def _refuse_constant(name: str) -> object:
    detail = f"is not valid JSON: {name} is not a JSON number; write a number or null"
    raise _Refused("invalid_json", detail)


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) < MAX_DIGITS else math.inf


def _check_size(value: object) -> None:
    level, depth = [value], 0
    while level:
        following: list[object] = []
        has_containers = False
        for item in level:
            if isinstance(item, dict | list):
                has_containers = True
                following.extend(item.values() if isinstance(item, dict) else item)
            elif isinstance(item, str) and len(item) > MAX_STRING:
                raise _Refused("too_long", "has a string longer than 1 MiB; shorten it")
        depth += has_containers
        if depth > MAX_DEPTH:
            raise _Refused("too_deep", f"nests deeper than {MAX_DEPTH} levels")
        level = following


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique, parse_constant=_refuse_constant, parse_int=_integer
)
