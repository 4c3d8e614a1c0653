"""What a benchmark declares and does. The rest of the product knows only this.

A suite is data (metrics, families, error types, formats) and functions over opaque
values: annotations (typed, secret), a manifest (public: what must be answered), a
compiled test set (secret: whatever does not depend on a submission) and predictions.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from evaluation.judges import Judge
from evaluation.problems import Problem
from evaluation.reading import Upload
from evaluation.tables import InstanceTable

Selection = Sequence[str] | Mapping[str, Mapping[str, Sequence[object]]]


@dataclass(frozen=True, kw_only=True)
class Metric:
    """One number of the report. `low` and `high` bound it, in its unit."""

    key: str
    label: str
    unit: str
    meaning: str
    low: float = 0.0
    high: float = 100.0
    decimals: int = 1
    higher_is_better: bool = True
    is_information: bool = False  # reported, never ranked by
    # A family whose values weigh alike, e.g. the mean over modes of each mode's value;
    # `weights` gives other weights; values without one count only where none has any.
    balanced_by: str | None = None
    weights: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Family:
    """A way to divide the instances; its subsets are `key:value`."""

    key: str
    label: str
    order: tuple[str, ...] = ()  # values in the order to show; others follow


@dataclass(frozen=True, kw_only=True)
class ErrorType:
    key: str
    label: str
    meaning: str
    is_right: bool = False


@dataclass(frozen=True, kw_only=True)
class Format:
    """An accepted upload format, with an example to show."""

    name: str
    description: str
    example: str


@dataclass(frozen=True, kw_only=True)
class CardField:
    """What a method card says beside its description, like the inference strategy."""

    key: str
    label: str
    choices: tuple[str, ...] = ()  # empty = free text
    meaning: str = ""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """A fault of the annotations themselves: names a place, never an answer."""

    code: str
    detail: str
    place: str
    severity: str = "warning"  # or "error": cannot be activated


@dataclass(frozen=True, kw_only=True)
class Coverage:
    """How much of the test set a submission answers, in instances."""

    expected: int = 0
    answered: int = 0
    missing: int = 0
    invalid: int = 0
    unknown: int = 0
    duplicate: int = 0


class Answers(Protocol):
    """Typed predictions: what every suite's `read_predictions` returns."""

    @property
    def coverage(self) -> Coverage: ...
    @property
    def notices(self) -> Sequence[Problem]: ...  # accepted, but worth telling


@dataclass(frozen=True, kw_only=True)
class Resources:
    """What scoring may use beside its arguments."""

    protocol: str
    judge: Judge | None = None
    parser: str | None = None  # a parser package that must be used; None = the best one


A = TypeVar("A")  # annotations
M = TypeVar("M")  # manifest
C = TypeVar("C")  # compiled test set
P = TypeVar("P", bound=Answers)


@dataclass(frozen=True, kw_only=True)
class Baseline(Generic[C, P]):
    """An answer that needs no model: the floor shown on every board."""

    key: str
    label: str
    meaning: str
    predict: Callable[[C], P]


@dataclass(frozen=True, kw_only=True)
class Suite(Generic[A, M, C, P]):
    slug: str
    name: str
    summary: str  # one sentence: what is measured
    paper: str
    protocols: tuple[str, ...]  # the first is the default
    metrics: tuple[Metric, ...]
    headline: str
    families: tuple[Family, ...]
    errors: tuple[ErrorType, ...]
    errors_count: str  # what one error label stands for: "question", "task", "element"
    formats: tuple[Format, ...]
    deviations: tuple[str, ...]  # where we differ from the released evaluator, and why
    baselines: tuple[Baseline[C, P], ...]
    instance_metrics: tuple[str, ...]  # metric values listed per instance in the report
    instances_per_second: float  # a low estimate, to size shards
    needs_judge: bool = False
    card_fields: tuple[CardField, ...] = ()  # board filters
    upload_mib: int = 512  # what a submission may unpack to; decoded it takes more
    warm_up: Callable[[int], None] | None = None  # load models, for so many threads
    parser: Callable[[], str] = str  # the parser that scores here; "" where none does
    # Codes of notices: those for which a board refuses a file, and those for staff.
    refused_notices: frozenset[str] = frozenset()
    staff_notices: frozenset[str] = frozenset()

    manifest_type: type[M]
    compiled_type: type[C]  # a msgspec.Struct or dataclass; see artifacts.py

    read_annotations: Callable[[Upload], A]  # raises InvalidUpload
    lint: Callable[[A], Sequence[Finding]]
    select: Callable[[A, Selection], A]  # raises InvalidUpload for unknown ids
    make_manifest: Callable[[A], M]
    compile: Callable[[A], C]
    instance_ids: Callable[[C], Sequence[str]]
    # Without a manifest only the form is checked and coverage is what the file has.
    read_predictions: Callable[[Upload, M | None], P]  # raises InvalidUpload
    # The ids that a submission's files cover, for `--selection submitted`.
    submitted: Callable[[P, A], Selection]
    # `rows` are positions in instance_ids; one table row for each, in that order.
    score: Callable[[C, P, Sequence[int], Resources], InstanceTable]

    def metric(self, key: str) -> Metric:
        return next(metric for metric in self.metrics if metric.key == key)


AnySuite = Suite[Any, Any, Any, Any]
