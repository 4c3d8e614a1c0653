"""Judge profiles, and the memory of their answers."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from evaluation.judges import Answer, Question
from evaluation.judges.cache import question_key
from evaluation.judges.prompts import InvalidProfile
from evaluation.judges.spec import InvalidSpec
from leaderboard import judges
from leaderboard.models import AuditEvent, JudgeAnswer, JudgeProfile
from leaderboard.refusals import Refused
from tests import factories

pytestmark = pytest.mark.django_db
PROMPTS = {
    "system": "Rate from 0 to 5.",
    "attribute": "{sentence} / {phrase}: attributes?",
    "relation": "{sentence} / {phrase}: relations?",
    "key_state": "{sentence} / {phrase}: states?",
}
SERVER = "openai:qwen3-8b@http://judge.example/v1"
QUESTION = Question("attribute", "a white bowl", "white ceramic bowl")


def test_answers_are_kept_for_good_and_found_again() -> None:
    store = judges.DatabaseStore()
    answers = {"k1": Answer(text="4", score=4), "k2": Answer(text="no", score=None)}
    store.put("judge", answers)
    store.put("judge", {"k1": Answer(text="5", score=5)})  # the first one stays
    assert store.get("judge", ["k1", "k2", "k3"]) == answers
    assert store.get("another judge", ["k1"]) == {}


def test_what_postgresql_cannot_hold_is_left_out_of_an_answer() -> None:
    store = judges.DatabaseStore()
    store.put("judge", {"k": Answer(text="3\0 \ud800", score=3)})
    assert store.get("judge", ["k"])["k"] == Answer(text="3 ?", score=3)


def test_a_judge_asks_only_what_nobody_asked_before() -> None:
    profile = judges.create(slug="stand-in", title="Stand-in", spec="lexical")
    first = judges.judge_of(profile).ask([QUESTION])
    again = judges.judge_of(profile).ask([QUESTION])
    assert not first[0].is_cached
    assert again[0].is_cached
    assert again[0].score == first[0].score
    known = JudgeAnswer.objects.get()
    assert known.key == question_key(profile.judge_id, QUESTION)


def test_other_words_are_another_judge() -> None:
    plain = judges.create(slug="plain", title="Plain", spec=SERVER)
    worded = judges.create(slug="worded", title="Worded", spec=SERVER, prompts=PROMPTS)
    assert plain.judge_id != worded.judge_id
    assert plain.is_comparable


def test_the_lexical_stand_in_is_not_comparable() -> None:
    profile = judges.create(slug="stand-in", title="Stand-in", spec="lexical")
    assert not profile.is_comparable


@pytest.mark.parametrize("spec", ["", "lexicon", "openai:qwen3-8b", "lexical:x"])
def test_a_spec_that_names_no_judge_makes_no_profile(spec: str) -> None:
    with pytest.raises(InvalidSpec):
        judges.create(slug="none", title="None", spec=spec)
    assert not JudgeProfile.objects.exists()


def test_a_template_must_show_both_texts() -> None:
    prompts = PROMPTS | {"relation": "{sentence}?"}
    with pytest.raises(InvalidProfile, match=r"relation template lacks \{phrase\}"):
        judges.create(slug="half", title="Half", spec=SERVER, prompts=prompts)


def test_a_phase_takes_a_judge_until_it_has_a_test_set() -> None:
    profile = judges.create(slug="stand-in", title="Stand-in", spec="lexical")
    phase = factories.make_phase()
    judges.use(phase, profile)
    phase.refresh_from_db()
    assert phase.judge == profile.judge_id
    assert AuditEvent.objects.get(action="use-judge").details == {
        "judge": profile.judge_id
    }
    factories.make_test_set(phase)
    with pytest.raises(Refused, match="make a new phase"):
        judges.use(phase, profile)


def test_the_command_makes_measures_and_assigns_a_judge(tmp_path: Path) -> None:
    phase = factories.make_phase()
    ratings = tmp_path / "ratings.jsonl"
    pairs = [("a red cup", 5), ("a cup", 3), ("a dog", 0), ("the red mug", 2)]
    ratings.write_text(
        "\n".join(
            json.dumps(
                {
                    "kind": "attribute",
                    "sentence": sentence,
                    "phrase": "a red cup",
                    "ratings": {"ada": score},
                }
            )
            for sentence, score in pairs
        )
    )
    said = StringIO()
    call_command(
        "add_judge",
        "stand-in",
        "lexical",
        ratings=ratings,
        phase=f"{phase.track.slug}/{phase.slug}",
        stdout=said,
    )
    profile = JudgeProfile.objects.get()
    phase.refresh_from_db()
    assert phase.judge == profile.judge_id
    assert profile.agreement is not None
    assert profile.agreement > 0.5
    assert profile.agreement_note == "4 rated pairs"
    assert profile.judge_id in said.getvalue()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["stand-in", "lexicon"], "names no judge"),
        (["stand-in", "lexical", "--phase", "no/where"], "no phase no/where"),
    ],
)
def test_the_command_says_what_is_wrong(arguments: list[str], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        call_command("add_judge", *arguments)
