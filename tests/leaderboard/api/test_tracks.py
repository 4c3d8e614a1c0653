"""GET of tracks, phases and manifests: public, cacheable, without answers."""

from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from evaluation import SUITES
from leaderboard.models import Phase
from tests.factories import (
    make_baseline,
    make_phase,
    make_scored,
    make_test_set,
    make_track,
)
from tests.leaderboard.api.doors import (
    POINTS,
    QUESTIONS,
    address,
    anonymous,
    make_real_phase,
)

pytestmark = pytest.mark.django_db


def test_listed_tracks_come_in_their_order_with_their_phases() -> None:
    second = make_phase(make_track(position=2))
    first = make_phase(make_track(position=1), closes_at=timezone.now())
    make_track(is_listed=False)
    body = anonymous().get("/api/v1/tracks").json()
    assert [one["slug"] for one in body] == [first.track.slug, second.track.slug]
    (phase,) = body[0]["phases"]
    assert (phase["slug"], phase["is_open"]) == ("test", False)
    assert body[1]["phases"][0]["is_open"] is True


def test_an_unlisted_track_is_there_for_who_knows_it() -> None:
    track = make_track(is_listed=False)
    assert anonymous().get(f"/api/v1/tracks/{track.slug}").status_code == 200


def test_a_list_costs_the_same_however_long_it_is(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for _ in range(4):
        track = make_track()
        make_phase(track)
        make_phase(track, slug="dev")
    with django_assert_num_queries(2):  # tracks, phases
        anonymous().get("/api/v1/tracks")


def test_a_track_says_what_its_suite_measures() -> None:
    track, suite = make_track(), SUITES["svcbench"]
    body = anonymous().get(f"/api/v1/tracks/{track.slug}").json()
    assert body["headline"] == suite.headline
    assert body["suite"]["protocols"] == list(suite.protocols)
    assert body["suite"]["deviations"] == list(suite.deviations)
    assert [m["key"] for m in body["suite"]["metrics"]] == [
        metric.key for metric in suite.metrics
    ]
    assert [e["key"] for e in body["suite"]["errors"]] == [
        error.key for error in suite.errors
    ]
    assert body["suite"]["formats"][0]["example"] == suite.formats[0].example


def test_a_track_may_rank_by_another_metric() -> None:
    track = make_track(headline="uda")
    phase = make_phase(track)
    for path in (f"/api/v1/tracks/{track.slug}", address(phase)):
        assert anonymous().get(path).json()["headline"] == "uda"


def test_a_phase_says_its_rules() -> None:
    closes = timezone.now().replace(microsecond=0) + timedelta(days=3)
    phase = make_phase(
        daily_quota=3, total_quota=7, time_zone="Asia/Shanghai", closes_at=closes
    )
    make_baseline(make_test_set(phase, instance_count=12))
    body = anonymous().get(address(phase)).json()
    assert (body["track"], body["slug"]) == (phase.track.slug, "test")
    assert (body["daily_quota"], body["total_quota"]) == (3, 7)
    assert body["time_zone"] == "Asia/Shanghai"
    assert body["closes_at"] == closes.isoformat().replace("+00:00", "Z")
    assert body["is_open"] is True
    assert body["max_upload_mib"] == 64
    assert body["feedback"] == "breakdowns"
    assert body["protocol"] == "svcbench/1"
    assert body["test_set"]["instance_count"] == 12
    assert body["subsets"][:3] == ["overall", "type:O1", "type:O2"]
    assert body["subsets"][-2:] == ["source:one", "source:two"]
    assert body["metrics"][0]["key"] == "gpa"


def test_a_phase_without_a_test_set_says_so() -> None:
    body = anonymous().get(address(make_phase())).json()
    assert body["test_set"] is None
    assert body["subsets"] == ["overall"]


def test_subsets_are_known_without_baselines() -> None:
    phase = make_scored().submission.phase
    subsets = anonymous().get(address(phase)).json()["subsets"]
    assert subsets[:3] == ["overall", "type:O1", "type:O2"]


def test_a_phase_is_found_through_its_own_track_only() -> None:
    phase, other = make_phase(slug="one"), make_phase(slug="two")
    path = f"/api/v1/tracks/{other.track.slug}/phases/{phase.slug}"
    assert anonymous().get(path).status_code == 404


def test_aggregate_feedback_names_no_subsets() -> None:
    phase = make_phase(feedback=Phase.Feedback.AGGREGATE)
    make_baseline(make_test_set(phase))
    assert anonymous().get(address(phase)).json()["subsets"] == ["overall"]


def test_the_manifest_names_what_to_answer_and_no_answers() -> None:
    phase = make_real_phase()
    answer = anonymous().get(address(phase, "/manifest"))
    body = answer.json()
    assert answer["Content-Type"] == "application/json"
    assert (body["test_set"], body["instance_count"]) == (1, QUESTIONS)
    assert body["manifest"]["q_ids"] == [
        f"{number:04}" for number in range(QUESTIONS * POINTS)
    ]
    assert "count" not in body["manifest"]
    assert body["manifest"].keys() == {"q_ids", "ids", "query_index", "query_times"}


def test_without_a_test_set_there_is_no_manifest() -> None:
    answer = anonymous().get(address(make_phase(), "/manifest"))
    assert (answer.status_code, answer.json()["code"]) == (409, "no_test_set")


@pytest.mark.parametrize("end", ["", "/manifest", "/leaderboard"])
def test_what_has_not_changed_is_not_sent_again(end: str) -> None:
    phase = make_real_phase()
    first = anonymous().get(address(phase, end))
    assert first["Cache-Control"] == "public, max-age=30"
    again = anonymous().get(
        address(phase, end), headers={"If-None-Match": first["ETag"]}
    )
    assert (again.status_code, again.content) == (304, b"")
    phase.test_sets.update(number=2)
    changed = anonymous().get(
        address(phase, end), headers={"If-None-Match": first["ETag"]}
    )
    assert changed.status_code == 200
