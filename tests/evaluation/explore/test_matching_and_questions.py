"""Mutual maxima and the questions that follow, without any model."""

from collections.abc import Sequence

import numpy as np
import pytest

from evaluation.explore import questions as asking
from evaluation.explore.matching import Match, match, unmatched
from evaluation.explore.questions import questions
from evaluation.explore.scenes import CompiledObject, CompiledScene
from evaluation.judges import Question


def matched(
    vectors: Sequence[Sequence[float]], categories: list[int], nouns: list[int]
) -> Match:
    return match(
        np.array(categories, np.int64),
        np.array(nouns, np.int64),
        np.array(vectors, np.float32),
    )


def test_a_cell_matches_when_it_leads_its_row_and_its_column() -> None:
    vectors = [[1, 0], [0.8, 0.6], [1, 0], [0, 1]]

    found = matched(vectors, categories=[0, 1], nouns=[2, 3])

    # The second category's best noun is the first one, which another category leads.
    assert found.scores == (1.0, 0.0)
    assert found.nouns == ((0,), ())
    assert found.coverage == 0.5


def test_repeated_nouns_all_match() -> None:
    vectors = [[1, 0], [0.6, 0.8], [0, 1]]

    found = matched(vectors, categories=[0], nouns=[1, 2, 1, 1])

    assert found.nouns == ((0, 2, 3),)
    assert found.scores == (pytest.approx(0.6),)


def test_categories_of_one_input_tie() -> None:
    found = matched([[1, 0], [0.6, 0.8]], categories=[0, 0], nouns=[1])

    assert found.nouns == ((0,), (0,))


def test_a_negative_maximum_counts_as_it_is() -> None:
    found = matched([[1, 0], [-0.6, 0.8]], categories=[0], nouns=[1])

    assert found.coverage == pytest.approx(-0.6)


def test_no_noun_matches_nothing() -> None:
    assert unmatched(2) == Match(scores=(0.0, 0.0), nouns=((), ()))


def an_object(
    category: int,
    *relations: str,
    related: tuple[tuple[int, ...], ...] = (),
    **more: str,
) -> CompiledObject:
    return CompiledObject(
        category=category,
        description=f"d{category}",
        relations=relations,
        related=related or ((),) * len(relations),
        **more,  # type: ignore[arg-type]
    )


def a_scene(*objects: CompiledObject, is_abnormal: bool = False) -> CompiledScene:
    return CompiledScene(
        id="a",
        frame="a",
        name="final",
        length="short",
        kind="",
        is_abnormal=is_abnormal,
        is_tiny=False,
        is_self_recorded=False,
        categories=("x", "y", "z"),
        vectors=np.zeros(3, np.int64),
        objects=objects,
    )


CAPTIONS = ["one", "two", "three"]


def sentences(asked: Sequence[Question | None]) -> list[str | None]:
    return [question and question.sentence for question in asked]


def test_attribute_sentences_repeat_relation_sentences_do_not() -> None:
    scene = a_scene(an_object(0, "r"))

    asked = questions(scene, CAPTIONS, [[1, 1, 2], [], []], as_released=False)

    assert sentences(asked.attributes) == ["two. two. three"]
    assert sentences(asked.relations) == ["two. three"]


def test_an_unmatched_object_is_not_asked_about() -> None:
    scene = a_scene(an_object(0, "r"), an_object(1))

    asked = questions(scene, CAPTIONS, [[], [0], []], as_released=False)

    assert sentences(asked.attributes) == [None, "one"]
    assert sentences(asked.relations) == [None]
    assert [q.phrase for q in asked.in_order] == ["d1"]


def test_relations_start_anew_unless_released() -> None:
    scene = a_scene(
        an_object(0, "r1", "r2", related=((1,), ())), an_object(1), an_object(2, "r3")
    )
    mentions = [[0], [1], [2]]

    strict = questions(scene, CAPTIONS, mentions, as_released=False)
    released = questions(scene, CAPTIONS, mentions, as_released=True)

    assert sentences(strict.relations) == ["one. two", "one", "three"]
    # r2 keeps what r1 named; the object without relations shifts r3 to an empty one.
    assert sentences(released.relations) == ["one. two", "one. two", None]


def test_key_states_are_asked_of_abnormal_scenes_only() -> None:
    scene = an_object(0, key_state="broken"), an_object(1)

    abnormal = questions(
        a_scene(*scene, is_abnormal=True),
        CAPTIONS,
        [[0, 0], [1], []],
        as_released=False,
    )
    ordinary = questions(a_scene(*scene), CAPTIONS, [[0], [1], []], as_released=False)

    assert abnormal.key_states == (Question("key_state", "one. one", "broken"),)
    assert ordinary.key_states == ()


def test_sentences_beyond_all_reason_are_not_built(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(asking, "MAX_SENTENCE", 8)

    asked = questions(
        a_scene(an_object(0)), CAPTIONS, [[0, 0, 1], [], []], as_released=False
    )

    assert asked.attributes == (None,)
