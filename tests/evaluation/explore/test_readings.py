"""What each profile makes of a submission's value, scene by scene (no model needed)."""

from pathlib import Path

import numpy as np
import pytest

from evaluation.explore.annotations import read_annotations
from evaluation.explore.compiling import make_manifest, named
from evaluation.explore.matching import match
from evaluation.explore.predictions import predictions_of
from evaluation.explore.questions import questions
from evaluation.explore.rating import Ratings, rate
from evaluation.explore.readings import Reading, read_compat, read_strict
from evaluation.explore.rows import Row, applies, values
from evaluation.explore.scenes import (
    CompiledObject,
    CompiledScene,
    Extent,
    Scene,
    SceneName,
    SceneObject,
    extent,
)
from evaluation.explore.selection import select, submitted
from evaluation.judges import Question
from evaluation.problems import InvalidUpload
from tests.evaluation.explore.building import (
    FixedJudge,
    an_item,
    an_object,
    annotations,
    predictions,
    upload,
)

ALL = Extent(names=frozenset({"mid_1", "mid_2", "final"}), has_ordinary=True)
MIDDLE = Extent(names=frozenset({"mid_1"}), has_ordinary=True)
THING = CompiledObject(category=0, description="plain", relations=(), related=())


def scene(
    name: SceneName = "final",
    *objects: CompiledObject,
    is_abnormal: bool = False,
    is_empty: bool = False,
) -> CompiledScene:
    return CompiledScene(
        id="a",
        frame="a",
        name=name,
        length="short",
        kind="",
        is_abnormal=is_abnormal,
        is_tiny=False,
        is_self_recorded=False,
        categories=() if is_empty else ("cup",),
        vectors=np.array([] if is_empty else [0], np.int64),
        objects=() if is_empty else (objects or (THING,)),
    )


def strict(value: object, name: SceneName = "final", whole: Extent = ALL) -> str:
    """Text, or outcome and reason."""
    others = {other: ["x", "y", "z"] for other in "pqr"}  # a stepwise submission
    is_stepwise = isinstance(value, list)
    given = predictions_of({"a": value, **(others if is_stepwise else {})})
    return told(read_strict(given, scene(name), whole))


def compat(
    value: object,
    name: SceneName = "final",
    whole: Extent = ALL,
    *,
    is_abnormal: bool = False,
) -> str:
    made = scene(name, is_abnormal=is_abnormal)
    return told(read_compat(predictions_of({"a": value}), made, whole))


def told(reading: Reading) -> str:
    outcome = f"{reading.outcome}: {reading.reason}"
    return f"text: {reading.text}" if reading.outcome == "scored" else outcome


@pytest.mark.parametrize("value", [None, "", [], 0, False, {}])
def test_a_falsy_value_is_no_prediction(value: object) -> None:
    assert strict(value) == "zero: no_prediction"
    assert compat(value) == "skipped: no_prediction"


@pytest.mark.parametrize("value", [5, True, {"a": 1}, ["x", 5], ["x", ["y"]]])
def test_what_is_no_text_counts_zero_or_stops_the_released_script(
    value: object,
) -> None:
    assert strict(value) == "zero: not_text"
    assert compat(value) == "error: not_text"


def test_the_last_of_a_list_describes_the_final_scene() -> None:
    assert strict(["m", "n", "f"]) == compat(["m", "n", "f"]) == "text: f"
    assert strict(["f"]) == "text: f"
    assert strict(["m", ""]) == "zero: no_prediction"
    assert compat(["m", ""]) == "text: ", "which has no noun, so the script stops"
    assert compat(["m", None]) == "error: not_text"


def test_lists_answer_middle_scenes_in_order() -> None:
    answers = ["m", "n", "o", "f"]
    assert strict(answers, "mid_1") == "text: m"
    assert strict(answers, "mid_2") == "text: n"
    assert strict(["m"], "mid_2") == "zero: no_prediction"
    assert strict("f", "mid_1") == "skipped: other_scene"


def test_a_set_of_one_middle_scene_reads_texts_and_lists() -> None:
    assert strict("m", "mid_1", MIDDLE) == compat("m", "mid_1", MIDDLE) == "text: m"
    assert strict(["m", "f"], "mid_1", MIDDLE) == "text: m"
    assert compat(["m", "f"], "mid_1", MIDDLE) == "error: list_for_middle_scene"


def test_the_released_abnormal_script_stops_at_lists() -> None:
    assert compat(["f"], is_abnormal=True) == "error: list_in_abnormal"
    assert compat("f", is_abnormal=True) == "text: f"


def test_scenes_without_objects_ask_nothing_and_say_nothing_about_a_set() -> None:
    given, empty = predictions_of({"a": "m"}), scene(is_empty=True)
    middle = scene("mid_1", is_abnormal=True)
    whole = extent([empty, middle])
    assert (whole.only, whole.has_ordinary) == ("mid_1", False)
    assert told(read_strict(given, middle, whole)) == "text: m"
    for read in (read_strict, read_compat):
        assert told(read(given, empty, whole)) == "skipped: no_ground_truth"
    assert extent([empty]).only == "final"


def test_a_file_annotated_in_the_middle_only_is_a_set_of_middle_scenes(
    tmp_path: Path,
) -> None:
    middle = {"middle_frame_1_info": [an_object("cup")]}
    found = annotations(tmp_path, {"start_frame": "a", **middle})
    given = predictions(tmp_path, {"a": "A cup."}, found)
    assert (given.coverage.expected, given.coverage.answered) == (1, 1)
    assert "a#mid_1" in submitted(given, found)
    assert make_manifest(found).frames == {"a": ("mid_1",)}


def test_a_relation_names_other_objects_by_exact_substring() -> None:
    objects = tuple(
        SceneObject(category=name, description="", relations=())
        for name in ("cup", "TV", "cup", "table")
    )
    assert named("the cup in the cupboard", objects, 0) == (2,), "not itself"
    assert named("the cupboard", objects, 3) == (0, 2), "inside a word (Q12)"
    assert named("the tv is on", objects, 0) == (), "case counts (Q13)"
    assert named("the TV on the table", objects, 0) == (1, 3)


def test_every_annotated_object_is_judged_but_a_category_covers_once() -> None:
    made = scene("final", THING, THING)
    found = match(made.vectors, np.array([0]), np.array([[1.0, 0]], np.float32))
    asked = questions(made, ["a cup"], [[0]], as_released=False)
    assert (len(found.scores), len(asked.attributes)) == (1, 2)


def test_ties_are_those_of_single_precision() -> None:
    """The second noun is 1.2e-8 further: nothing that such a cosine can show."""
    step = np.float32(2**-24)
    near = [np.float32(0.6) + step, np.float32(0.8) - step]
    vectors = np.array([[0.6, 0.8], [0.6, 0.8], near], np.float32)
    exact = vectors.astype(np.float64) @ vectors[0].astype(np.float64)
    assert exact[1] != exact[2]
    found = match(np.array([0]), np.array([1, 2]), vectors)
    assert found.nouns == ((0, 1),)


def test_a_near_tie_is_no_tie() -> None:
    vectors = np.array([[1, 0], [0.9999, 0.0141], [0.9998, 0.02]], np.float32)
    found = match(np.array([0]), np.array([1, 2]), vectors)
    assert found.nouns == ((0,),)


@pytest.mark.parametrize(
    ("reply", "strict_score", "compat_score", "times"),
    [
        ("4", 4, 4, 1),
        ("45", 0, 45, 2),
        ("-1", 0, 1, 2),
        ("none", 0, -1, 2),
        ("from 0 to 5: 4", 0, 0, 1),
    ],
)
def test_odd_replies_are_asked_again_by_the_strict_profile_only(
    reply: str, strict_score: int, compat_score: int, times: int
) -> None:
    asked = questions(scene(), ["a cup"], [[0]], as_released=False)
    for is_strict, score in ((True, strict_score), (False, compat_score)):
        judge = FixedJudge(reply)
        ratings, replies = rate([asked], judge, is_strict=is_strict)
        assert ratings[0].attributes == (score,)
        assert len(judge.asked) == (times if is_strict else 1)
        assert replies.retried == (times - 1 if is_strict else 0)
    assert judge.asked == [Question("attribute", "a cup", "plain")]


def row(*, is_abnormal: bool = True, outcome: str = "scored") -> Row:
    made = scene(is_abnormal=is_abnormal)
    return Row(
        scene=made,
        reading=Reading(outcome=outcome, text="two words"),  # type: ignore[arg-type]
        match=match(made.vectors, np.array([0]), np.array([[1.0, 0]], np.float32)),
        ratings=Ratings(attributes=(4, 1), relations=(), key_states=()),
    )


def test_a_scene_without_relations_or_key_states_has_zero_there() -> None:
    found = values(row())
    assert (found["s_att"], found["s_rel"], found["s_key"]) == (2.5, 0, 0)
    assert found["s_uni"] == pytest.approx(0.25 * 100 + 0.35 * 20 * 2.5)
    assert found["s_abn"] == pytest.approx(0.1 * found["s_uni"])
    assert found["words"] == 2
    assert set(values(row(outcome="zero")).values()) == {0.0}


def test_key_states_count_in_every_abnormal_scene_that_counts() -> None:
    def bases(made: Row, *, has_ordinary: bool) -> tuple[float, float, float]:
        found = applies(made, has_ordinary=has_ordinary, is_stepwise=False)
        return found["s_uni"], found["s_key"], found["s_abn"]

    assert bases(row(), has_ordinary=False) == (1, 1, 1), "even without one (Q26)"
    assert bases(row(), has_ordinary=True) == (0, 1, 1)
    assert bases(row(outcome="zero"), has_ordinary=False) == (1, 1, 1)
    assert bases(row(outcome="skipped"), has_ordinary=False) == (0, 0, 0)
    assert bases(row(outcome="error"), has_ordinary=False) == (0, 0, 0)
    assert bases(row(is_abnormal=False), has_ordinary=True) == (1, 0, 0)


@pytest.mark.parametrize("entry", [[1], {"a": 1}, 1, None, True])
def test_a_selection_of_what_is_no_id_is_refused(entry: object, tmp_path: Path) -> None:
    found = annotations(tmp_path, an_item("a", an_object("cup")))
    with pytest.raises(InvalidUpload, match="no instance"):
        select(found, [entry])  # type: ignore[list-item]


def test_a_file_is_abnormal_by_its_name_or_by_any_key_state(tmp_path: Path) -> None:
    def flags(name: str, *items: dict[str, object]) -> list[bool]:
        found = read_annotations(upload(tmp_path, name, list(items)))
        return [each.is_abnormal for each in found.scenes]

    plain, keyed = an_object("cup"), an_object("cup", key_state=None)
    assert flags("anno.json", an_item("a", plain), an_item("b", plain)) == [False] * 2
    assert flags("anno.json", an_item("a", plain), an_item("b", keyed)) == [True] * 2
    assert flags("anno_abn.json", an_item("a", plain)) == [True]


def test_a_blank_key_state_is_none(tmp_path: Path) -> None:
    objects = [an_object("cup", key_state=text) for text in (" ", "", None, 5, "wet")]
    found = annotations(tmp_path, an_item("a", *objects)).scenes[0]
    assert [each.key_state for each in found.objects] == [None] * 4 + ["wet"]


def test_lengths_change_at_a_hundred_and_two_hundred_actions() -> None:
    wanted = {0: "", 1: "short", 99: "short", 100: "medium", 199: "medium"}
    wanted |= {200: "long", 694: "long", 695: "long"}
    for actions, length in wanted.items():
        made = Scene(frame="a", name="final", actions=actions, objects=())
        assert made.length == length


@pytest.mark.parametrize(
    "value",
    [
        dict.fromkeys(map(str, range(50_001)), "x"),
        {"a": ["x"] * 1_001},
        {"a": "[" * 10_000, "b": [[]] * 500_001},
    ],
)
def test_what_no_honest_file_holds_is_refused(value: object, tmp_path: Path) -> None:
    with pytest.raises(InvalidUpload) as refused:
        predictions(tmp_path, value)
    assert refused.value.problems[0].code == "too_many"


@pytest.mark.parametrize(
    ("given", "is_stepwise"),
    [
        ({"a": ["x", "y"], "b": ["x", "y"], "c": "z"}, True),
        ({"a": ["x", "y"], "b": "z"}, False),  # as many texts as lists
        ({"a": ["x"], "b": ["y"]}, False),  # lists of one are texts
        ({"a": ["x", "y"], "b": "z", "c": "z"}, False),
    ],
)
def test_a_submission_is_stepwise_when_most_of_it_is(
    given: dict[str, object], is_stepwise: bool
) -> None:
    assert predictions_of(given).is_stepwise is is_stepwise


def test_a_list_of_one_describes_the_first_middle_scene_and_the_final_one() -> None:
    assert strict(["x"], "mid_1") == strict(["x"]) == "text: x"


def test_an_instance_must_not_stand_twice_in_a_file_even_unchanged(
    tmp_path: Path,
) -> None:
    item = an_item("a", an_object("cup"))
    with pytest.raises(InvalidUpload, match="repeats the start_frame"):
        annotations(tmp_path, item, item)
