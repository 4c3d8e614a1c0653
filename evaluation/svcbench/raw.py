"""The raw format: one row per query point, keyed by q_id."""

from collections.abc import Container, Mapping

from evaluation.svcbench.draft import ABSENT, ANSWERED, Draft, Faulty, is_near, said
from evaluation.svcbench.lines import Block

THREE_THINGS = '546, "546" and "0546" are three things and only the last is an id'

Row = Mapping[str, object]


def place(block: Block, draft: Draft) -> None:
    """Put rows where they belong, one by one; those that fit nowhere are reported."""
    placed: list[int] = []
    given: list[object] = []
    lines: list[int] = []
    for line, row in zip(block.numbers, block.rows, strict=True):
        at = _place_one(row, draft)
        if at is None:
            draft.left_out += 1
        elif not isinstance(at, int):
            draft.report(at, line)
        elif isinstance(row, dict):
            placed.append(at)
            given.append(_given(row))
            lines.append(line)
    draft.fill(placed, given, lines)


def _given(row: Row) -> object:
    """The prediction; a present null does not fall back to `pred`, as upstream."""
    return row["prediction"] if "prediction" in row else row.get("pred")


def _place_one(row: object, draft: Draft) -> int | Faulty | None:
    """A row's place in the manifest, or the first thing wrong with it.

    None where the row answers what a selection does not ask.
    """
    if not isinstance(row, dict):
        detail = "must be a JSON object with q_id and prediction"
        return "not_an_object", f"{detail}, got {said(row)}"
    if "predictions" in row:
        detail = "has 'predictions', but the file began with one row per query point"
        return "mixed_formats", f"{detail}; use one format in a file"
    q_id = row.get("q_id")
    at = draft.row_of.get(q_id) if isinstance(q_id, str) else None
    if at is None and isinstance(q_id, str) and q_id in draft.left_out_q_ids:
        return None
    if at is None:
        return "unknown_q_id", _unknown_q_id(row, draft)
    if draft.state[at] != ABSENT:
        detail = f"q_id {said(q_id)} came before; keep one row per query point"
        return "duplicate_q_id", detail
    fault = _mismatch(row, at, draft)
    if fault is not None:
        return fault
    draft.state[at] = ANSWERED
    return at


def _mismatch(row: Row, at: int, draft: Draft) -> Faulty | None:
    manifest = draft.manifest
    q_id = f"q_id {said(manifest.q_ids[at])}"
    if row.get("id", manifest.ids[at]) != manifest.ids[at]:
        return "id_mismatch", _wrong_id(row["id"], at, draft)
    index = manifest.query_index[at]
    given = row.get("query_index", index)
    if given != index or isinstance(given, bool):
        wanted = f"the number {index} for {q_id}"
        return (
            "query_index_mismatch",
            f"query_index must be {wanted}, got {said(given)}",
        )
    time = manifest.query_times[at]
    given = row.get("query_time", time)
    if not is_near(given, time):
        wanted = f"the number {time} for {q_id}"
        return "query_time_mismatch", f"query_time must be {wanted}, got {said(given)}"
    return None


def _unknown_q_id(row: Row, draft: Draft) -> str:
    if "q_id" not in row:
        return 'has no q_id; each row needs its query point\'s, a string like "0546"'
    return unknown_text("q_id", row["q_id"], draft.row_of)


def _wrong_id(given: object, at: int, draft: Draft) -> str:
    q_id, wanted = (said(one[at]) for one in (draft.manifest.q_ids, draft.manifest.ids))
    if not isinstance(given, str):
        return f"id must be a string, got {said(given)}: {THREE_THINGS}"
    return (
        f"id must be {wanted} for q_id {q_id}, got {said(given)}; ids are those of "
        "vcbench_eval.jsonl (vcbench_data.jsonl numbers questions otherwise), and "
        f"{THREE_THINGS}"
    )


def unknown_text(key: str, given: object, known: Container[str]) -> str:
    """Why a q_id or id is none of the test set's, and which one was likely meant."""
    padded = str(given).zfill(4) if isinstance(given, int | str) else ""
    meant = f'; did you mean "{padded}"?' if padded in known else ""
    if not isinstance(given, str):
        return f"{key} must be a string, got {said(given)}: {THREE_THINGS}{meant}"
    why = f": {THREE_THINGS}{meant}" if meant else "; the manifest lists all ids"
    return f"{key} {said(given)} is not in the test set{why}"
