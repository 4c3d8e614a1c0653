"""Reading `vcbench_eval.jsonl`, the only truth, with every check and its place."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import msgspec

from evaluation.problems import Problem, ProblemList, shown
from evaluation.reading import Member, Upload, refused
from evaluation.svcbench.annotations import Annotations, Question
from evaluation.svcbench.counts import LIMIT
from evaluation.svcbench.lines import read_blocks
from evaluation.svcbench.taxonomy import SUBTYPES, type_of

FILE = "vcbench_eval.jsonl"
LONGEST = 1e9  # seconds; beyond, times are no longer exact to the microsecond


class _Point(msgspec.Struct, frozen=True):
    """One row whose fields are right; keys not listed here are ignored."""

    q_id: str
    id: str
    query_index: int
    query_time: float
    count: int
    counting_subtype: str
    source_dataset: str
    video_path: str
    question: str


Placed = tuple[int, _Point]  # with its line


@dataclass(frozen=True)
class _Field:
    wanted: str
    is_right: Callable[[object], bool]


def _is_name(value: object) -> bool:
    return isinstance(value, str) and value.isprintable() and bool(value.strip())


def _is_text(value: object) -> bool:
    """Text that can be stored: neither NUL nor half a character."""
    return isinstance(value, str) and not re.search("[\0\ud800-\udfff]", value)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and type(value) is int and 0 <= value <= LIMIT


def _is_time(value: object) -> bool:
    return (
        isinstance(value, int | float)
        and type(value) is not bool
        and 0 <= value < LONGEST
    )


FIELDS = {
    "q_id": _Field('a string like "0546"', _is_name),
    "id": _Field('a string like "0546"', _is_name),
    "query_index": _Field("an integer, 0 or more", _is_whole),
    "query_time": _Field("a number of seconds, 0 or more", _is_time),
    "count": _Field("an integer, 0 or more", _is_whole),
    "counting_subtype": _Field(f"one of {', '.join(SUBTYPES)}", SUBTYPES.__contains__),
    "source_dataset": _Field("a printable string, not empty", _is_name),
    "video_path": _Field("a printable string, not empty", _is_name),
    "question": _Field("a string", _is_text),
}
SHARED = ("counting_subtype", "source_dataset", "video_path", "question")


@dataclass
class _Draft:
    """Rows that are right by themselves, by question, in the order of the file."""

    file: str
    problems: ProblemList = field(default_factory=ProblemList)
    questions: dict[str, list[Placed]] = field(default_factory=dict)
    q_ids: dict[str, int] = field(default_factory=dict)

    def report(self, code: str, detail: str, line: int) -> None:
        self.problems.add(Problem(code=code, detail=detail, file=self.file, line=line))


def read_annotations(upload: Upload) -> Annotations:
    """A test set in the official schema. Raises InvalidUpload with every problem."""
    member = the_file(upload, FILE)
    broken, draft, is_empty = ProblemList(), _Draft(member.name), True
    for block in read_blocks(member, broken):
        for number, row in zip(block.numbers, block.rows, strict=True):
            is_empty = False
            _take(row, number, draft)
    broken.raise_if_any()
    if is_empty:
        raise refused("empty", "has no rows; upload vcbench_eval.jsonl", member.name)
    for rows in draft.questions.values():
        _check_question(rows, draft)
    draft.problems.raise_if_any()
    questions = tuple(_question(rows) for rows in draft.questions.values())
    return Annotations(file=member.name, questions=questions)


def the_file(upload: Upload, usual: str) -> Member:
    """The upload's only file, or the one with the usual name. Raises InvalidUpload."""
    members = upload.members()
    named = [m for m in members if m.name.rpartition("/")[2] == usual]
    found = named if len(members) > 1 else members
    if len(found) == 1:
        return found[0]
    names = ", ".join(shown(m.name) for m in members[:5]) or "nothing"
    detail = f"must hold one JSON Lines file, or one named {usual}; it holds {names}"
    raise refused("wrong_files", detail, upload.name)


def _take(row: object, line: int, draft: _Draft) -> None:
    """Check one row by itself and file it under its question."""
    if not isinstance(row, dict):
        draft.report(
            "not_an_object", "must be a JSON object, one per query point", line
        )
        return
    if "query_points" in row and "count" not in row:
        detail = f"is a row of vcbench_data.jsonl, whose ids differ; upload {FILE}"
        raise refused("wrong_file", detail, draft.file)
    faults = list(_faults(row))
    for code, detail in faults:
        draft.report(code, detail, line)
    if faults:
        return
    point = msgspec.convert({key: row[key] for key in FIELDS}, _Point)
    first = draft.q_ids.setdefault(point.q_id, line)
    if first != line:
        detail = f"q_id {shown(point.q_id)!r} is on line {first} too; keep one"
        draft.report("duplicate_q_id", detail, line)
        return
    draft.questions.setdefault(point.id, []).append((line, point))


def _faults(row: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    for key, wanted in FIELDS.items():
        if key not in row:
            yield "missing_key", f"has no {key!r}; it must be {wanted.wanted}"
        elif not wanted.is_right(row[key]):
            # Never the value: it may be an answer.
            kind = type(row[key]).__name__
            yield "wrong_value", f"{key} must be {wanted.wanted}; this {kind} is not"
    subtype, given = row.get("counting_subtype"), row.get("counting_type")
    if isinstance(subtype, str) and subtype in SUBTYPES and given != type_of(subtype):
        detail = f"counting_type must be {type_of(subtype)!r} for {subtype}"
        yield "wrong_value", f"{detail}, got {shown(given)!r}"


def _check_question(rows: list[Placed], draft: _Draft) -> None:
    """Check what the rows of one question must share, and that none is left out."""
    first_line, first = rows[0]
    places: dict[int, int] = {}
    for line, point in rows:
        for key in SHARED:
            if getattr(point, key) != getattr(first, key):
                detail = f"{key} differs from line {first_line}, the same question"
                draft.report("mixed_question", f"{detail}; one id, one question", line)
        index = point.query_index
        if places.setdefault(index, line) != line:
            detail = f"query_index {index} of id {shown(point.id)!r} is on line"
            draft.report("duplicate_query_index", f"{detail} {places[index]} too", line)
    absent = [index for index in range(len(places)) if index not in places]
    if absent:
        detail = f"id {shown(first.id)!r} has no query_index {absent[0]}"
        draft.report("query_index_gap", f"{detail}; they must run from 0", first_line)


def _question(rows: list[Placed]) -> Question:
    points = sorted(rows, key=lambda placed: placed[1].query_index)
    first = points[0][1]
    return Question(
        id=first.id,
        subtype=first.counting_subtype,
        source=first.source_dataset,
        video=first.video_path,
        text=first.question,
        q_ids=tuple(point.q_id for _, point in points),
        query_times=tuple(point.query_time for _, point in points),
        counts=tuple(point.count for _, point in points),
        lines=tuple(line for line, _ in points),
    )
