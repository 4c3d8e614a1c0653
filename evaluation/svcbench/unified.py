"""The unified format: one row per question, query times beside predictions."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from evaluation.svcbench.draft import Draft, is_near, said
from evaluation.svcbench.lines import Block
from evaluation.svcbench.moments import Moments
from evaluation.svcbench.raw import unknown_text


@dataclass
class _Batch:
    """Query points placed in this block, what is given there, and on which line."""

    rows: list[int] = field(default_factory=list)
    given: list[object] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class _Fault:
    code: str
    detail: str
    path: str | None = None


def place(block: Block, draft: Draft) -> None:
    """Put a block's predictions where they belong; unfit lines are reported."""
    batch = _Batch()
    for line, row in zip(block.numbers, block.rows, strict=True):
        left_out = _left_out(row, draft)
        draft.left_out += left_out
        fault = None if left_out else _place_one(row, line, draft, batch)
        if fault is not None:
            draft.report((fault.code, fault.detail), line, fault.path)
    draft.fill(batch.rows, batch.given, batch.lines)


def _left_out(row: object, draft: Draft) -> int:
    """How many predictions a row has for a question that a selection does not ask."""
    if not isinstance(row, dict) or "predictions" not in row:
        return 0
    id_, given = row.get("id"), row["predictions"]
    if not isinstance(id_, str) or id_ not in draft.left_out_ids:
        return 0
    return max(1, len(given)) if isinstance(given, list) else 1


def _place_one(row: object, line: int, draft: Draft, batch: _Batch) -> _Fault | None:
    """Place one question's predictions, or return the first thing wrong with it."""
    if not isinstance(row, dict):
        detail = f"must be a JSON object with id and predictions, got {said(row)}"
        return _Fault(code="not_an_object", detail=detail)
    if "predictions" not in row:
        detail = "has no 'predictions', but the file began with one row per question"
        detail = f"{detail}; use one format in a file"
        return _Fault(code="mixed_formats", detail=detail)
    id_ = row.get("id")
    rows = draft.rows_of.get(id_) if isinstance(id_, str) else None
    if not isinstance(id_, str) or rows is None:
        return _Fault(code="unknown_id", detail=_unknown_id(row, draft))
    if id_ in draft.answered_ids:
        detail = f"id {said(id_)} came before; keep one row per question"
        return _Fault(code="duplicate_id", detail=detail)
    times, predictions = row.get("query_times"), row["predictions"]
    if not isinstance(times, list) or not isinstance(predictions, list):
        detail = "query_times and predictions must be lists of equal length"
        return _Fault(code="length_mismatch", detail=detail)
    if len(times) != len(predictions):
        detail = f"has {len(times)} query_times and {len(predictions)} predictions"
        detail = f"{detail}; give one prediction for each time"
        return _Fault(code="length_mismatch", detail=detail)
    placed = _match(times, rows, id_, draft)
    if isinstance(placed, _Fault):
        return placed
    draft.answered_ids.add(id_)
    batch.rows.extend(placed)
    batch.given.extend(predictions)
    batch.lines.extend([line] * len(placed))
    return None


def _match(
    times: Sequence[object], rows: range, id_: str, draft: Draft
) -> Sequence[int] | _Fault:
    """The manifest's row of each time: the first within a microsecond, not yet used."""
    wanted = draft.manifest.query_times[rows.start : rows.stop]
    if list(times) == list(wanted) and set(map(type, times)) <= {int, float}:
        return rows
    moments, placed = Moments(), {}
    for time in wanted:
        moments.add(time)
    for position, given in enumerate(times):
        at = next((k for k in moments.near(given) if k not in placed), None)
        if at is None:
            return _unmatched(given, position, wanted, id_)
        placed[at] = rows[at]
    return list(placed.values())


def _unmatched(
    time: object, position: int, wanted: Sequence[float], id_: str
) -> _Fault:
    path = f"query_times[{position}]"
    if any(is_near(time, one) for one in wanted):
        detail = f"{said(time)} is a query time given before; give each time once"
        return _Fault(code="duplicate_query_time", detail=detail, path=path)
    some = ", ".join(str(one) for one in wanted[:5])
    more = ", …" if len(wanted) > 5 else ""
    detail = f"{said(time)} is no query time of id {said(id_)}; they are {some}{more}"
    return _Fault(code="unknown_query_time", detail=detail, path=path)


def _unknown_id(row: dict[str, object], draft: Draft) -> str:
    if "id" not in row:
        return 'has no id; each row needs its question\'s, a string like "0546"'
    return unknown_text("id", row["id"], draft.rows_of)
