"""The method card and the judge, as the API takes and tells them."""

import csv
import io
import json
from dataclasses import replace

import pytest

from evaluation import SUITES
from evaluation.suite import CardField
from leaderboard.models import Phase, Submission
from tests.factories import (
    make_judge,
    make_phase,
    make_scored,
    make_test_set,
    make_user,
)
from tests.leaderboard.api.doors import (
    address,
    anonymous,
    form,
    make_real_phase,
    problem,
    with_token,
)

pytestmark = pytest.mark.django_db
FIELDS = (
    CardField(
        key="sampling",
        label="Sampling",
        choices=("64 frames", "1 fps"),
        meaning="What the model saw.",
    ),
    CardField(key="size", label="Size"),
)


@pytest.fixture(autouse=True)
def fields(monkeypatch: pytest.MonkeyPatch) -> None:
    suite = replace(SUITES["svcbench"], card_fields=FIELDS)
    monkeypatch.setitem(SUITES, "svcbench", suite)


def sent(phase: Phase, **fields: object):
    client = with_token(make_user())
    return client, client.post(address(phase, "/submissions"), form(**fields))


def test_a_phase_says_what_a_card_may_say() -> None:
    phase = make_phase()
    told = [
        {
            "key": "sampling",
            "label": "Sampling",
            "choices": ["64 frames", "1 fps"],
            "meaning": "What the model saw.",
        },
        {"key": "size", "label": "Size", "choices": [], "meaning": ""},
    ]
    assert anonymous().get(address(phase)).json()["card_fields"] == told
    track = anonymous().get(f"/api/v1/tracks/{phase.track.slug}").json()
    assert track["suite"]["card_fields"] == told


def test_a_card_is_sent_as_json_and_told_again() -> None:
    card = {"size": " 8B ", "sampling": "1 fps"}
    client, answer = sent(make_real_phase(), card=json.dumps(card))
    assert answer.status_code == 202, answer.content
    kept = {"sampling": "1 fps", "size": "8B"}
    assert answer.json()["card"] == kept
    assert client.get(answer["Location"]).json()["card"] == kept
    assert Submission.objects.get().card == kept


@pytest.mark.parametrize("fields", [{}, {"card": ""}, {"card": "{}"}])
def test_a_card_may_be_left_out(fields: dict[str, str]) -> None:
    _, answer = sent(make_real_phase(), **fields)
    assert answer.json()["card"] == {}


@pytest.mark.parametrize(
    ("card", "path", "told"),
    [
        ("[]", "card", "must be a JSON object whose values are texts"),
        ("not JSON", "card", "must be a JSON object whose values are texts"),
        ('{"size": 8}', "card", "must be a JSON object whose values are texts"),
        ("[" * 9000, "card", "must be a JSON object whose values are texts"),
        ('{"size": "\\ud800"}', "card", "must be a JSON object"),
        ("x" * 20_001, "card", "no more than 20000 characters"),
        ('{"colour": "red"}', "card.colour", "there are: sampling, size"),
        ('{"sampling": "9 fps"}', "card.sampling", "one of: 64 frames, 1 fps"),
        ('{"size": "a\\nb"}', "card.size", "must be printable, on one line"),
        ('{"size": "a\\u0000b"}', "card.size", "must be printable, on one line"),
        (json.dumps({"size": "x" * 81}), "card.size", "80 characters at most, got 81"),
    ],
)
def test_a_wrong_card_is_refused_with_its_field(card: str, path: str, told: str):
    _, answer = sent(make_real_phase(), card=card)
    (error,) = problem(answer, 400, "invalid_request")["errors"]
    assert (error["path"].removesuffix("[0]"), told in error["detail"]) == (path, True)
    assert not Submission.objects.exists()


def test_the_same_key_with_another_card_is_another_request() -> None:
    client, phase = with_token(make_user()), make_real_phase()
    key = {"Idempotency-Key": "one"}
    where = address(phase, "/submissions")
    first = client.post(where, form(card='{"size": "8B"}'), headers=key)
    again = client.post(where, form(card=' {"size":"8B "}'), headers=key)
    other = client.post(where, form(card='{"size": "9B"}'), headers=key)
    assert first.json()["id"] == again.json()["id"]
    assert (other.status_code, other.json()["code"]) == (409, "idempotency_mismatch")


def carded() -> Phase:
    phase = make_test_set().phase
    make_scored(phase, skill=0.9, method="A", card={"sampling": "1 fps"})
    make_scored(phase, skill=0.5, method="B", card={"sampling": "1 fps", "size": "8B"})
    make_scored(phase, skill=0.1, method="C")
    return phase


def test_a_board_is_filtered_by_cards() -> None:
    phase = carded()
    for query, methods in {
        "": ["A", "B", "C"],
        "?card.sampling=1+fps": ["A", "B"],
        "?card.size=8B": ["B"],
        "?card.size=8B&card.sampling=64+frames": [],
    }.items():
        body = anonymous().get(address(phase, f"/leaderboard{query}")).json()
        assert [row["method"] for row in body["rows"]] == methods
        assert body["total"] == len(methods)
    body = anonymous().get(address(phase, "/leaderboard?card.size=8B")).json()
    assert body["card"] == {"size": "8B"}
    assert body["rows"][0]["card"] == {"sampling": "1 fps", "size": "8B"}
    assert body["rows"][0]["rank"] == 1


def test_a_csv_has_the_cards_and_the_filter() -> None:
    where = address(carded(), "/leaderboard?format=csv&card.sampling=1+fps")
    lines = list(csv.DictReader(io.StringIO(anonymous().get(where).content.decode())))
    assert [(one["card_sampling"], one["card_size"]) for one in lines] == [
        ("1 fps", ""),
        ("1 fps", "8B"),
    ]


@pytest.mark.parametrize(
    "query", ["card.colour=red", "card.sampling=9+fps", "card.size=%00", "card.=x"]
)
def test_what_no_card_can_say_is_refused(query: str) -> None:
    answer = anonymous().get(address(carded(), f"/leaderboard?{query}"))
    (error,) = problem(answer, 400, "invalid_request")["errors"]
    assert error["path"] == query.partition("=")[0]


def test_a_phase_and_its_board_name_their_judge() -> None:
    judge = make_judge(
        title="Small judge",
        agreement=0.92,
        agreement_low=0.9,
        agreement_high=0.94,
        agreement_note="300 pairs",
    )
    phase = make_test_set(make_phase(judge_profile=judge)).phase
    told = {
        "id": judge.judge_id,
        "title": "Small judge",
        "is_comparable": False,
        "agreement": 0.92,
        "agreement_low": 0.9,
        "agreement_high": 0.94,
        "agreement_note": "300 pairs",
    }
    for end in ("", "/leaderboard"):
        assert anonymous().get(address(phase, end)).json()["judge"] == told


def test_without_a_judge_there_is_none_to_name() -> None:
    phase = make_test_set().phase
    for end in ("", "/leaderboard"):
        assert anonymous().get(address(phase, end)).json()["judge"] is None
