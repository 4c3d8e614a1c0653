"""The truth: questions, their query points and counts, from `vcbench_eval.jsonl`."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec
import numpy as np
import numpy.typing as npt

from evaluation.problems import InvalidUpload, Problem, shown
from evaluation.suite import Selection
from evaluation.svcbench.taxonomy import type_of
from evaluation.tables import Counts

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True)
class Question:
    """One streaming question; its query points are in the order of query_index."""

    id: str
    subtype: str
    source: str
    video: str
    text: str
    q_ids: tuple[str, ...]
    query_times: tuple[float, ...]  # seconds
    counts: tuple[int, ...]
    lines: tuple[int, ...]  # where each query point stands in the file


@dataclass(frozen=True, kw_only=True)
class Annotations:
    file: str
    questions: tuple[Question, ...]  # in the order of the file
    left_out: tuple[Question, ...] = ()  # by a selection: they are known, not asked


class Manifest(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What must be answered: one entry per query point, questions kept together.

    What a selection leaves out may be in a submission, and is ignored there.
    """

    q_ids: tuple[str, ...]
    ids: tuple[str, ...]
    query_index: tuple[int, ...]
    query_times: tuple[float, ...]  # seconds
    left_out_q_ids: tuple[str, ...] = ()
    left_out_ids: tuple[str, ...] = ()


class Labels(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """A column of few different strings: `values` once, and which one stands where."""

    values: tuple[str, ...]
    codes: Counts

    def at(self, rows: Counts) -> tuple[str, ...]:
        """The strings at these positions."""
        codes = self.codes[rows]
        return tuple(map(self.values.__getitem__, codes.tolist()))

    def isin(self, kinds: Container[str], rows: Counts) -> Flags:
        """Whether each position's string is one of `kinds`."""
        wanted = np.array([value in kinds for value in self.values], np.bool_)
        found: Flags = wanted[self.codes[rows]]
        return found


def labels(column: Iterable[str]) -> Labels:
    """A column by the order of first appearance."""
    places: dict[str, int] = {}
    codes = [places.setdefault(value, len(places)) for value in column]
    return Labels(values=tuple(places), codes=np.array(codes, np.int64))


class Compiled(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """A test set in columns: per question, and per query point in manifest order."""

    ids: tuple[str, ...]
    types: Labels
    subtypes: Labels
    sources: Labels
    videos: Labels
    lengths: Counts  # query points per question
    counts: Counts  # the truth, per query point
    manifest: Manifest


def make_manifest(annotations: Annotations) -> Manifest:
    """The public part of a test set. Holds no count."""
    questions = annotations.questions
    return Manifest(
        q_ids=tuple(q_id for q in questions for q_id in q.q_ids),
        ids=tuple(q.id for q in questions for _ in q.q_ids),
        query_index=tuple(i for q in questions for i in range(len(q.q_ids))),
        query_times=tuple(time for q in questions for time in q.query_times),
        left_out_q_ids=tuple(i for q in annotations.left_out for i in q.q_ids),
        left_out_ids=tuple(q.id for q in annotations.left_out),
    )


def compile_annotations(annotations: Annotations) -> Compiled:
    """The test set as arrays."""
    questions = annotations.questions
    return Compiled(
        ids=tuple(q.id for q in questions),
        types=labels(type_of(q.subtype) for q in questions),
        subtypes=labels(q.subtype for q in questions),
        sources=labels(q.source for q in questions),
        videos=labels(q.video for q in questions),
        lengths=np.array([len(q.counts) for q in questions], np.int64),
        counts=np.array([count for q in questions for count in q.counts], np.int64),
        manifest=make_manifest(replace(annotations, left_out=())),
    )


def instance_ids(compiled: Compiled) -> tuple[str, ...]:
    """Question ids, in the order of the file."""
    return compiled.ids


def select(annotations: Annotations, selection: Selection) -> Annotations:
    """The questions with the given ids, in the order of the file.

    Raises InvalidUpload for ids that are not there, and for another form of selection.
    """
    if isinstance(selection, Mapping):
        detail = 'the selection must be a list of question ids, like ["0000", "0546"]'
        raise InvalidUpload([Problem(code="invalid_selection", detail=detail)])
    known = {question.id for question in annotations.questions}
    entries: Sequence[object] = selection  # from a file: anything may stand in it
    unknown = [
        Problem(
            code="unknown_id",
            detail=f"no question has the id {shown(one)!r}; ids are strings like "
            f'"0546", with their leading zeros',
            path=f"[{position}]",
        )
        for position, one in enumerate(entries)
        if not isinstance(one, str) or one not in known
    ]
    if unknown:
        raise InvalidUpload(unknown[:100], len(unknown))
    if not selection:
        detail = "the selection is empty; name at least one question id"
        raise InvalidUpload([Problem(code="invalid_selection", detail=detail)])
    return _kept(annotations, selection)


def _kept(annotations: Annotations, ids: Sequence[str]) -> Annotations:
    wanted = frozenset(ids)
    others = tuple(q for q in annotations.questions if q.id not in wanted)
    return Annotations(
        file=annotations.file,
        questions=tuple(q for q in annotations.questions if q.id in wanted),
        left_out=annotations.left_out + others,
    )
