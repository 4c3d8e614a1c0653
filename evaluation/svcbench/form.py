"""What a file claims to answer, to check its form when there is no test set at hand."""

from collections.abc import Iterator, Mapping

from evaluation.problems import ProblemList
from evaluation.reading import Member
from evaluation.svcbench.annotations import Manifest
from evaluation.svcbench.counts import LIMIT
from evaluation.svcbench.lines import read_blocks
from evaluation.svcbench.moments import Moments

Row = Mapping[str, object]
Point = tuple[str, str, int, float]  # q_id, id, query_index, query_time


def own_manifest(member: Member) -> Manifest:
    """A manifest that agrees with all that is well formed in the file, and no more."""
    points: list[Point] = []
    seen: set[object] = set()
    is_unified: bool | None = None
    for block in read_blocks(member, ProblemList()):
        for row in block.rows:
            if not isinstance(row, dict):
                continue
            if is_unified is None:
                is_unified = "predictions" in row
            key = row.get("id" if is_unified else "q_id")
            if isinstance(key, str) and key not in seen:
                seen.add(key)
                points.extend(_unified(key, row) if is_unified else _raw(key, row))
    return Manifest(
        q_ids=tuple(point[0] for point in points),
        ids=tuple(point[1] for point in points),
        query_index=tuple(point[2] for point in points),
        query_times=tuple(point[3] for point in points),
    )


def _raw(q_id: str, row: Row) -> Iterator[Point]:
    id_, index = row.get("id"), _number(row.get("query_index"))
    time = _number(row.get("query_time"))
    yield (
        q_id,
        id_ if isinstance(id_, str) else "",
        int(index) if index is not None and index.is_integer() else 0,
        0.0 if time is None else time,
    )


def _unified(id_: str, row: Row) -> Iterator[Point]:
    given = row.get("query_times")
    times: list[float] = []
    moments = Moments()
    for time in map(_number, given if isinstance(given, list) else []):
        if time is not None and not moments.near(time):
            moments.add(time)
            times.append(time)
    # A question without a time is still one that the file knows.
    for index, time in enumerate(times or [0.0]):
        yield f"{id_}/{index}", id_, index, time


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if abs(value) <= LIMIT else None
