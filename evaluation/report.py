"""The JSON report of one scored submission, and back from it to the instance table."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

import msgspec
import numpy as np

from evaluation.aggregate import Summary, summarise
from evaluation.problems import InvalidUpload, Problem
from evaluation.statistics import Interval, intervals
from evaluation.suite import Answers, AnySuite, Coverage
from evaluation.tables import InstanceTable


class Columns(msgspec.Struct, kw_only=True):
    """The instance table's columns, from which a comparison rebuilds it."""

    clusters: tuple[str, ...]
    tags: dict[str, tuple[str, ...]]
    numerators: dict[str, list[float]]
    denominators: dict[str, list[float]]
    errors: dict[str, list[int]]


class _Instance(msgspec.Struct):
    id: str


class Report(msgspec.Struct, kw_only=True):
    """What a comparison needs of a report; other keys are for readers."""

    suite: str
    protocol: str
    judge: str | None = None
    test_set: str
    instances: list[_Instance] | None = None
    columns: Columns | None = None


def build(
    suite: AnySuite,
    table: InstanceTable,
    *,
    coverage: Coverage,
    protocol: str,
    judge_id: str | None,
    seed: str,
    with_instances: bool = False,
    notices: Sequence[Problem] = (),
    summary: Summary | None = None,
    spread: Mapping[str, Mapping[str, Interval | None]] | None = None,
) -> dict[str, object]:
    """The report as plain JSON values; the same input gives the same report.

    `seed` is the test set's content address. `summary` and `spread` may be given when
    they are known already; they are computed otherwise.
    """
    summary = summary or summarise(suite, table)
    report: dict[str, object] = {
        "suite": suite.slug,
        "protocol": protocol,
        "judge": judge_id,
        "test_set": seed,
        "coverage": asdict(coverage),
        "scores": summary.scores,
        "intervals": intervals(suite, table, seed) if spread is None else spread,
        "counts": summary.counts,
        "errors": summary.errors,
        "counters": dict(sorted(table.counters.items())),
        "notices": [asdict(notice) for notice in notices],
    }
    if with_instances:
        report["instances"] = instances(suite, table)
        report["columns"] = msgspec.to_builtins(columns(table))
    return report


def instances(suite: AnySuite, table: InstanceTable) -> list[dict[str, object]]:
    """One object per instance: id, subsets, error, metric values, then details."""
    return [
        {
            "id": table.ids[row],
            "subsets": table.subsets(row),
            "error": table.error(row),
            **{key: table.value(key, row) for key in suite.instance_metrics},
            **{key: values[row] for key, values in table.details.items()},
        }
        for row in range(len(table))
    ]


def columns(table: InstanceTable) -> Columns:
    """The table's columns as lists."""
    return Columns(
        clusters=table.clusters,
        tags=dict(table.tags),
        numerators={key: v.tolist() for key, v in table.numerators.items()},
        denominators={key: v.tolist() for key, v in table.denominators.items()},
        errors={key: v.tolist() for key, v in table.errors.items()},
    )


def acceptance(suite: AnySuite, answers: Answers) -> dict[str, object]:
    """What `validate` says of a submission that can be scored."""
    return {
        "suite": suite.slug,
        "is_valid": True,
        "coverage": asdict(answers.coverage),
        "problems": [],
        "total": 0,
        "notices": [asdict(notice) for notice in answers.notices],
    }


def refusal(suite: AnySuite, error: InvalidUpload) -> dict[str, object]:
    """What `validate` says of a submission that cannot: problems with their places."""
    return {
        "suite": suite.slug,
        "is_valid": False,
        "coverage": None,
        "problems": [asdict(problem) for problem in error.problems],
        "total": error.total,
        "notices": [],
    }


def encode(report: Mapping[str, object]) -> bytes:
    """The report as JSON text, indented for people."""
    return msgspec.json.format(msgspec.json.encode(report), indent=2) + b"\n"


def decode(data: bytes, file: str | None = None) -> Report:
    """A report that `encode` wrote. Raises InvalidUpload for anything else."""
    try:
        return msgspec.json.decode(data, type=Report)
    except msgspec.MsgspecError as error:
        detail = f"is not a report of `score --json`: {error}"
        problem = Problem(code="not_a_report", detail=detail, file=file)
        raise InvalidUpload([problem]) from error


def read_table(report: Report, file: str | None = None) -> InstanceTable:
    """The instance table of a report. Raises InvalidUpload when it holds none."""
    if report.instances is None or report.columns is None:
        detail = "has no instances; write it with `score --instances --json`"
        raise InvalidUpload([Problem(code="no_instances", detail=detail, file=file)])
    found = report.columns
    lengths = {len(report.instances), len(found.clusters)}
    for group in (found.tags, found.numerators, found.denominators, found.errors):
        lengths.update(len(values) for values in group.values())
    if len(lengths) > 1 or found.numerators.keys() != found.denominators.keys():
        detail = "has columns that do not fit its instances; write it again"
        raise InvalidUpload([Problem(code="not_a_report", detail=detail, file=file)])
    return InstanceTable(
        ids=tuple(one.id for one in report.instances),
        clusters=found.clusters,
        tags=found.tags,
        numerators={k: np.array(v, np.float64) for k, v in found.numerators.items()},
        denominators={
            k: np.array(v, np.float64) for k, v in found.denominators.items()
        },
        errors={k: np.array(v, np.int64) for k, v in found.errors.items()},
    )
