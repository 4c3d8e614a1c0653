"""What a board shows, in which order, to whom, and in how many queries."""

from dataclasses import replace
from datetime import datetime, timedelta

import numpy as np
import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from evaluation import SUITES, tables
from evaluation.suite import CardField
from evaluation.tables import InstanceTable
from leaderboard import boards, evaluations, publishing, testsets
from leaderboard.boards import Board
from leaderboard.models import (
    BoardEntry,
    Evaluation,
    Phase,
    Shard,
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
    assert shown(board(phase, sort="moc", is_worst_first=True)) == [(2, "a"), (1, "b")]
    assert shown(board(phase, is_worst_first=True)) == [(2, "b"), (1, "a")]


def test_the_track_may_have_another_headline(phase: Phase) -> None:
    phase.track.headline = "moc"
    scored(phase, "a", 60.0, moc=10.0)
    scored(phase, "b", 50.0, moc=90.0)
    found = board(phase)
    assert found.metric.key == "moc"
    assert shown(found) == [(1, "b"), (2, "a")]


@pytest.mark.parametrize("is_worst_first", [False, True])
def test_rows_to_which_the_metric_does_not_apply_come_last_without_a_rank(
    phase: Phase, is_worst_first: bool
) -> None:
    scored(phase, "none", 99.0, moc=None)
    scored(phase, "some", 10.0, moc=1.0)
    found = shown(board(phase, sort="moc", is_worst_first=is_worst_first))
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


def test_the_phase_s_judge_is_the_one_that_ranks(phase: Phase) -> None:
    scored(phase, "without a judge")
    phase.judge_profile = factories.make_judge()
    phase.save()
    scored(phase, "with it")
    assert shown(board(phase)) == [(1, "with it")]


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


def test_the_better_is_the_lower_where_the_suite_says_so(
    phase: Phase, monkeypatch: pytest.MonkeyPatch
) -> None:
    lower = [replace(m, higher_is_better=False) for m in SUITE.metrics]
    suite = replace(SUITE, metrics=tuple(lower))
    monkeypatch.setitem(SUITES, SUITE.slug, suite)
    scored(phase, "low", 10.0)
    scored(phase, "high", 90.0)
    scored(phase, "none", moc=None)
    assert shown(board(phase))[0] == (1, "low")
    assert shown(board(phase))[-1] == (3, "high")
    found = board(phase, is_worst_first=True)
    assert found.is_worst_first
    assert shown(found)[0] == (3, "high")
    by_moc = board(phase, sort="moc", is_worst_first=True)
    assert shown(by_moc)[-1] == (None, "none")


def test_what_only_informs_is_never_ranked_by(
    phase: Phase, monkeypatch: pytest.MonkeyPatch
) -> None:
    metrics = [replace(m, is_information=m.key == "moc") for m in SUITE.metrics]
    suite = replace(SUITE, metrics=tuple(metrics))
    monkeypatch.setitem(SUITES, SUITE.slug, suite)
    assert board(phase, sort="moc").metric.key == "gpa"
    phase.track.headline = "moc"
    assert board(phase).metric.key == "gpa"


def test_subsets_are_in_the_suite_s_order_and_known_without_baselines(
    phase: Phase,
) -> None:
    assert board(phase).subsets == ["overall"]
    scored(phase, "a", is_public=False)
    without = board(phase).subsets
    assert without[:4] == ["overall", "type:O1", "type:O2", "type:E1"]
    assert without[-2:] == ["source:one", "source:two"]
    factories.make_baseline(phase.test_sets.get())
    assert board(phase).subsets == without
    assert boards.subsets_of(phase, phase.test_sets.get()) == without
    assert board(phase, subset="type:O2").subset == "type:O2"


def test_aggregate_feedback_holds_back_subsets_and_errors_from_every_caller(
    phase: Phase,
) -> None:
    phase.feedback = Phase.Feedback.AGGREGATE
    factories.make_baseline(phase.test_sets.get())
    made = scored(phase, "a")
    found = board(phase, subset="type:O1")
    assert (found.subset, found.subsets) == ("overall", ["overall"])
    overall = made.board_entry.scores["overall"]["gpa"][0]
    assert found.measured[0].numbers["gpa"].value == overall
    assert [row.errors for row in (*found.measured, *found.baselines)] == [{}, {}]
    assert boards.subsets_of(phase, phase.test_sets.get()) == ["overall"]


def test_published_rows_without_the_subset_are_left_out_and_counted(
    phase: Phase,
) -> None:
    factories.make_baseline(phase.test_sets.get())
    factories.make_published(phase.track)
    factories.make_published(phase.track, scores={"type:O1": {"gpa": 9.0}})
    factories.make_published(phase.track, scores={"type:O2": {"gpa": 9.0}})
    found = board(phase, subset="type:O1")
    assert (len(found.published), found.left_out) == (1, 2)


@pytest.fixture
def with_card(monkeypatch: pytest.MonkeyPatch) -> None:
    fields = (
        CardField(key="sampling", label="Sampling", choices=("64 frames", "1 fps")),
        CardField(key="size", label="Size"),
    )
    monkeypatch.setitem(SUITES, SUITE.slug, replace(SUITE, card_fields=fields))


@pytest.mark.usefixtures("with_card")
def test_a_board_is_filtered_by_what_method_cards_say(phase: Phase) -> None:
    scored(phase, "a", 90.0, card={"sampling": "1 fps", "size": "8B"})
    scored(phase, "b", 80.0, card={"sampling": "64 frames", "size": "8B"})
    scored(phase, "c", 70.0, card={"sampling": "64 frames"})
    assert shown(board(phase, card={"size": "8B"})) == [(1, "a"), (2, "b")]
    found = board(phase, card={"sampling": "64 frames"})
    assert shown(found) == [(1, "b"), (2, "c")]  # ranks are among these
    assert (found.total, found.card) == (2, {"sampling": "64 frames"})
    both = {"sampling": "64 frames", "size": "8B"}
    assert shown(board(phase, card=both)) == [(1, "b")]
    assert shown(board(phase, card={"size": "8"})) == []
    assert board(phase).measured[0].card == {"sampling": "1 fps", "size": "8B"}


@pytest.mark.usefixtures("with_card")
@pytest.mark.parametrize(
    "card", [{"colour": "red"}, {"sampling": "9 fps"}, {"size": "\0"}, {"size": ""}]
)
def test_what_no_card_can_say_filters_nothing(
    phase: Phase, card: dict[str, str]
) -> None:
    scored(phase, "a")
    found = board(phase, card=card)
    assert (found.total, found.card) == (1, {})


@pytest.mark.usefixtures("with_card")
def test_a_filtered_board_without_baselines_takes_five_queries(
    phase: Phase, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(5):
        scored(phase, "a", card={"size": "8B"})
    phase = Phase.objects.select_related("track").get()
    with django_assert_num_queries(5):
        assert board(phase, card={"size": "8B"}).total == 5


# --- a new version of the test set -----------------------------------------------------


def activated(phase: Phase) -> TestSetVersion:
    """A second version, on which nothing is scored yet."""
    version = factories.make_test_set(
        phase, status=TestSetVersion.Status.CHECKED, activated_at=None
    )
    testsets.activate(version, user=None)
    return version


def score_on(version: TestSetVersion, submission: Submission, gpa: float) -> None:
    evaluation = submission.evaluations.get(test_set=version)
    evaluation.shards.all().delete()
    evaluation.shards.create(
        number=0,
        start=0,
        stop=12,
        status="done",
        rows=tables.pack(worth(gpa)),
        runnable_at=timezone.now(),
    )
    publishing.publish(evaluation)


def test_a_board_changes_to_a_new_version_as_a_whole(phase: Phase) -> None:
    first, second = scored(phase, "a", 50.0), scored(phase, "b", 60.0)
    version = activated(phase)
    assert shown(board(phase)) == [(1, "b"), (2, "a")]
    assert board(phase).test_set == first.test_set
    score_on(version, first.submission, 90.0)
    assert shown(board(phase)) == [(1, "b"), (2, "a")]
    score_on(version, second.submission, 80.0)
    assert shown(board(phase)) == [(1, "a"), (2, "b")]
    assert board(phase).test_set == version


def test_a_submission_that_cannot_be_scored_anew_does_not_hold_up_a_board(
    phase: Phase,
) -> None:
    first, second = scored(phase, "a"), scored(phase, "b")
    version = activated(phase)
    score_on(version, first.submission, 90.0)
    left = second.submission.evaluations.get(test_set=version).shards.earliest("pk")
    Shard.objects.filter(pk=left.pk).update(
        status="running", attempt=1, lease_expires_at=timezone.now()
    )
    left.refresh_from_db()
    evaluations.fail(left, "the file does not fit this version")
    assert shown(board(phase)) == [(1, "a")]
    assert board(phase).test_set == version


def test_a_new_submission_does_not_turn_a_board_back(phase: Phase) -> None:
    first = scored(phase, "a")
    version = activated(phase)
    score_on(version, first.submission, 90.0)
    factories.make_evaluation(factories.make_accepted(phase))
    assert board(phase).test_set == version
