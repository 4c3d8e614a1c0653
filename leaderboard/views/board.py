"""The board of a phase."""

from datetime import datetime

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone

from evaluation import SUITES
from leaderboard import boards
from leaderboard.models import Phase
from leaderboard.views import board_tables, numbers, scopes


def board(request: HttpRequest, track: str, phase: str) -> HttpResponse:
    now, asked = timezone.now(), request.GET
    phases = scopes.phases(track)
    found = scopes.named(phases, phase)
    shown = boards.board(
        found,
        now,
        subset=asked.get("subset", boards.OVERALL)
        if has_breakdowns(found)
        else boards.OVERALL,
        sort=asked.get("sort", ""),
        is_ascending=is_worst_first(found, asked),
        page=int(asked["page"]) if asked.get("page", "").isdecimal() else 1,
    )
    return render(request, "board.html", context(shown, phases, asked, now))


def has_breakdowns(phase: Phase) -> bool:
    """Whether the phase tells more than overall scores."""
    return phase.feedback != Phase.Feedback.AGGREGATE


def is_worst_first(phase: Phase, asked: QueryDict) -> bool:
    """Whether `order` asks for the other direction than best first."""
    suite = SUITES[phase.track.suite]
    known = {metric.key: metric for metric in suite.metrics}
    default = phase.track.headline or suite.headline
    metric = known.get(asked.get("sort", ""), known[default])
    best_first = "desc" if metric.higher_is_better else "asc"
    return asked.get("order", best_first) != best_first


def context(
    board: boards.Board, phases: list[Phase], asked: QueryDict, now: datetime
) -> dict[str, object]:
    """What the template draws."""
    breaks_down = has_breakdowns(board.phase)
    is_errors = breaks_down and asked.get("view") == "errors"
    groups = numbers.groups(board.suite, board.subsets) if breaks_down else []
    return {
        "board": board,
        "phase": board.phase,
        "track": board.phase.track,
        "phases": phases,
        "table": (table := board_tables.table(board)),
        "width": len(board.suite.errors) + 4 if is_errors else table.width,
        "view": "errors" if is_errors else "scores",
        "has_breakdowns": breaks_down,
        "groups": groups,
        "group": next(
            (g for g in groups if board.subset.startswith(f"{g.key}:")), None
        ),
        "subset_label": board.subset.partition(":")[2],
        "previous_page": board.page - 1,
        "next_page": board.page + 1,
        "is_visible": board.phase.is_board_visible(now),
        "is_open": board.phase.is_open(now),
    }
