"""A submission while it is read: which query points are answered, with what."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from evaluation.problems import Problem, ProblemList, shown
from evaluation.suite import Coverage
from evaluation.svcbench.annotations import Manifest
from evaluation.svcbench.counts import LIMIT, MEANING, Unreadable, read_counts
from evaluation.tables import Counts, Floats

TOLERANCE = 1e-6  # seconds between a query time and the same one, written otherwise
FIRST_PLACES = 10
ABSENT, ANSWERED, INVALID = 0, 1, 2

Faulty = tuple[str, str]  # code and detail of what is wrong with a line


@dataclass(frozen=True, kw_only=True, eq=False)
class Predictions:
    """What a submission says at each query point of the manifest it was read with.

    `values` and `state` have one entry per query point; a value counts only where the
    state is ANSWERED. Without a manifest only the form was checked, and nothing can be
    scored.
    """

    manifest: Manifest | None
    values: Counts
    state: npt.NDArray[np.int8]
    coverage: Coverage
    notices: tuple[Problem, ...] = ()
    unreadable: dict[str, int] = field(default_factory=dict)  # by reason


@dataclass
class Places:
    """How often something was seen, and the first lines where."""

    count: int = 0
    lines: list[int] = field(default_factory=list)

    def add(self, line: int) -> None:
        self.count += 1
        if len(self.lines) < FIRST_PLACES and line not in self.lines:
            self.lines.append(line)


class Draft:
    """The query points of one manifest, filled in block by block."""

    def __init__(self, manifest: Manifest, file: str) -> None:
        size = len(manifest.q_ids)
        self.manifest, self.file = manifest, file
        self.values = np.zeros(size, np.int64)
        self.state = np.zeros(size, np.int8)
        self.answered_ids: set[str] = set()  # questions, in the unified format
        self.left_out = 0  # predictions of what a selection does not ask
        self.next_row = 0  # what likely follows, as most files keep the order
        self.unreadable: dict[Unreadable, Places] = {}
        self.problems = ProblemList()

    @cached_property
    def row_of(self) -> dict[str, int]:
        """q_id -> its row in the manifest."""
        return dict(zip(self.manifest.q_ids, range(len(self.state)), strict=True))

    @cached_property
    def query_times(self) -> Floats:
        """Seconds, of shape (query points,)."""
        return np.array(self.manifest.query_times, np.float64)

    @cached_property
    def rows_of(self) -> dict[str, range]:
        """id -> its rows in the manifest."""
        ids = self.manifest.ids
        starts = [r for r in range(len(ids)) if r == 0 or ids[r] != ids[r - 1]]
        ends = [*starts[1:], len(ids)][: len(starts)]
        return {ids[a]: range(a, b) for a, b in zip(starts, ends, strict=True)}

    @cached_property
    def left_out_q_ids(self) -> frozenset[str]:
        """Of query points that a selection does not ask: neither fault nor answer."""
        return frozenset(self.manifest.left_out_q_ids)

    @cached_property
    def left_out_ids(self) -> frozenset[str]:
        return frozenset(self.manifest.left_out_ids)

    def report(self, fault: Faulty, line: int, path: str | None = None) -> None:
        code, detail = fault
        self.problems.add(
            Problem(code=code, detail=detail, file=self.file, line=line, path=path)
        )

    def fill(
        self,
        rows: Sequence[int] | Counts,
        given: Sequence[object],
        lines: Sequence[int],
    ) -> None:
        """Record what is given at these rows; `lines` says where each stands."""
        counts, reasons = read_counts(given)
        positions = np.asarray(rows, np.int64)
        self.values[positions] = counts
        self.state[positions] = ANSWERED
        for at, reason in reasons.items():
            self.state[positions[at]] = INVALID
            self.unreadable.setdefault(reason, Places()).add(lines[at])

    def finish(self, *, is_bound: bool) -> Predictions:
        """The predictions, with coverage in query points and what is worth telling."""
        absent = int(np.count_nonzero(self.state == ABSENT))
        invalid = int(np.count_nonzero(self.state == INVALID))
        size = len(self.state)
        return Predictions(
            manifest=self.manifest if is_bound else None,
            values=self.values,
            state=self.state,
            coverage=Coverage(
                expected=size,
                answered=size - absent - invalid,
                missing=absent,
                invalid=invalid,
                unknown=self.left_out,
            ),
            notices=tuple(self._notices(absent)),
            unreadable={r: p.count for r, p in sorted(self.unreadable.items())},
        )

    def _notices(self, absent: int) -> list[Problem]:
        found = [
            Problem(
                code=f"unreadable_{reason}",
                detail=f"{_are(places.count, 'prediction')} {MEANING[reason]} and "
                f"counted as wrong; write an integer. First lines: "
                f"{', '.join(map(str, places.lines))}",
                file=self.file,
                line=places.lines[0],
            )
            for reason, places in sorted(self.unreadable.items())
        ]
        if self.left_out:
            detail = f"{_are(self.left_out, 'prediction')} of questions that do not "
            detail = f"{detail}count here and ignored"
            found.append(Problem(code="left_out", detail=detail, file=self.file))
        if absent:
            rows = np.flatnonzero(self.state == ABSENT)[:FIRST_PLACES]
            names = ", ".join(self.manifest.q_ids[row] for row in rows)
            detail = f"{_are(absent, 'query point')} without a prediction and counted "
            detail = f"{detail}as wrong. First q_ids: {names}"
            found.append(
                Problem(code="missing_prediction", detail=detail, file=self.file)
            )
        return found


def _are(count: int, noun: str) -> str:
    return f"1 {noun} is" if count == 1 else f"{count} {noun}s are"


def is_near(value: object, time: float) -> bool:
    """Whether a JSON value is this query time."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) <= LIMIT and abs(value - time) <= TOLERANCE


def said(value: object) -> str:
    """A JSON value as the submission has it, in short: 546 and "546" look different."""
    if isinstance(value, str):
        return f'"{shown(value)}"'
    names = {True: "true", False: "false", None: "null"}
    if value is None or isinstance(value, bool):
        return names[value]
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    return f"the number {shown(value)}"
