"""What the API answers, as far as the client reads it; other fields are ignored."""

from msgspec import Struct, field


class Problem(Struct, frozen=True, kw_only=True):
    """One thing that is wrong, and where."""

    code: str
    detail: str
    file: str | None = None
    line: int | None = None
    path: str | None = None

    def __str__(self) -> str:
        line = None if self.line is None else f"line {self.line}"
        place = ", ".join(part for part in (self.file, line, self.path) if part)
        return f"{place}: {self.detail}" if place else self.detail


class Document(Struct, frozen=True, kw_only=True):
    """An error (RFC 9457)."""

    status: int
    code: str
    detail: str
    errors: tuple[Problem, ...] = ()


class PhaseSummary(Struct, frozen=True, kw_only=True):
    slug: str
    title: str
    is_open: bool
    closes_at: str | None = None


class Track(Struct, frozen=True, kw_only=True):
    slug: str
    title: str
    phases: tuple[PhaseSummary, ...]


class Metric(Struct, frozen=True, kw_only=True):
    key: str
    label: str
    decimals: int
    higher_is_better: bool


class Phase(Struct, frozen=True, kw_only=True):
    track: str
    slug: str
    headline: str
    metrics: tuple[Metric, ...]
    subsets: tuple[str, ...]

    def metric(self, key: str) -> Metric | None:
        return next((one for one in self.metrics if one.key == key), None)


class Coverage(Struct, frozen=True, kw_only=True):
    expected: int
    answered: int
    missing: int


class Validation(Struct, frozen=True, kw_only=True):
    is_valid: bool
    coverage: Coverage | None
    notices: tuple[Problem, ...]
    problem_count: int
    errors: tuple[Problem, ...]


class Evaluation(Struct, frozen=True, kw_only=True):
    status: str
    shards_done: int
    shards_total: int
    cause: str


class Submission(Struct, frozen=True, kw_only=True):
    id: str
    track: str
    phase: str
    method: str
    status: str
    is_final: bool
    problem_count: int
    queue_place: int | None = None
    coverage: Coverage | None = None
    evaluation: Evaluation | None = None
    problems: tuple[Problem, ...] = ()
    notices: tuple[Problem, ...] = ()

    @property
    def is_scored(self) -> bool:
        return self.evaluation is not None and self.evaluation.status == "scored"

    @property
    def state(self) -> str:
        """Where it stands, in words."""
        if self.status != "accepted" or self.evaluation is None:
            return self.status
        return f"accepted, {self.evaluation.status}"


class Number(Struct, frozen=True, kw_only=True):
    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int | None = None


class Scores(Struct, frozen=True, kw_only=True):
    submission: str
    track: str
    phase: str
    test_set: int
    headline: str
    scores: dict[str, dict[str, Number]]

    def value(self, subset: str, metric: str) -> float | None:
        return self.scores.get(subset, {}).get(metric, Number()).value


class Row(Struct, frozen=True, kw_only=True):
    kind: str
    rank: int | None
    method: str
    team: str
    numbers: dict[str, Number]


class Board(Struct, frozen=True, kw_only=True):
    subset: str
    sort: str
    page: int
    pages: int
    rows: tuple[Row, ...]


class Token(Struct, frozen=True, kw_only=True):
    name: str
    team: str
    scope: str
    is_current: bool
    expires_at: str | None = field(default=None)
