"""Faults of the annotations themselves: each finding names a place, never a count."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from evaluation.suite import Finding
from evaluation.svcbench.annotations import Annotations, Question
from evaluation.svcbench.draft import TOLERANCE
from evaluation.svcbench.taxonomy import MONOTONE, SINGLE, UPDATING


def lint(annotations: Annotations) -> list[Finding]:
    """All findings, question by question in the order of the file."""
    found = [
        finding
        for question in annotations.questions
        for check in (_counts, _times, _shape)
        for finding in check(question, annotations.file)
    ]
    found += _repeated(annotations)
    found += _two_sources(annotations)
    return found


def _counts(question: Question, file: str) -> Iterator[Finding]:
    for index, (before, after) in enumerate(pairwise(question.counts), 1):
        if question.subtype in MONOTONE and after < before:
            yield Finding(
                code="count_falls",
                detail=f"the cumulative count of {question.subtype} is below that of "
                f"query_index {index - 1}; no answer could score 100 here",
                place=_place(question, file, index),
                severity="error",
            )
    several = len(question.counts) > 1
    if question.subtype in UPDATING and several and len(set(question.counts)) == 1:
        yield Finding(
            code="count_stands",
            detail="the count is the same at all query points: UDA does not apply",
            place=_place(question, file),
        )


def _times(question: Question, file: str) -> Iterator[Finding]:
    for index, (before, after) in enumerate(pairwise(question.query_times), 1):
        if after < before - TOLERANCE:
            yield Finding(
                code="unsorted_times",
                detail="the query time is before that of the previous query_index; the "
                "trajectory is read by query_index",
                place=_place(question, file, index),
            )
    ordered = sorted(
        range(len(question.query_times)), key=question.query_times.__getitem__
    )
    for before_at, after_at in pairwise(ordered):
        gap = question.query_times[after_at] - question.query_times[before_at]
        if gap <= TOLERANCE:
            yield Finding(
                code="repeated_time",
                detail=f"the query time is that of query_index {before_at} again",
                place=_place(question, file, after_at),
            )


def _shape(question: Question, file: str) -> Iterator[Finding]:
    points = len(question.q_ids)
    if question.subtype in SINGLE and points > 1:
        yield Finding(
            code="several_query_points",
            detail=f"{question.subtype} asks at one moment, here are {points}; only "
            "GPA reads them",
            place=_place(question, file),
        )
    if question.subtype in UPDATING and points == 1:
        yield Finding(
            code="single_query_point",
            detail="there is one query point: MoC and UDA do not apply",
            place=_place(question, file),
        )
    if any(after != before + 1 for before, after in pairwise(question.lines)):
        yield Finding(
            code="scattered_rows",
            detail="its rows do not stand together in the order of query_index; the "
            "released script takes the order of the file for that of time",
            place=_place(question, file),
        )
    if not question.text.strip():
        yield Finding(
            code="no_text", detail="the question is empty", place=_place(question, file)
        )


def _repeated(annotations: Annotations) -> Iterator[Finding]:
    """Questions that ask the same of the same video at the same times."""
    first: dict[tuple[str, str, Sequence[float]], Question] = {}
    for question in annotations.questions:
        key = (question.video, question.text, question.query_times)
        same = first.setdefault(key, question)
        if same is not question:
            yield Finding(
                code="repeated_question",
                detail=f"asks what id {same.id} asks: video, text and times agree",
                place=_place(question, annotations.file),
            )


def _two_sources(annotations: Annotations) -> Iterator[Finding]:
    sources: dict[str, str] = {}
    for question in annotations.questions:
        source = sources.setdefault(question.video, question.source)
        if source != question.source:
            yield Finding(
                code="two_sources",
                detail=f"the video {question.video} has the source_dataset {source} in "
                "an earlier question",
                place=_place(question, annotations.file),
            )


def _place(question: Question, file: str, index: int | None = None) -> str:
    line = question.lines[index or 0]
    point = "" if index is None else f", query_index {index}"
    return f"{file}, line {line} (id {question.id}{point})"
