"""What a board shows, in which order, to whom, and in how many queries."""

from datetime import datetime, timedelta

import numpy as np
import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from evaluation import SUITES
from evaluation.tables import InstanceTable
from leaderboard import boards
from leaderboard.boards import Board
from leaderboard.models import (
    BoardEntry,
    Evaluation,
    Phase,
    Submission,
    TestSetVersion,
)
from tests import factories

pytestmark = pytest.mark.django_db
SUITE = SUITES[factories.SUITE]


@pytest.fixture
def phase() -> Phase:
    return factories.make_test_set().phase


def worth(gpa: float, *, moc: float | None = 50.0) -> InstanceTable:
    """A table whose overall GPA is exactly this; None = MoC applies nowhere."""
    table = factories.make_table(SUITE)
    ones = np.ones(len(table))
    numerators = {**table.numerators, "gpa": ones * gpa, "moc": ones * (moc or 0)}
    denominators = {**table.denominators, "moc": ones * (moc is not None)}
    return InstanceTable(
        **{**vars(table), "numerators": numerators, "denominators": denominators}
    )


def scored(
    phase: Phase,
    method: str,
    gpa: float = 50.0,
    *,
    moc: float | None = 50.0,
    **given: object,
) -> Evaluation:
    return factories.make_scored(
        phase, table=worth(gpa, moc=moc), method=method, **given
    )


def shown(found: Board) -> list[tuple[int | None, str]]:
    return [(row.rank, row.method) for row in found.measured]


def board(phase: Phase, now: datetime | None = None, **options: object) -> Board:
    return boards.board(phase, now or timezone.now(), **options)


def test_the_best_comes_first_and_ties_share_a_rank(phase: Phase) -> None:
    for method, gpa in [("c", 40.0), ("a", 60.0), ("b", 60.0), ("d", 39.0)]:
        scored(phase, method, gpa)
    assert shown(board(phase)) == [(1, "a"), (1, "b"), (3, "c"), (4, "d")]


def test_any_metric_sorts_either_way_and_ranks_stay_by_quality(phase: Phase) -> None:
    scored(phase, "a", 60.0, moc=10.0)
    scored(phase, "b", 50.0, moc=90.0)
    assert shown(board(phase, sort="moc")) == [(1, "b"), (2, "a")]
    assert shown(board(phase, sort="moc", is_ascending=True)) == [(2, "a"), (1, "b")]
    assert shown(board(phase, is_ascending=True)) == [(2, "b"), (1, "a")]


def test_the_track_may_have_another_headline(phase: Phase) -> None:
    phase.track.headline = "moc"
    scored(phase, "a", 60.0, moc=10.0)
    scored(phase, "b", 50.0, moc=90.0)
    found = board(phase)
    assert found.metric.key == "moc"
    assert shown(found) == [(1, "b"), (2, "a")]


@pytest.mark.parametrize("is_ascending", [False, True])
def test_rows_to_which_the_metric_does_not_apply_come_last_without_a_rank(
    phase: Phase, is_ascending: bool
) -> None:
    scored(phase, "none", 99.0, moc=None)
    scored(phase, "some", 10.0, moc=1.0)
    found = shown(board(phase, sort="moc", is_ascending=is_ascending))
    assert found == [(1, "some"), (None, "none")]


@pytest.mark.parametrize("given", ["", "no_such", "gpa' OR 1=1 --"])
def test_an_unknown_metric_or_subset_falls_back(phase: Phase, given: str) -> None:
    scored(phase, "a")
    found = board(phase, sort=given, subset=given)
    assert (found.metric.key, found.subset) == ("gpa", "overall")
    assert shown(found) == [(1, "a")]


def test_a_subset_is_ranked_by_its_own_numbers(phase: Phase) -> None:
    factories.make_baseline(phase.test_sets.get())
    for method, skill in [("a", 0.2), ("b", 0.9)]:
        factories.make_scored(phase, skill=skill, method=method)
    found = board(phase, subset="type:O1")
    entries = BoardEntry.objects.order_by("-evaluation__submission__method")
    assert found.subset == "type:O1"
    for row, entry in zip(found.measured, entries, strict=True):
        value, low, high, n = entry.scores["type:O1"]["gpa"]
        number = row.numbers["gpa"]
        assert (number.value, number.low, number.high, number.n) == (
            value,
            low,
            high,
            n,
        )
        assert row.errors == entry.errors["type:O1"]


HIDDEN = {
    "private": {"is_public": False},
    "withdrawn": {"status": Submission.Status.WITHDRAWN},
}


@pytest.mark.parametrize("why", sorted(HIDDEN))
def test_only_public_accepted_submissions_are_shown(phase: Phase, why: str) -> None:
    scored(phase, "a", 10.0)
    scored(phase, "b", 90.0, **HIDDEN[why])
    assert shown(board(phase)) == [(1, "a")]
    assert board(phase).total == 1


def test_only_the_active_test_set_counts(phase: Phase) -> None:
    scored(phase, "old")
    phase.test_sets.update(status=TestSetVersion.Status.RETIRED)
    new = factories.make_test_set(phase)
    assert board(phase).total == 0
    scored(phase, "new", test_set=new)
    assert shown(board(phase)) == [(1, "new")]
    assert board(phase).test_set == new


@pytest.mark.parametrize("column", ["protocol", "judge"])
def test_only_the_phase_s_own_protocol_and_judge_are_ranked(
    phase: Phase, column: str
) -> None:
    scored(phase, "a")
    other = scored(phase, "b", 90.0)
    Evaluation.objects.filter(pk=other.pk).update(**{column: "another"})
    assert shown(board(phase)) == [(1, "a")]


def test_phases_do_not_mix(phase: Phase) -> None:
    scored(factories.make_test_set().phase, "elsewhere")
    assert board(phase).total == 0


def test_a_hidden_board_opens_at_its_date(phase: Phase) -> None:
    scored(phase, "a")
    now = timezone.now()
    phase.visibility = Phase.Visibility.HIDDEN
    assert shown(board(phase, now)) == []
    phase.visible_from = now
    assert shown(board(phase, now - timedelta(seconds=1))) == []
    assert shown(board(phase, now)) == [(1, "a")]


def test_a_frozen_board_holds_new_scores_back(phase: Phase) -> None:
    scored(phase, "before", 10.0)
    phase.visibility, phase.frozen_at = Phase.Visibility.FROZEN, timezone.now()
    scored(phase, "after", 90.0)
    assert shown(board(phase)) == [(1, "before")]
    phase.visibility = Phase.Visibility.LIVE
    assert shown(board(phase)) == [(1, "after"), (2, "before")]


def test_published_and_baseline_rows_stand_apart_unranked(phase: Phase) -> None:
    scored(phase, "a")
    weak = factories.make_baseline(phase.test_sets.get(), skill=0.1)
    strong = factories.make_baseline(phase.test_sets.get(), skill=0.9)
    for value in (41.0, 55.0):
        factories.make_published(phase.track, value)
    factories.make_published(phase.track, scores={"type:O1": {"gpa": 99.0}})

    found = board(phase)
    assert [row.method for row in found.baselines] == [strong.label, weak.label]
    assert [row.numbers["gpa"].value for row in found.published] == [55.0, 41.0]
    assert {row.rank for row in [*found.baselines, *found.published]} == {None}
    assert shown(found) == [(1, "a")]


def test_a_long_board_has_pages_and_one_order(phase: Phase) -> None:
    for n in range(7):
        scored(phase, f"m{n}", 50.0)
    pages = [board(phase, page=page, page_size=3) for page in (1, 2, 3)]
    assert [len(one.measured) for one in pages] == [3, 3, 1]
    methods = [row.method for one in pages for row in one.measured]
    assert methods == [f"m{n}" for n in range(7)]
    assert {row.rank for one in pages for row in one.measured} == {1}
    assert {(one.total, one.pages) for one in pages} == {(7, 3)}


@pytest.mark.parametrize(("asked", "given"), [(-1, 1), (0, 1), (3, 3), (99, 3)])
def test_a_page_beyond_the_end_is_the_last_one(
    phase: Phase, asked: int, given: int
) -> None:
    for n in range(7):
        scored(phase, f"m{n}")
    found = board(phase, page=asked, page_size=3)
    assert (found.page, found.total, bool(found.measured)) == (given, 7, True)


def test_an_empty_board_has_one_empty_page(phase: Phase) -> None:
    found = board(phase, page=5)
    assert (found.page, found.pages, found.total, found.measured) == (1, 1, 0, [])


def test_sixty_entries_take_four_queries(
    phase: Phase, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    table = worth(50.0)
    for _ in range(60):
        factories.make_scored(phase, table=table)
    factories.make_baseline(phase.test_sets.get())
    factories.make_published(phase.track)
    phase = Phase.objects.select_related("track").get()
    with django_assert_num_queries(4):
        found = board(phase)
        for row in found.measured:
            assert row.team
            assert row.entry.evaluation.submission.method == row.method
    assert found.total == 60
