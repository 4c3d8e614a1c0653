"""The board of a phase."""

from datetime import datetime

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone

from leaderboard import boards, feedback, method_cards
from leaderboard.models import Phase
from leaderboard.views import board_filters, board_tables, numbers, scopes

LAST_PAGE = 1_000_000  # the database cannot count rows without end


def board(request: HttpRequest, track: str, phase: str) -> HttpResponse:
    now, asked = timezone.now(), request.GET
    phases = scopes.phases(track)
    shown = boards.board(
        scopes.named(phases, phase),
        now,
        subset=asked.get("subset", feedback.OVERALL),
        sort=asked.get("sort", ""),
        is_worst_first=asked.get("order") == "worst_first",
        card=method_cards.filters(asked),
        page=page_of(asked),
    )
    return render(request, "board.html", context(shown, phases, asked, now))


def page_of(asked: QueryDict) -> int:
    """The page that an address names; the first for what is no number."""
    page = asked.get("page", "")
    return min(int(page[:9]), LAST_PAGE) if page.isdecimal() else 1


def views(board: boards.Board) -> list[str]:
    """What the board can show."""
    has_information = any(metric.is_information for metric in board.suite.metrics)
    offered = {
        board_tables.SCORES: True,
        board_tables.INFORMATION: has_information,
        board_tables.ERRORS: feedback.has_breakdowns(board.phase),
    }
    return [view for view, is_offered in offered.items() if is_offered]


def context(
    board: boards.Board, phases: list[Phase], asked: QueryDict, now: datetime
) -> dict[str, object]:
    """What the template draws."""
    offered, view = views(board), asked.get("view", "")
    view = view if view in offered else board_tables.SCORES
    groups = numbers.groups(board.suite, board.subsets)
    return {
        "board": board,
        "phase": board.phase,
        "track": board.phase.track,
        "judge": board.phase.judge_profile,
        "phases": phases,
        "views": offered,
        "view": view,
        "table": board_tables.table(board, view, asked),
        "groups": groups,
        "group": next(
            (g for g in groups if board.subset.startswith(f"{g.key}:")), None
        ),
        "subset_label": board.subset.partition(":")[2],
        "filters": board_filters.filters(board, asked),
        "api_query": board_filters.api_query(board),
        "filtered_by": method_cards.said(board.suite, board.card),
        "previous_page": board.page - 1,
        "next_page": board.page + 1,
        "is_visible": board.phase.is_board_visible(now),
        "is_open": board.phase.is_open(now),
    }
