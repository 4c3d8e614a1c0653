"""The released scripts' behaviour on small scenes of our own, with the real models."""

from pathlib import Path

from evaluation.aggregate import summarise
from evaluation.explore import SUITE
from evaluation.explore.preparing import Models
from evaluation.explore.scoring import COMPAT
from evaluation.tables import InstanceTable
from tests.evaluation.explore.building import (
    CountingJudge,
    JsonObject,
    an_item,
    an_object,
    annotations,
    compiled_of,
    predictions,
    score_all,
)

CUP = an_object("cup", "white cup", "cup is on the table", "cup is near the chair")
TABLE, CHAIR = an_object("table", "wooden table"), an_object("chair", "red chair")
TEXT = "A white cup. A wooden table. A red chair."


def scored(
    folder: Path,
    models: Models,
    values: JsonObject,
    *items: JsonObject,
    name: str = "anno.json",
    judge: CountingJudge | None = None,
) -> InstanceTable:
    found = annotations(folder, *items, name=name)
    given = predictions(folder, values, found)
    compiled = compiled_of(models, found)
    return score_all(models, compiled, given, judge=judge, protocol=COMPAT)


def test_an_instance_at_which_the_released_script_stops_is_left_out(
    tmp_path: Path, models: Models
) -> None:
    table = scored(
        tmp_path,
        models,
        {"a": TEXT, "b": " . ! ", "c": TEXT},
        an_item("a", CUP, TABLE),
        an_item("b", CUP, TABLE),
        an_item("c", TABLE, CHAIR),
    )
    assert table.details["outcome"] == ("scored", "error", "error")
    assert table.details["reason"] == ("", "no_nouns", "no_relations")
    summary = summarise(SUITE, table)
    assert summary.counts["overall"]["s_uni"] == 1
    assert summary.scores["overall"]["s_uni"] == table.value("s_uni", 0)


def test_the_released_abnormal_script_scores_zero_there(
    tmp_path: Path, models: Models
) -> None:
    table = scored(
        tmp_path,
        models,
        {"a": " . ! ", "b": TEXT},
        an_item("a", CUP),
        an_item("b", CHAIR),
        name="anno_abnormal.json",
    )
    assert table.details["outcome"] == ("scored", "scored")
    assert (table.value("s_abn", 0), table.value("s_rel", 1)) == (0, 0)
    assert summarise(SUITE, table).counts["overall"]["s_abn"] == 2


def asked_of_the_second_relation(folder: Path, models: Models, name: str) -> str:
    judge = CountingJudge()
    item = an_item("a", CUP, TABLE, CHAIR)
    scored(folder, models, {"a": TEXT}, item, name=name, judge=judge)
    relations = [q for q in judge.asked if q.kind == "relation"]
    return relations[1].sentence


def test_sentences_pile_up_in_the_ordinary_script_only(
    tmp_path: Path, models: Models
) -> None:
    ordinary = asked_of_the_second_relation(tmp_path, models, "anno.json")
    assert ordinary == "A white cup. A wooden table. A red chair"
    abnormal = asked_of_the_second_relation(tmp_path, models, "anno_abnormal.json")
    assert abnormal == "A white cup. A red chair"


def test_there_is_no_score_over_three_scenes(tmp_path: Path, models: Models) -> None:
    middle = {"middle_frame_1_info": [CUP, TABLE]}
    table = scored(
        tmp_path, models, {"a": [TEXT, TEXT]}, an_item("a", CUP, TABLE, **middle)
    )
    summary = summarise(SUITE, table)
    assert summary.scores["overall"]["s_uni_multi"] is None
    assert summary.counts["overall"]["s_uni"] == 1
