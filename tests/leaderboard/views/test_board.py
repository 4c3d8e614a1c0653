"""The board of a phase."""

import re
from datetime import timedelta
from functools import partial
from html import unescape
from urllib.parse import unquote_plus

import pytest
from django.test import Client
from django.urls import resolve
from django.utils import timezone

from evaluation import SUITES
from leaderboard import boards
from leaderboard.models import (
    Baseline,
    BoardEntry,
    JudgeProfile,
    Phase,
    Submission,
)
from tests.factories import (
    PASSWORD,
    make_baseline,
    make_judge,
    make_phase,
    make_published,
    make_scored,
    make_test_set,
    make_track,
    make_user,
)
from tests.leaderboard.views.conftest import text_of
from tests.leaderboard.views.suites import FOURTH, fourth

pytestmark = pytest.mark.django_db

RANKED = re.compile(r'<td class="rank">(\d*)</td>.*?<a [^>]*>([^<]*)</a>', re.DOTALL)
MOST_QUERIES = 8


def path(phase: Phase) -> str:
    return f"/tracks/{phase.track.slug}/{phase.slug}/"


def ranked(client: Client, phase: Phase, **asked: str) -> list[tuple[str, str]]:
    """(rank, method) of the measured rows, from the top."""
    html = client.get(path(phase), asked).content.decode()
    measured = html[html.index("Measured here") :].partition("</tbody>")[0]
    return RANKED.findall(measured)


def board(*skills: float, **fields: object) -> Phase:
    """A phase with one scored submission per skill, named A, B, C …"""
    test_set = make_test_set(make_phase(**fields))
    make_baseline(test_set)
    for letter, skill in zip("ABCDEFGH", skills, strict=False):
        make_scored(test_set.phase, skill=skill, method=letter)
    return test_set.phase


def test_the_best_stands_first_and_ties_share_a_rank(client: Client):
    phase = board(0.2, 0.8, 0.8, 0.5)
    assert ranked(client, phase) == [("1", "B"), ("1", "C"), ("3", "D"), ("4", "A")]


def test_sorting_upwards_keeps_the_ranks(client: Client):
    phase = board(0.2, 0.8, 0.5)
    rows = ranked(client, phase, sort="moc", order="worst_first")
    assert [rank for rank, _ in rows] == ["3", "2", "1"]
    html = client.get(
        path(phase), {"sort": "moc", "order": "worst_first"}
    ).content.decode()
    assert html.count('aria-sort="ascending"') == 1
    assert 'aria-sort="descending"' not in html


def test_a_value_stands_with_its_interval_and_n(client: Client):
    phase = board(0.5)
    entry = phase.entries.get()
    value, low, high, n = entry.scores["overall"]["gpa"]
    text = text_of(client.get(path(phase)))
    assert f"{value:.1f} {low:.1f}\N{EN DASH}{high:.1f}" in text
    assert n == 12


def test_a_subset_shows_its_own_numbers(client: Client):
    phase = board(0.5)
    scores = phase.entries.get().scores
    value = scores["subtype:O1-Snap"]["gpa"][0]
    response = client.get(path(phase), {"subset": "subtype:O1-Snap"})
    text = text_of(response)
    assert "subtype O1-Snap ; sorted by GPA" in text
    assert f"{value:.1f}" in text
    assert value != scores["overall"]["gpa"][0]


def test_an_unknown_subset_metric_or_page_is_passed_over(client: Client):
    phase = board(0.5)
    asked = {"subset": "no:such", "sort": "no", "page": "99", "order": "x", "view": "y"}
    assert client.get(path(phase), asked).status_code == 200


def test_published_rows_and_baselines_stand_apart_without_a_rank(client: Client):
    phase = board(0.1)
    make_published(phase.track, 99.9, method="Paper method", note="64 frames")
    html = client.get(path(phase)).content.decode()
    order = [
        html.index(title)
        for title in ("Measured here", "Baselines (no model)", "Published elsewhere")
    ]
    assert order == sorted(order)
    published = html[order[-1] :]
    assert "Paper method" in published
    assert "64 frames" in published
    assert '<td class="rank"></td>' in published
    assert ranked(client, phase) == [("1", "A")]


def test_error_types_show_share_and_number(client: Client):
    phase = board(0.5)
    errors = phase.entries.get().errors["overall"]
    text = text_of(client.get(path(phase), {"view": "errors"}))
    for error in SUITES["svcbench"].errors:
        assert error.label in text
        share = 100 * errors[error.key] / sum(errors.values())
        assert f"{share:.1f} % {errors[error.key]}" in text


def test_a_hidden_board_shows_no_measured_row_before_its_date(client: Client):
    later = timezone.now() + timedelta(days=3)
    phase = board(0.5, visibility=Phase.Visibility.HIDDEN, visible_from=later)
    assert ranked(client, phase) == []
    assert "are hidden until" in text_of(client.get(path(phase)))
    Phase.objects.update(visible_from=timezone.now())
    assert ranked(client, phase) == [("1", "A")]


def test_a_frozen_board_holds_back_what_was_scored_later(client: Client):
    phase = board(0.5)
    Phase.objects.update(visibility="frozen", frozen_at=timezone.now())
    make_scored(phase, skill=0.9, method="Late")
    assert ranked(client, phase) == [("1", "A")]
    assert "frozen since" in text_of(client.get(path(phase)))


def test_private_and_withdrawn_submissions_are_not_shown(client: Client):
    phase = board(0.5, 0.6, 0.7)
    Submission.objects.filter(method="A").update(is_public=False)
    Submission.objects.filter(method="B").update(status="withdrawn")
    assert ranked(client, phase) == [("1", "C")]


def test_a_phase_that_tells_overall_scores_only_keeps_subsets_and_errors_back(
    client: Client,
):
    phase = board(0.5, feedback=Phase.Feedback.AGGREGATE)
    asked = {"subset": "subtype:O1-Snap", "view": "errors"}
    text = text_of(client.get(path(phase), asked))
    assert "O1-Snap" not in text
    assert "Error types" not in text


def test_an_empty_board_says_why(client: Client):
    phase = make_phase()
    assert "has no test set yet" in text_of(client.get(path(phase)))
    make_test_set(phase)
    assert "Nothing has been scored yet" in text_of(client.get(path(phase)))


def test_a_long_board_has_pages_and_ranks_go_on(client: Client, monkeypatch):
    phase = board(*(0.1 * i for i in range(1, 7)))
    monkeypatch.setattr(boards, "board", partial(boards.board, page_size=4))
    assert ranked(client, phase, page="2") == [("5", "B"), ("6", "A")]
    assert "Page 2 of 2" in text_of(client.get(path(phase), {"page": "2"}))


def test_what_submitters_write_is_never_markup(client: Client):
    phase = make_test_set().phase
    make_scored(phase, method="<script>alert(1)</script>")
    html = client.get(path(phase)).content.decode()
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert" in html


def test_the_links_to_the_api_lead_somewhere(client: Client):
    phase = board(0.5)
    html = client.get(path(phase)).content.decode()
    links = [unescape(link) for link in re.findall(r'href="(/api/v1/[^"]*)', html)]
    assert len(links) == 2
    for link in links:
        assert resolve(link.partition("?")[0]).url_name == "phase-leaderboard"
        assert client.get(link).status_code == 200


def test_the_links_to_the_api_give_the_board_that_is_shown(client: Client):
    phase = board(0.2, 0.8)
    asked = {"subset": "type:O1", "sort": "moc", "order": "worst_first", "page": "7"}
    html = client.get(path(phase), asked).content.decode()
    (link,) = re.findall(r'href="([^"]*)">JSON', html)
    body = client.get(unescape(link)).json()
    assert (body["subset"], body["sort"], body["order"], body["page"]) == (
        "type:O1",
        "moc",
        "worst_first",
        1,
    )


@pytest.mark.parametrize("rows", [3, 60])
@pytest.mark.parametrize("is_signed_in", [False, True], ids=["anonymous", "signed in"])
def test_the_number_of_queries_does_not_depend_on_the_number_of_rows(
    client: Client, django_assert_max_num_queries, rows: int, is_signed_in: bool
):
    test_set = make_test_set()
    make_baseline(test_set)
    make_published(test_set.phase.track)
    user = make_user()
    for number in range(rows):
        make_scored(test_set.phase, user=user, skill=number / rows)
    if is_signed_in:
        assert client.login(username=user.username, password=PASSWORD)
    with django_assert_max_num_queries(MOST_QUERIES):
        response = client.get(path(test_set.phase))
    assert text_of(response).count(user.username) >= rows


def test_a_fourth_suite_is_drawn_without_a_new_template(client: Client, monkeypatch):
    monkeypatch.setitem(SUITES, FOURTH, fourth())
    test_set = make_test_set(make_phase(make_track(suite=FOURTH)))
    make_baseline(test_set)
    near = make_scored(test_set.phase, skill=0.1, method="Near")
    make_scored(test_set.phase, skill=0.9, method="Far")
    phase = test_set.phase
    assert ranked(client, phase) == [("1", "Near"), ("2", "Far")]
    assert ranked(client, phase, order="worst_first") == [("2", "Far"), ("1", "Near")]
    html = client.get(path(phase)).content.decode()
    assert 'aria-sort="ascending"' in html  # lower is better
    assert "sort=distance&amp;order=worst_first" in html
    assert "Steps" not in html  # a view of its own
    asked = {"view": "information", "order": "worst_first"}
    html = client.get(path(phase), asked).content.decode()
    assert "Steps" in html
    assert "?view=information&amp;sort=distance" in html  # back to the best first
    assert "sort=steps" not in html  # information is never ranked by
    value = near.board_entry.scores["overall"]["distance"][0]
    assert f"{value:.3f}" in html
    errors = text_of(client.get(path(phase), {"view": "errors"}))
    assert "Dropped" in errors
    subset = text_of(client.get(path(phase), {"subset": "hand:left"}))
    assert "hand left ; sorted by Distance" in subset
    submission = text_of(client.get(f"/submissions/{near.submission_id}/"))
    assert "How far the hand is off." in submission
    track = text_of(client.get(f"/tracks/{phase.track.slug}/"))
    assert "The fourth evaluator forgets the left hand." in track
    assert "Lower is better." in track


def test_information_has_a_view_of_its_own_beside_the_sorted_metric(
    client: Client, monkeypatch
):
    monkeypatch.setitem(SUITES, FOURTH, fourth())
    test_set = make_test_set(make_phase(make_track(suite=FOURTH)))
    near = make_scored(test_set.phase, skill=0.1, method="Near")
    make_published(test_set.phase.track, 1.25, method="Paper method")
    text = text_of(client.get(path(test_set.phase), {"view": "information"}))
    steps = near.board_entry.scores["overall"]["steps"][0]
    assert f"{steps:.0f}" in text
    assert "never ranked by; sorted by Distance" in text
    assert "Paper method" not in text
    assert "1 published result not shown: none of these numbers is published." in text
    scores = text_of(client.get(path(test_set.phase)))
    assert "Paper method" in scores
    assert "not shown" not in scores


def test_a_suite_without_information_has_no_view_of_it(client: Client):
    phase = board(0.5)
    assert "Information" not in text_of(client.get(path(phase)))
    text = text_of(client.get(path(phase), {"view": "information"}))
    assert "Scores with 95" in text


def test_columns_without_any_value_are_left_out(client: Client):
    phase = board()
    make_published(phase.track, 40.0)
    BoardEntry.objects.all().delete()
    Baseline.objects.all().delete()
    html = client.get(path(phase)).content.decode()
    assert "GPA" in html
    assert "MoC" not in html
    make_scored(phase)
    assert "MoC" in client.get(path(phase)).content.decode()


def test_published_rows_name_their_sources_by_number(client: Client):
    phase = board(0.5)
    source = {"source": "First paper", "source_url": "https://example.org/1"}
    make_published(phase.track, 90.0, method="Best", **source)
    make_published(phase.track, 80.0, method="Other", source="A note", source_url="")
    make_published(phase.track, 70.0, method="Third", **source)
    html = client.get(path(phase)).content.decode()
    rows = re.findall(r'<span class="name">(\w+) <a [^>]*href="#(.*?)"', html)
    assert rows == [("Best", "source-1"), ("Other", "source-2"), ("Third", "source-1")]
    (first, second) = re.findall(r'<li id="source-\d">(.*?)</li>', html)
    assert first == '<a href="https://example.org/1" rel="nofollow">First paper</a>'
    assert second == "A note"


def test_published_rows_tell_who_what_and_whether_the_whole_set(client: Client):
    phase = board(0.5)
    make_published(phase.track, 90.0, is_human=True, is_open_weights=None)
    flags = {"is_subset": True, "is_open_weights": True, "organisation": "A lab"}
    make_published(phase.track, 80.0, method="Model", note="64 frames", **flags)
    make_published(phase.track, 70.0, method="Plain", note="x" * 41)
    text = text_of(client.get(path(phase)))
    assert "Model [2] A lab 64 frames open weights part of the test set" in text
    assert f"Plain [3] Note {'x' * 41}" in text
    assert text.count("human") == 1


def test_published_rows_without_the_subset_are_counted(client: Client):
    phase = board(0.5)
    make_published(phase.track, 40.0)
    make_published(phase.track, scores={"type:O1": {"gpa": 12.0}}, method="Typed")
    text = text_of(client.get(path(phase)))
    told = "1 published result not shown: no number is published for this subset."
    assert told in text
    assert "Typed" not in text
    text = text_of(client.get(path(phase), {"view": "errors"}))
    assert "2 published results not shown: error types are not published." in text


def test_a_baselines_meaning_stands_under_its_name(client: Client):
    phase = board(0.5)
    baseline = Baseline.objects.get()
    html = client.get(path(phase)).content.decode()
    assert f"{baseline.label}<small>{baseline.meaning}</small>" in html


def test_a_judge_that_cannot_be_compared_is_told_before_the_table(client: Client):
    judge = make_judge(title="Small judge", agreement=0.5)
    phase = board(0.5, judge_profile=judge)
    make_published(phase.track)
    text = text_of(client.get(path(phase)))
    said = "Not comparable with published numbers. The scores measured here come from"
    assert f"{said} the judge “Small judge”" in text
    assert "agreement with people: Spearman ρ 0.50" in text  # noqa: RUF001
    assert "not measured here another judge: not comparable" in text
    JudgeProfile.objects.update(is_comparable=True)
    text = text_of(client.get(path(phase)))
    assert "omparable" not in text
    assert "Judge: Small judge" in text


@pytest.fixture
def carded(monkeypatch) -> Phase:
    """A board of the fourth suite on which methods have cards."""
    monkeypatch.setitem(SUITES, FOURTH, fourth())
    phase = make_test_set(make_phase(make_track(suite=FOURTH))).phase
    make_scored(phase, skill=0.1, method="A", card={"glove": "worn", "size": "8B"})
    make_scored(phase, skill=0.5, method="B", card={"glove": "none & bare"})
    make_scored(phase, skill=0.9, method="C")
    return phase


def test_a_board_is_filtered_by_links(client: Client, carded: Phase):
    asked = {"sort": "distance", "page": "1"}
    html = client.get(path(carded), asked).content.decode()
    queries = {unescape(q) for q in re.findall(r'href="(\?[^"]*card[^"]*)"', html)}
    assert queries == {
        "?sort=distance&card.glove=worn",
        "?sort=distance&card.glove=none+%26+bare",
        "?sort=distance&card.size=8B",
    }
    for query, rows in {
        "card.glove=worn": [("1", "A")],
        "card.glove=none+%26+bare": [("1", "B")],
        "card.size=8B": [("1", "A")],
        "card.size=70B": [],
        "card.glove=torn": [("1", "A"), ("2", "B"), ("3", "C")],
        "card.size=%00": [("1", "A"), ("2", "B"), ("3", "C")],
    }.items():
        shown = dict(pair.split("=") for pair in [query])
        asked = {key: unquote_plus(value) for key, value in shown.items()}
        assert ranked(client, carded, **asked) == rows, query


def test_a_filtered_board_says_so_and_leads_back(client: Client, carded: Phase):
    response = client.get(path(carded), {"card.glove": "worn", "card.size": "8B"})
    text = text_of(response)
    assert "only glove worn ; only size 8B . Ranks are among these." in text
    html = response.content.decode()
    assert 'href="?card.size=8B"' in html  # without the glove
    assert "card.glove=worn&amp;card.size=8B&amp;format=csv" in html
    nobody = text_of(client.get(path(carded), {"card.size": "70B"}))
    assert "No method says so." in nobody


def test_a_filtered_board_takes_no_more_queries(
    client: Client, carded: Phase, django_assert_max_num_queries
):
    with django_assert_max_num_queries(MOST_QUERIES):
        client.get(path(carded), {"card.glove": "worn", "view": "errors"})


@pytest.mark.parametrize("page", ["9" * 20, "9" * 3000, "0", "-1", "x", "\u0663"])
def test_any_page_number_is_answered(client: Client, page: str):
    phase = make_test_set().phase
    make_scored(phase, method="A")
    assert ranked(client, phase, page=page) == [("1", "A")]
