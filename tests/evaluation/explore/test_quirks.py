"""Every recorded quirk of the released evaluator (reference data), in both profiles."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from evaluation.explore.captions import MAX_CHARACTERS, too_long
from evaluation.explore.predictions import read_predictions
from evaluation.explore.preparing import Models
from evaluation.explore.scenes import Annotations
from evaluation.explore.scoring import COMPAT, STRICT
from evaluation.explore.selection import select
from evaluation.judges import Judge
from evaluation.judges.answers import first_number
from evaluation.judges.lexical import LexicalJudge
from evaluation.judges.spec import from_spec
from evaluation.problems import InvalidUpload
from evaluation.tables import InstanceTable
from tests.evaluation.explore.building import (
    CountingJudge,
    FixedJudge,
    annotations,
    compiled_of,
    predictions,
    score_all,
    upload,
)

REFUSED = {  # the annotations are at fault; both profiles refuse them when loaded
    "Q21_duplicate_start_frame": "duplicate_start_frame",
    "Q24a_relation_string": "type",
    "Q24b_relation_key_missing": "type",
    "Q24c_relation_triplet": "type",
}
OTHERWISE = {  # not a run over final scenes; each has a test of its own
    "Q07_answer_parsing",
    "Q17a_multi_scene_unreachable",
    "Q22_float_ties",
    "Q23_judge_name_gate",
    "Q32_hard_coverage",
}
ZERO_IN_STRICT = {
    "Q01_missing_prediction": ["b.jpg"],
    "Q02_falsy_predictions": [f"{n}.jpg" for n in range(6)],
    "Q03a_no_noun_spaces": ["a.jpg"],
    "Q03b_no_noun_punct": ["a.jpg"],
    "Q03c_no_noun_no_noun": ["a.jpg"],
    "Q03d_no_noun_eos": ["a.jpg"],
    "Q03e_no_noun_literal_newline": ["a.jpg"],
    "Q03f_no_noun_bare_word_towel": ["a.jpg"],
    "Q18b_list_last_empty": ["a.jpg"],
    "Q18d_non_string": ["a.jpg", "b.jpg"],
}

Quirk = dict[str, Any]


@pytest.fixture(scope="module")
def quirks(shared_data: Path) -> dict[str, Quirk]:
    folder = shared_data / "explore" / "quirks"
    return {path.stem: json.loads(path.read_text()) for path in folder.glob("Q*.json")}


def loaded(quirk: Quirk, folder: Path) -> Annotations:
    abnormal = quirk["evaluator"] == "eval_abn.py"
    name = "anno_abnormal.json" if abnormal else "anno.json"
    found = annotations(folder, *quirk["anno"], name=name)
    scene = quirk["options"].get("which_scene", "final")
    return select(found, [s.id for s in found.scenes if s.name == scene])


def judge_of(quirk: Quirk) -> Judge:
    fixed = re.search("'(.*)'", quirk["options"].get("answer", ""))
    return FixedJudge(fixed[1]) if fixed else CountingJudge()


def run(
    quirk: Quirk, folder: Path, models: Models, judge: Judge, protocol: str
) -> InstanceTable:
    found = loaded(quirk, folder)
    given = read_predictions(upload(folder, "p.json", quirk["predictions"]), None)
    compiled = compiled_of(models, found)
    return score_all(models, compiled, given, judge=judge, protocol=protocol)


def test_every_quirk_is_looked_at(quirks: dict[str, Quirk]) -> None:
    assert len(quirks) == 49
    assert REFUSED.keys() | OTHERWISE <= quirks.keys()


def test_compat_does_what_the_released_scripts_did(
    quirks: dict[str, Quirk], tmp_path: Path, models: Models
) -> None:
    checked = 0
    for name, quirk in sorted(quirks.items()):
        if name in REFUSED or name in OTHERWISE:
            continue
        judge = judge_of(quirk)
        table = run(quirk, tmp_path, models, judge, COMPAT)
        upstream = quirk["upstream"]
        assert list(table.ids) == [
            p["start_frame"] + ("#mid_1" if "which_scene" in quirk["options"] else "")
            for p in upstream["per_instance"]
        ], name
        for row, expected in enumerate(upstream["per_instance"]):
            check_row(table, row, expected, name)
        calls = list(
            dict.fromkeys(
                (c["kind"], c["sentence"], c["phrase"]) for c in upstream["judge_calls"]
            )
        )
        asked = [(q.kind, q.sentence, q.phrase) for q in judge.asked]  # type: ignore[attr-defined]
        assert asked == calls, name
        checked += 1
    assert checked == 40


def check_row(table: InstanceTable, row: int, expected: Quirk, name: str) -> None:
    assert table.details["outcome"][row] == expected["outcome"], name
    if expected["outcome"] != "scored":
        assert table.value("s_uni", row) is None, name
        return
    assert table.details["attributes"][row] == expected["attribute_scores"], name
    assert table.details["relations"][row] == expected["relation_scores"], name
    assert table.value("s_obj", row) == pytest.approx(
        expected["object_coverage"], abs=1e-4
    ), name
    assert table.value("s_uni", row) == pytest.approx(expected["unified"], abs=1e-4), (
        name
    )
    if "key_state_score" in expected:
        assert table.details["key_states"][row] == expected["key_state_scores"], name
        assert table.value("s_abn", row) == pytest.approx(
            expected["s_abn"], abs=1e-4
        ), name


@pytest.mark.parametrize(("name", "code"), sorted(REFUSED.items()))
def test_annotations_that_stop_the_released_script_are_refused(
    name: str, code: str, quirks: dict[str, Quirk], tmp_path: Path
) -> None:
    with pytest.raises(InvalidUpload) as refused:
        annotations(tmp_path, *quirks[name]["anno"])

    assert refused.value.problems[0].code == code


@pytest.mark.parametrize(("name", "frames"), sorted(ZERO_IN_STRICT.items()))
def test_strict_counts_zero_what_was_left_out_or_crashed(
    name: str,
    frames: list[str],
    quirks: dict[str, Quirk],
    tmp_path: Path,
    models: Models,
) -> None:
    table = run(quirks[name], tmp_path, models, LexicalJudge(), STRICT)

    for row, frame in enumerate(table.ids):
        value = table.value("s_uni", row)
        assert (value == 0) is (frame in frames)


def test_strict_pairs_each_relation_with_its_own_sentence(
    quirks: dict[str, Quirk], tmp_path: Path, models: Models
) -> None:
    for ordinary, abnormal in (
        ("Q04a_relationless_shift", "Q04b_relationless_abn"),
        ("Q05a_accumulate", "Q05b_accumulate_abn"),
    ):
        table = run(quirks[ordinary], tmp_path, models, LexicalJudge(), STRICT)
        wanted = quirks[abnormal]["upstream"]["per_instance"][0]["relation_scores"]
        assert table.details["relations"][0] == wanted


def test_strict_gives_a_scene_without_relations_relation_score_zero(
    quirks: dict[str, Quirk], tmp_path: Path, models: Models
) -> None:
    quirk = quirks["Q06a_no_relations"]
    table = run(quirk, tmp_path, models, LexicalJudge(), STRICT)

    assert table.value("s_rel", 0) == 0
    assert table.value("s_att", 0) == 5


@pytest.mark.parametrize(
    "name", ["Q08a_judge_45", "Q08b_judge_minus1", "Q08c_judge_no_digit"]
)
def test_strict_asks_again_and_counts_zero_what_is_no_score(
    name: str, quirks: dict[str, Quirk], tmp_path: Path, models: Models
) -> None:
    quirk = quirks[name]
    table = run(quirk, tmp_path, models, judge_of(quirk), STRICT)

    assert table.details["attributes"][0] == [0, 0]
    assert table.counters["judge_retried"] == table.counters["judge_invalid"] == 4


@pytest.mark.parametrize(
    ("name", "scores"),
    [
        ("Q17b_mid_scene_list", [5]),
        ("Q18a_list_last", [5, 5]),
        ("Q18c_list_abn", [5, 5]),
    ],
)
def test_strict_reads_the_element_of_a_list_that_answers_the_scene(
    name: str,
    scores: list[int],
    quirks: dict[str, Quirk],
    tmp_path: Path,
    models: Models,
) -> None:
    table = run(quirks[name], tmp_path, models, LexicalJudge(), STRICT)

    assert table.details["attributes"][0] == scores


def test_three_scenes_are_weighted_although_the_released_mode_raises(
    quirks: dict[str, Quirk], tmp_path: Path, models: Models
) -> None:
    quirk = quirks["Q17a_multi_scene_unreachable"]
    found = annotations(tmp_path, *quirk["anno"])
    given = predictions(tmp_path, quirk["predictions"], found)
    compiled = compiled_of(models, found)
    strict = score_all(models, compiled, given)
    compat = score_all(models, compiled, given, protocol=COMPAT)

    assert strict.ids == ("a.jpg#mid_1", "a.jpg#mid_2", "a.jpg")
    assert [strict.value("s_att", row) for row in range(3)] == [5, 3, 5]
    assert all(strict.value("s_uni_multi", row) is not None for row in range(3))
    assert all(compat.value("s_uni_multi", row) is None for row in range(3))
    assert compat.details["outcome"] == ("skipped", "skipped", "scored")


def test_every_mention_of_a_noun_ties(
    quirks: dict[str, Quirk], tmp_path: Path, models: Models
) -> None:
    quirk = quirks["Q22_float_ties"]
    judge = CountingJudge()
    found = annotations(tmp_path, *quirk["anno"])
    given = predictions(tmp_path, quirk["predictions"], found)
    score_all(models, compiled_of(models, found), given, judge=judge)

    wanted = quirk["upstream"]["matched_noun_mentions_per_category"]["canon_threads1"]
    sentences = [q.sentence for q in judge.asked if q.kind == "attribute"]
    mentions = [len(sentence.split(". ")) for sentence in sentences]
    assert mentions == [
        wanted[o["category"]] for o in quirk["anno"][0]["end_frame_info"]
    ]


def test_hard_coverage_is_not_offered_but_matches_the_same_nouns(
    quirks: dict[str, Quirk], tmp_path: Path, models: Models
) -> None:
    quirk = quirks["Q32_hard_coverage"] | {"options": {}}
    table = run(quirk, tmp_path, models, LexicalJudge(), COMPAT)

    expected = quirk["upstream"]["per_instance"][0]
    scores = table.details["objects"][0]
    assert isinstance(scores, list)
    assert [score > 0 for score in scores] == [
        each["score"] == 1 for each in expected["objects"].values()
    ]


def test_answers_are_parsed_as_the_released_script_parses(
    quirks: dict[str, Quirk],
) -> None:
    for text, number in quirks["Q07_answer_parsing"]["table"]:
        assert first_number(text) == number, text


def test_a_judge_may_have_any_name(quirks: dict[str, Quirk]) -> None:
    for _, model, _ in quirks["Q23_judge_name_gate"]["table"]:
        assert model in from_spec(f"openai:{model}@http://judge/v1").judge_id


def test_the_text_that_stops_spacy_is_refused_when_uploaded() -> None:
    assert MAX_CHARACTERS < 1_000_000
    assert "at most" in (too_long("A bowl " * 150_000) or "")
