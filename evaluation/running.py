"""Scoring one submission in this process, as the command line does it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from evaluation import artifacts, report, strict_json
from evaluation.aggregate import Summary, summarise
from evaluation.judges import Judge
from evaluation.problems import InvalidUpload, Problem
from evaluation.reading import Upload
from evaluation.statistics import Interval, intervals
from evaluation.suite import Answers, AnySuite, Coverage, Resources, Selection
from evaluation.tables import InstanceTable, concatenate

SUBMITTED = "submitted"
SECONDS_PER_PART = 0.5  # how often progress moves, at the suite's lowest speed

Progress = Callable[[str, int, int], None]  # what is done, parts done, parts in all


@dataclass(frozen=True, kw_only=True)
class Scored:
    """One submission's table and what is computed from it."""

    table: InstanceTable
    coverage: Coverage
    notices: tuple[Problem, ...]
    test_set: str  # the compiled test set's content address
    resources: Resources
    summary: Summary
    spread: dict[str, dict[str, Interval | None]]


def silent(step: str, done: int, total: int) -> None:
    """Progress that nobody sees."""


def run(
    suite: AnySuite,
    annotations: Upload,
    predictions: Upload,
    resources: Resources,
    *,
    selection: str | None = None,
    progress: Progress = silent,
) -> Scored:
    """Read, compile and score, part by part. Raises InvalidUpload.

    `selection` is the path of a JSON file, or `submitted` for only what the submission
    covers: then the score says nothing about the rest of the test set.
    """
    progress("Reading the test set", 0, 1)
    truth = suite.read_annotations(annotations)
    if selection == SUBMITTED:
        draft = suite.read_predictions(predictions, suite.make_manifest(truth))
        truth = suite.select(truth, suite.submitted(draft, truth))
    elif selection is not None:
        truth = suite.select(truth, read_selection(Path(selection)))
    progress("Compiling the test set", 0, 1)
    compiled = suite.compile(truth)
    progress("Reading the submission", 0, 1)
    answers = suite.read_predictions(predictions, suite.make_manifest(truth))
    table = concatenate(list(_parts(suite, compiled, answers, resources, progress)))
    test_set = artifacts.address(artifacts.pack(compiled))
    progress("Resampling for intervals", 0, 1)
    return Scored(
        table=table,
        coverage=answers.coverage,
        notices=tuple(answers.notices),
        test_set=test_set,
        resources=resources,
        summary=summarise(suite, table),
        spread=intervals(suite, table, test_set),
    )


def reported(suite: AnySuite, scored: Scored, *, instances: bool) -> dict[str, object]:
    """The JSON report of what was scored."""
    judge = scored.resources.judge
    return report.build(
        suite,
        scored.table,
        coverage=scored.coverage,
        protocol=scored.resources.protocol,
        judge_id=judge.judge_id if judge else None,
        seed=scored.test_set,
        with_instances=instances,
        notices=scored.notices,
        summary=scored.summary,
        spread=scored.spread,
    )


def _parts(
    suite: AnySuite,
    compiled: object,
    answers: Answers,
    resources: Resources,
    progress: Progress,
) -> Iterator[InstanceTable]:
    total = len(suite.instance_ids(compiled))
    size = max(1, int(suite.instances_per_second * SECONDS_PER_PART))
    for start in range(0, total, size):
        progress("Scoring", start, total)
        rows = range(start, min(start + size, total))
        yield suite.score(compiled, answers, rows, resources)


def judge_of(suite: AnySuite, spec: str | None) -> Judge | None:
    """The judge that `--judge` names, where the suite needs one."""
    if not suite.needs_judge:
        return None
    if spec is None:
        detail = f"{suite.name} needs a judge; name one with --judge, like lexical"
        raise InvalidUpload([Problem(code="no_judge", detail=detail)])
    from evaluation.judges.spec import from_spec  # its back ends are heavy

    return from_spec(spec)


def read_selection(path: Path) -> Selection:
    """A selection from a JSON file: a list of ids, or an object by variant."""
    value = strict_json.decode(path.read_bytes(), file=path.name)
    if isinstance(value, list | Mapping):
        return cast(Selection, value)  # each suite checks what stands in it
    detail = "must be a JSON list of ids, or an object by variant"
    problem = Problem(code="invalid_selection", detail=detail, file=path.name)
    raise InvalidUpload([problem])
