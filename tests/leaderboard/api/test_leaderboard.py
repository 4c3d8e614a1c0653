"""GET …/leaderboard: rows, order, intervals, what is held back; as JSON and CSV."""

import csv
import io
from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from leaderboard.models import BoardEntry, Phase, Score
from tests.factories import (
    make_baseline,
    make_phase,
    make_published,
    make_scored,
    make_test_set,
    make_user,
)
from tests.leaderboard.api.doors import (
    address,
    anonymous,
    form,
    make_real_phase,
    predictions,
    upload,
    with_token,
    work,
)

pytestmark = pytest.mark.django_db


def board(phase: Phase, query: str = "") -> dict[str, object]:
    answer = anonymous().get(address(phase, f"/leaderboard{query}"))
    assert answer.status_code == 200, answer.content
    return answer.json()


def refused(phase: Phase, query: str) -> tuple[int, str]:
    answer = anonymous().get(address(phase, f"/leaderboard{query}"))
    return answer.status_code, answer.json()["code"]


def make_board(skills: list[float], **fields: object) -> Phase:
    phase = make_phase(**fields)
    make_baseline(make_test_set(phase))
    for skill in skills:
        make_scored(phase, skill=skill, method=f"skill {skill}")
    make_published(phase.track, 99.0)
    return phase


def methods(body: dict[str, object], kind: str = "measured") -> list[str]:
    return [row["method"] for row in body["rows"] if row["kind"] == kind]


def test_rows_are_ranked_and_say_what_they_are() -> None:
    body = board(make_board([0.2, 0.8, 0.5]))
    assert [(row["kind"], row["rank"]) for row in body["rows"]] == [
        ("measured", 1),
        ("measured", 2),
        ("measured", 3),
        ("baseline", None),
        ("published", None),
    ]
    assert methods(body) == ["skill 0.8", "skill 0.5", "skill 0.2"]
    assert (body["sort"], body["order"], body["subset"]) == (
        "gpa",
        "best_first",
        "overall",
    )
    assert (body["page"], body["pages"], body["total"]) == (1, 1, 3)


def test_the_numbers_are_those_that_were_recorded() -> None:
    phase = make_board([0.7])
    for subset in ("overall", "type:O1"):
        row = board(phase, f"?subset={subset}")["rows"][0]
        entry = BoardEntry.objects.get()
        assert row["submission"] == str(entry.evaluation.submission_id)
        assert row["errors"] == entry.errors[subset]
        recorded = Score.objects.filter(evaluation=entry.evaluation, subset=subset)
        assert row["numbers"] == {
            score.metric: {
                "value": score.value,
                "low": score.low,
                "high": score.high,
                "n": score.n,
            }
            for score in recorded
        }
        assert len(row["numbers"]) == 4


def test_a_real_submission_gets_on_the_board() -> None:
    phase = make_real_phase()
    for right in (4, 2):
        with_token(make_user()).post(
            address(phase, "/submissions"),
            form(file=upload(predictions(right=right)), method=f"{right} right"),
        )
        work()
    body = board(phase)
    assert methods(body) == ["4 right", "2 right"]
    assert [row["numbers"]["gpa"]["value"] for row in body["rows"][:2]] == [100.0, 50.0]
    assert body["rows"][0]["errors"]["correct"] == 4


def test_a_board_sorts_by_any_metric_in_either_order() -> None:
    phase = make_board([0.2, 0.8, 0.5])
    by_uda = board(phase, "?sort=uda")["rows"][:3]
    values = [row["numbers"]["uda"]["value"] for row in by_uda]
    assert values == sorted(values, reverse=True)
    upwards = board(phase, "?order=worst_first")
    assert methods(upwards) == ["skill 0.2", "skill 0.5", "skill 0.8"]
    assert [row["rank"] for row in upwards["rows"][:3]] == [3, 2, 1]


@pytest.mark.parametrize(
    "query",
    [
        "?subset=type:none",
        "?subset=%00",
        "?sort=none",
        "?sort=%00",
        "?card.none=x",
        "?order=up",
        "?page=0",
        "?page=x",
        "?page=99999999999999999999",
    ],
)
def test_another_board_is_never_given_in_the_place_of_the_asked(query: str) -> None:
    assert refused(make_board([0.5]), query) == (400, "invalid_request")


def test_a_page_beyond_the_last_is_not_there() -> None:
    assert refused(make_board([0.5]), "?page=2") == (404, "not_found")


def test_aggregate_feedback_shows_overall_numbers_only() -> None:
    phase = make_board([0.5], feedback=Phase.Feedback.AGGREGATE)
    body = board(phase)
    assert [row["errors"] for row in body["rows"]] == [{}, {}, {}]
    assert body["rows"][0]["numbers"]["gpa"]["value"] is not None
    assert refused(phase, "?subset=type:O1") == (400, "invalid_request")
    assert refused(phase, "?subset=type:O1&format=csv") == (400, "invalid_request")


def test_private_and_withdrawn_submissions_are_not_shown() -> None:
    phase = make_board([0.5])
    make_scored(phase, is_public=False)
    make_scored(phase, status="withdrawn")
    assert board(phase)["total"] == 1


def test_a_hidden_board_shows_nothing_measured_until_its_date() -> None:
    phase = make_board([0.5], visibility=Phase.Visibility.HIDDEN)
    assert (methods(board(phase)), board(phase)["total"]) == ([], 0)
    phase.visible_from = timezone.now() - timedelta(minutes=1)
    phase.save()
    assert board(phase)["total"] == 1


def test_a_frozen_board_holds_new_scores_back() -> None:
    phase = make_board([0.5])
    phase.visibility, phase.frozen_at = Phase.Visibility.FROZEN, timezone.now()
    phase.save()
    make_scored(phase, skill=0.9)
    assert methods(board(phase)) == ["skill 0.5"]
    assert board(phase)["visibility"] == "frozen"


def test_a_board_costs_the_same_however_long_it_is(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    phase = make_board([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    # the phase, its test set, baselines, entries, published rows
    with django_assert_num_queries(5):
        board(phase)


@pytest.mark.parametrize("accept", ["text/csv", "text/csv;q=0.9, text/html;q=0.1"])
def test_a_client_may_ask_for_csv(accept: str) -> None:
    phase = make_board([0.5])
    answer = anonymous().get(address(phase, "/leaderboard"), headers={"Accept": accept})
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert "Accept" in answer["Vary"]
    assert answer["Content-Disposition"] == (
        f'attachment; filename="{phase.track.slug}-test-overall.csv"'
    )
    again = anonymous().get(address(phase, "/leaderboard?format=csv"))
    assert again.content == answer.content


def test_a_csv_has_the_numbers_of_the_json(monkeypatch: pytest.MonkeyPatch) -> None:
    from leaderboard.api import boards as api_boards

    phase = make_board([0.2, 0.8])
    query = "?subset=type:O1&sort=uda"
    rows = board(phase, query)["rows"]
    text = anonymous().get(address(phase, f"/leaderboard{query}&format=csv")).content
    lines = list(csv.DictReader(io.StringIO(text.decode())))
    assert len(lines) == len(rows) == 4 - 1  # a paper's row has no subsets
    for line, row in zip(lines, rows, strict=True):
        assert line["subset"] == "type:O1"
        assert (line["kind"], line["method"]) == (row["kind"], row["method"])
        assert line["rank"] == str(row["rank"] or "")
        for key, number in row["numbers"].items():
            assert float(line[key]) == number["value"]
            assert float(line[f"{key}_low"]) == number["low"]
            assert int(line[f"{key}_n"]) == number["n"]
        for key, count in row["errors"].items():
            assert int(line[f"errors_{key}"]) == count
    monkeypatch.setattr(api_boards, "PAGE_SIZE", 1)
    assert board(phase, query)["pages"] == 2
    whole = anonymous().get(address(phase, f"/leaderboard{query}&format=csv")).content
    assert whole == text  # a file is the whole board, not one page


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\uff1d"])
def test_names_cannot_become_formulas_in_a_csv(sign: str) -> None:
    phase = make_phase()
    make_test_set(phase)
    make_scored(phase, method=f'{sign}HYPERLINK("http://evil")')
    text = anonymous().get(address(phase, "/leaderboard?format=csv")).content.decode()
    (line,) = csv.DictReader(io.StringIO(text))
    assert line["method"] == f'\'{sign}HYPERLINK("http://evil")'


def test_a_csv_has_a_name_whatever_the_host_calls_a_subset() -> None:
    phase = make_board([0.5])
    entry = BoardEntry.objects.get(phase=phase)
    subset = 'source:a "b"/\u6d4b'
    for kept in (entry, entry.test_set.baselines.get()):
        kept.scores = {**kept.scores, subset: kept.scores["overall"]}
        kept.save()
    answer = anonymous().get(
        address(phase, "/leaderboard"), {"format": "csv", "subset": subset}
    )
    assert answer.status_code == 200
    assert answer["Content-Disposition"].startswith("attachment; filename*=utf-8''")
    assert "/" not in answer["Content-Disposition"]


def test_published_rows_say_who_and_what_they_measured() -> None:
    phase = make_board([])
    flags = {"is_subset": True, "is_human": True, "is_open_weights": None}
    make_published(phase.track, 99.5, organisation="-A lab", **flags)
    (row, _) = [one for one in board(phase)["rows"] if one["kind"] == "published"]
    assert {key: row[key] for key in flags} == flags
    assert row["organisation"] == "-A lab"
    text = anonymous().get(address(phase, "/leaderboard?format=csv")).content.decode()
    lines = csv.DictReader(io.StringIO(text))
    line = next(one for one in lines if one["kind"] == "published")
    assert (line["organisation"], line["is_human"]) == ("'-A lab", "True")
    assert (line["is_subset"], line["is_open_weights"]) == ("True", "")
