"""The results of every instance, where the phase tells them."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render

from evaluation import SUITES, tables
from evaluation.suite import AnySuite
from evaluation.tables import InstanceTable
from leaderboard import progress
from leaderboard.models import Evaluation
from leaderboard.views import scopes
from leaderboard.views.numbers import written
from leaderboard.views.submission import has_instances

PAGE_SIZE = 100


@dataclass(frozen=True, kw_only=True)
class Instance:
    id: str
    subsets: Sequence[str]
    error: str
    values: Sequence[str]
    details: Sequence[str]


@login_required
def submission_instances(request: HttpRequest, pk: UUID) -> HttpResponse:
    found = scopes.own(scopes.member(request), pk)
    evaluation = progress.evaluation_of(found)
    if evaluation is None or not has_instances(found, evaluation):
        raise Http404("this phase does not tell the results of every instance")
    suite = SUITES[found.phase.track.suite]
    listed = listing(suite, table_of(evaluation), request.GET)
    return render(request, "instances.html", {"submission": found, **listed})


def listing(
    suite: AnySuite, table: InstanceTable, asked: QueryDict
) -> dict[str, object]:
    """One page of the instances that were asked for, and the choices."""
    error = asked.get("error", "")
    page = Paginator(rows(table, error), PAGE_SIZE).get_page(asked.get("page"))
    return {
        "metrics": [suite.metric(key) for key in suite.instance_metrics],
        "details": [key.replace("_", " ") for key in table.details],
        "page": page,
        "instances": [instance(suite, table, row) for row in page],
        "errors": [e for e in suite.errors if table.errors[e.key].any()],
        "error": error,
    }


def table_of(evaluation: Evaluation) -> InstanceTable:
    return tables.unpack(bytes(evaluation.table or b""))


def rows(table: InstanceTable, error: str) -> list[int]:
    """The instances in which the error type occurs; all of them without one."""
    counts = table.errors.get(error)
    return [row for row in range(len(table)) if counts is None or counts[row]]


def instance(suite: AnySuite, table: InstanceTable, row: int) -> Instance:
    labels = {error.key: error.label for error in suite.errors}
    return Instance(
        id=table.ids[row],
        subsets=[subset.partition(":")[2] for subset in table.subsets(row)],
        error=", ".join(
            label for key, label in labels.items() if table.errors[key][row]
        ),
        values=[
            written(table.value(key, row), suite.metric(key))
            for key in suite.instance_metrics
        ],
        details=[str(values[row]) for values in table.details.values()],
    )
