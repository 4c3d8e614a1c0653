"""Both profiles against the released evaluator's own outputs (reference data)."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from evaluation.aggregate import summarise
from evaluation.explore import SUITE
from evaluation.explore.annotations import read_annotations
from evaluation.explore.compiling import compile_annotations, make_manifest
from evaluation.explore.predictions import read_predictions
from evaluation.explore.preparing import Models, Prepared, prepare
from evaluation.explore.scenes import Annotations, Compiled
from evaluation.explore.scoring import COMPAT, STRICT
from evaluation.explore.selection import select
from evaluation.judges import Judge
from evaluation.judges.lexical import LexicalJudge
from evaluation.judges.recorded import read_recording
from evaluation.reading import open_upload
from evaluation.tables import InstanceTable
from tests.evaluation.explore.building import score_all

NAMES = ("faithful", "partial", "verbose", "terse", "shuffled", "nasty")
TRACKS = {"standard": "anno.json", "abnormal": "anno_abnormal.json"}
SUBSETS = {
    "full": "overall",
    "short_seq": "length:short",
    "medium_seq": "length:medium",
    "long_seq": "length:long",
    "tiny": "set:tiny",
}
TOLERANCE = 1e-4

Expected = Mapping[str, object]


@pytest.fixture(scope="module")
def data(shared_data: Path) -> Path:
    return shared_data / "explore"


@pytest.fixture(scope="module")
def sets(data: Path, models: Models) -> dict[str, tuple[Annotations, Compiled]]:
    """Final scenes of both tracks; the ordinary one with its tiny subset."""
    found = {}
    for track, file in TRACKS.items():
        every = read_annotations(open_upload(data / file))
        found[track] = finals(every, models)
    return found


def finals(every: Annotations, models: Models) -> tuple[Annotations, Compiled]:
    ids = [scene.id for scene in every.scenes if scene.name == "final"]
    chosen = select(every, ids)
    return chosen, compile_annotations(chosen, models.encoder)


def close(found: float | None, expected: object) -> bool:
    return found is not None and abs(found - float(str(expected))) < TOLERANCE


def scored(
    data: Path,
    models: Models,
    of: tuple[Annotations, Compiled],
    name: str,
    judge: Judge,
    protocol: str,
) -> InstanceTable:
    given = read_predictions(
        open_upload(data / f"predictions/{name}.json"), make_manifest(of[0])
    )
    return score_all(models, of[1], given, judge=judge, protocol=protocol)


def prepared(
    data: Path, models: Models, of: tuple[Annotations, Compiled], name: str
) -> list[Prepared]:
    given = read_predictions(
        open_upload(data / f"predictions/{name}.json"), make_manifest(of[0])
    )
    return prepare(models, of[1], given, of[1].scenes, is_strict=False)


def instances(data: Path, name: str, track: str) -> list[dict[str, object]]:
    oracle = json.loads((data / f"oracle/{name}.json").read_text())
    whole = oracle if track == "standard" else oracle["abnormal"]
    return list(whole["instances"])


def recording(data: Path, name: str, track: str) -> Path:
    suffix = "" if track == "standard" else ".abnormal"
    return data / f"judge/{name}{suffix}.jsonl"


def cases() -> Iterator[tuple[str, str]]:
    for name in NAMES:
        for track in TRACKS:
            yield name, track


@pytest.mark.parametrize(("name", "track"), list(cases()))
def test_compat_asks_the_released_questions_in_the_released_order(
    name: str,
    track: str,
    data: Path,
    models: Models,
    sets: dict[str, tuple[Annotations, Compiled]],
) -> None:
    asked = [
        {"kind": q.kind, "sentence": q.sentence, "phrase": q.phrase}
        for each in prepared(data, models, sets[track], name)
        for q in each.questions.in_order
    ]

    lines = recording(data, name, track).read_text().splitlines()
    recorded = [json.loads(line) for line in lines]
    for call in recorded:
        del call["score"]
    assert asked == recorded


@pytest.mark.parametrize(("name", "track"), list(cases()))
def test_nouns_and_matches_are_the_released_ones(
    name: str,
    track: str,
    data: Path,
    models: Models,
    sets: dict[str, tuple[Annotations, Compiled]],
) -> None:
    for each, expected in zip(
        prepared(data, models, sets[track], name),
        instances(data, name, track),
        strict=True,
    ):
        assert each.reading.outcome == expected["outcome"]
        if expected["outcome"] != "scored":
            continue
        assert len(each.said.captions) == expected["n_sentences"]
        assert list(each.said.nouns) == expected["nouns"]
        assert list(each.said.places) == expected["noun_sentence"]
        for category, score, nouns in zip(
            each.scene.categories, each.match.scores, each.match.nouns, strict=True
        ):
            wanted = expected["objects"][category]  # type: ignore[index]
            assert list(nouns) == wanted["nouns"]
            assert abs(score - wanted["score"]) < 1e-6


@pytest.mark.parametrize(("name", "track"), list(cases()))
def test_compat_scores_are_the_released_ones(
    name: str,
    track: str,
    data: Path,
    models: Models,
    sets: dict[str, tuple[Annotations, Compiled]],
) -> None:
    judge = read_recording(recording(data, name, track))
    table = scored(data, models, sets[track], name, judge, COMPAT)

    for row, expected in enumerate(instances(data, name, track)):
        assert table.details["outcome"][row] == expected["outcome"]
        if expected["outcome"] != "scored":
            assert table.value("s_uni", row) is None
            continue
        assert table.details["attributes"][row] == expected["attribute_scores"]
        assert table.details["relations"][row] == expected["relation_scores"]
        assert close(table.value("s_obj", row), expected["object_coverage"])
        assert close(table.value("s_att", row), expected["attribute_score"])
        assert close(table.value("s_rel", row), expected["relation_score"])
        assert close(table.value("s_uni", row), expected["unified"])
        if track == "abnormal":
            assert table.details["key_states"][row] == expected["key_state_scores"]
            assert close(table.value("s_key", row), expected["key_state_score"])
            assert close(table.value("s_abn", row), expected["s_abn"])


@pytest.mark.parametrize("name", NAMES)
def test_compat_means_are_the_released_ones(
    name: str, data: Path, models: Models
) -> None:
    listed = read_annotations(open_upload(data))
    ids = [s.id for s in listed.scenes if s.name == "final" and not s.is_abnormal]
    ordinary = select(listed, ids)
    of = (ordinary, compile_annotations(ordinary, models.encoder))
    table = scored(
        data,
        models,
        of,
        name,
        read_recording(recording(data, name, "standard")),
        COMPAT,
    )
    summary = summarise(SUITE, table)

    oracle = json.loads((data / f"oracle/{name}.json").read_text())
    for theirs, ours in SUBSETS.items():
        wanted = oracle["aggregates"][theirs]
        assert summary.counts[ours]["s_uni"] == wanted["count"]
        assert close(summary.scores[ours]["s_uni"], wanted["Unified score"])
        assert close(summary.scores[ours]["s_obj"], wanted["object coverage"])
        assert close(summary.scores[ours]["s_att"], wanted["attribute score"])
        assert close(summary.scores[ours]["s_rel"], wanted["relation score"])
    counted = oracle["aggregates"]["full"]
    assert table.counters["instances_skipped"] == counted["skipped"]
    assert table.counters["instances_error"] == counted["error"]


@pytest.mark.parametrize(("name", "track"), list(cases()))
def test_strict_scores_are_the_reference_ones(
    name: str,
    track: str,
    data: Path,
    models: Models,
    sets: dict[str, tuple[Annotations, Compiled]],
) -> None:
    table = scored(data, models, sets[track], name, LexicalJudge(), STRICT)

    oracle = json.loads((data / f"oracle/strict/{name}.json").read_text())[track]
    assert table.counters["judge_questions"] == oracle["judge_calls"]["calls"]
    for row, expected in enumerate(oracle["instances"]):
        assert close(table.value("s_obj", row), expected["object_coverage"])
        assert close(table.value("s_att", row), expected["attribute_score"])
        assert close(table.value("s_rel", row), expected["relation_score"])
        assert close(table.value("s_uni", row), expected["unified"])
    scores = summarise(SUITE, table).scores
    if track == "abnormal":
        means = oracle["aggregates"]
        assert close(scores["overall"]["s_key"], means["key_state score"])
        assert close(scores["overall"]["s_abn"], means["S_abn"])
        assert close(scores["overall"]["s_uni"], means["Unified score"])
    else:
        for theirs in ("full", "short_seq", "medium_seq", "long_seq"):
            wanted = oracle["aggregates"][theirs]["Unified score"]
            assert close(scores[SUBSETS[theirs]]["s_uni"], wanted)


def test_compat_abnormal_means_are_the_released_ones(
    data: Path, models: Models, sets: dict[str, tuple[Annotations, Compiled]]
) -> None:
    for name in NAMES:
        judge = read_recording(recording(data, name, "abnormal"))
        table = scored(data, models, sets["abnormal"], name, judge, COMPAT)
        overall = summarise(SUITE, table).scores["overall"]

        oracle = json.loads((data / f"oracle/{name}.json").read_text())
        wanted = oracle["abnormal"]["aggregates"]
        assert close(overall["s_uni"], wanted["Unified score"])
        assert close(overall["s_key"], wanted["key_state score"])
        assert close(overall["s_abn"], wanted["S_abn"])


@pytest.mark.parametrize(
    ("protocol", "file", "place"),
    [
        (COMPAT, "oracle/multi_step_3seg.json", "aggregates"),
        (STRICT, "oracle/strict/multi_step_3seg.json", "standard"),
    ],
)
def test_a_list_is_scored_by_its_last_element(
    protocol: str,
    file: str,
    place: str,
    data: Path,
    models: Models,
    sets: dict[str, tuple[Annotations, Compiled]],
) -> None:
    table = scored(
        data, models, sets["standard"], "multi_step_3seg", LexicalJudge(), protocol
    )

    oracle = json.loads((data / file).read_text())
    means = oracle[place] if place == "aggregates" else oracle[place]["aggregates"]
    scores = summarise(SUITE, table).scores
    for theirs in ("full", "short_seq", "medium_seq", "long_seq"):
        wanted = means[theirs]["Unified score"]
        assert close(scores[SUBSETS[theirs]]["s_uni"], wanted)


@pytest.mark.parametrize("scene", ["mid_1", "mid_2"])
def test_a_text_describes_the_only_scene_of_a_set(
    scene: str, data: Path, models: Models
) -> None:
    every = read_annotations(open_upload(data / "anno.json"))
    chosen = select(every, [s.id for s in every.scenes if s.name == scene])
    of = (chosen, compile_annotations(chosen, models.encoder))
    name = f"multi_step_3seg.{scene}"
    table = scored(data, models, of, name, LexicalJudge(), COMPAT)

    oracle = json.loads((data / f"oracle/{name}.json").read_text())
    for row, expected in enumerate(oracle["instances"]):
        assert table.ids[row] == f"{expected['start_frame']}#{scene}"
        assert table.details["relations"][row] == expected["relation_scores"]
        assert close(table.value("s_uni", row), expected["unified"])
    wanted = oracle["aggregates"]["full"]["Unified score"]
    assert close(summarise(SUITE, table).scores["overall"]["s_uni"], wanted)


def test_three_scenes_weigh_as_the_released_formula_says(
    data: Path, models: Models
) -> None:
    """Coverage and attributes; relations differ by the profile's own rule."""
    every = read_annotations(open_upload(data / "anno.json"))
    of = (every, compile_annotations(every, models.encoder))
    table = scored(data, models, of, "multi_step_3seg", LexicalJudge(), STRICT)
    scores = summarise(SUITE, table).scores

    oracle = json.loads((data / "oracle/multi_scene.json").read_text())["summary"]
    weights, weighted = oracle["final_weighted"]["weights"], oracle["final_weighted"]
    for ours, theirs in (("s_obj", "object coverage"), ("s_att", "attribute score")):
        for scene, wanted in oracle["scenes"].items():
            assert close(scores[f"scene:{scene}"][ours], wanted[theirs])
        mixed = sum((scores[f"scene:{s}"][ours] or 0) * w for s, w in weights.items())
        assert close(mixed, weighted[theirs])
    unified = sum((scores[f"scene:{s}"]["s_uni"] or 0) * w for s, w in weights.items())
    assert close(scores["overall"]["s_uni_multi"], unified)
    assert close(scores["overall"]["s_uni"], scores["scene:final"]["s_uni"])
