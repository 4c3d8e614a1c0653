"""What is shipped: the suite's declaration, its samples and the published rows."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import evaluation
from evaluation.aggregate import summarise
from evaluation.checksums import ModelFilesChanged, ModelMissing, combined, verify
from evaluation.explore import SUITE
from evaluation.explore.preparing import Models
from evaluation.nouns import installed_parsers, load_nouns
from evaluation.reading import open_upload
from tests.evaluation.explore.building import compiled_of, score_all

ROOT = Path(evaluation.__file__).parent
SAMPLES = ROOT / "samples" / "explore"
SETS = {
    "testset.json": ("careful", "brief", "forgetful", "stepwise"),
    "testset_abnormal.json": ("abnormal_attentive", "abnormal_careless"),
}


def test_importing_the_suite_and_the_judges_loads_no_model() -> None:
    code = (
        "import sys, evaluation.explore, evaluation.judges.spec, evaluation.agreement\n"
        "heavy = {'torch', 'spacy', 'transformers', 'sentence_transformers'}\n"
        "sys.exit(', '.join(heavy & set(sys.modules)) or 0)"
    )

    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT.parent,
    )

    assert done.returncode == 0, done.stderr


def test_metric_and_error_keys_are_the_documented_ones() -> None:
    assert SUITE.metric(SUITE.headline).key == "s_uni"
    assert [m.key for m in SUITE.metrics if not m.is_information] == [
        "s_uni",
        "s_obj",
        "s_att",
        "s_rel",
        "s_abn",
        "s_key",
    ]
    assert [e.key for e in SUITE.errors] == [
        "object_missed",
        "attribute_wrong",
        "relation_wrong",
        "key_state_wrong",
        "right",
    ]
    assert {m.key for m in SUITE.metrics if m.high == 5} == {"s_att", "s_rel", "s_key"}


@pytest.mark.parametrize("name", SETS)
def test_sample_test_sets_have_no_fault(name: str) -> None:
    assert SUITE.lint(SUITE.read_annotations(open_upload(SAMPLES / name))) == []


def test_samples_cover_all_lengths_and_both_kinds_of_abnormality() -> None:
    ordinary = SUITE.read_annotations(open_upload(SAMPLES / "testset.json")).scenes
    abnormal = SUITE.read_annotations(
        open_upload(SAMPLES / "testset_abnormal.json")
    ).scenes

    lengths = Counter(s.length for s in ordinary if s.name == "final")
    assert lengths == {"short": 12, "medium": 8, "long": 4}
    assert Counter(s.kind for s in abnormal) == {
        "environmental_damage": 3,
        "safety_hazard": 3,
    }


def test_sample_submissions_rank_as_their_names_say(models: Models) -> None:
    scores = {}
    for name, submissions in SETS.items():
        found = SUITE.read_annotations(open_upload(SAMPLES / name))
        compiled = compiled_of(models, found)
        for submission in submissions:
            path = SAMPLES / f"{submission}.json"
            given = SUITE.read_predictions(
                open_upload(path), SUITE.make_manifest(found)
            )
            assert given.notices == ()
            table = score_all(models, compiled, given)
            scores[submission] = summarise(SUITE, table).scores["overall"]
    uni = {name: score["s_uni"] or 0 for name, score in scores.items()}

    assert uni["careful"] > uni["stepwise"] > uni["forgetful"] > uni["brief"] > 40
    assert scores["stepwise"]["s_uni_multi"] is not None
    attentive, careless = scores["abnormal_attentive"], scores["abnormal_careless"]
    assert (attentive["s_abn"] or 0) > 90 > 30 > (careless["s_abn"] or 0) > 0


def test_every_listed_sample_exists() -> None:
    for track in json.loads((SAMPLES / "tracks.json").read_text()):
        assert (SAMPLES / track["test_set"]).is_file()
        for sample in json.loads((SAMPLES / track["samples"]).read_text()):
            assert sample.keys() == {"file", "method", "description"}
            assert (SAMPLES / sample["file"]).is_file()


def test_published_rows_add_up() -> None:
    """S_uni and S_abn of every row follow from its parts, up to their rounding."""
    published = json.loads((ROOT / "published" / "explore.json").read_text())
    sources = {source["id"] for source in published["sources"]}
    tracks = Counter(row["track"] for row in published["rows"])

    assert tracks == {"explore": 33, "explore-abnormal": 8}
    for row in published["rows"]:
        assert row["source"] in sources
        for score in row["scores"].values():
            unified = 0.25 * score["s_obj"] + 7 * score["s_att"] + 8 * score["s_rel"]
            assert unified == pytest.approx(score["s_uni"], abs=0.09)
            if "s_abn" in score:
                abnormal = 0.1 * score["s_uni"] + 18 * score["s_key"]
                assert abnormal == pytest.approx(score["s_abn"], abs=0.1)


def test_a_changed_model_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "model").write_bytes(b"other weights")

    with pytest.raises(ModelFilesChanged, match="expected 00; reinstall"):
        verify(tmp_path, {"model": "00"})
    with pytest.raises(ModelFilesChanged, match="is missing"):
        verify(tmp_path, {"absent": "00"})


def test_the_combined_hash_depends_on_names_and_contents(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"1")
    (tmp_path / "b").write_bytes(b"1")

    assert len({combined(tmp_path, names) for names in (["a"], ["b"], ["a", "b"])}) == 3
    assert combined(tmp_path, ["a", "absent"]) == combined(tmp_path, ["a"])


def test_a_parser_that_is_not_there_is_named() -> None:
    assert "no_such_parser" not in installed_parsers()
    with pytest.raises(ModelMissing, match="no_such_parser is not installed"):
        load_nouns("no_such_parser")
