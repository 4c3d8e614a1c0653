"""EXPLORE-Bench: scored by a judge that is never asked the same thing twice."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from evaluation.judges.lexical import LexicalJudge
from tests.endtoend import asking
from tests.endtoend.api import Caller
from tests.endtoend.site import Site, until

PHASE = "explore/test"
JUDGE = LexicalJudge.judge_id
MARKER = "zygomarine"  # stands in no word list, only in hidden annotations
SUBSETS = {
    "full": "overall",
    "short_seq": "length:short",
    "medium_seq": "length:medium",
    "long_seq": "length:long",
    "tiny": "set:tiny",
}
METRICS = {
    "s_uni": "Unified score",
    "s_obj": "object coverage",
    "s_att": "attribute score",
    "s_rel": "relation score",
}
TOLERANCE = 1e-4


@dataclass(frozen=True, kw_only=True)
class Files:
    first: Path  # versions of the test set
    second: Path
    faithful: Path  # predictions
    stepwise: Path
    edited: Path


@pytest.fixture(scope="module")
def files(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Files:
    folder, data = tmp_path_factory.mktemp("explore"), shared_data / "explore"
    lists = asking.read_lists(data)
    frames = [str(item["start_frame"]) for item in lists["anno"]]
    faithful = data / "predictions" / "faithful.json"
    edited = folder / "edited.json"
    said = json.loads(faithful.read_bytes())
    said[frames[7]] = "A purple elephant stands on a wooden table beside a lamp."
    edited.write_text(json.dumps(said))
    second = asking.changed(lists, frames[::25], MARKER)
    return Files(
        first=asking.pack(lists, folder / "annotations.zip"),
        second=asking.pack(second, folder / "annotations2.zip"),
        faithful=faithful,
        stepwise=data / "predictions" / "multi_step_3seg.json",
        edited=edited,
    )


@pytest.fixture(scope="module")
def first(files: Files) -> asking.TestSet:
    return asking.read(files.first)


@pytest.fixture(scope="module")
def second(files: Files) -> asking.TestSet:
    return asking.read(files.second)


def import_test_set(site: Site, path: Path) -> str:
    track, _, phase = PHASE.partition("/")
    return site.manage(
        *("import_testset", "--track", track, "--phase", phase),
        *(path, "--activate"),
    )


def answered(site: Site) -> set[str]:
    """Keys of all questions that the judge has answered."""
    query = "select key from leaderboard_judgeanswer where judge_id = %s"
    return {str(key) for (key,) in site.ask(query, JUDGE)}


def counters(site: Site, submission: str) -> Mapping[str, int]:
    query = "select counters from leaderboard_evaluation where submission_id = %s"
    ((found,),) = site.ask(query, submission)
    return found  # type: ignore[return-value]


def oracle(shared_data: Path, name: str) -> dict:
    path = shared_data / "explore" / "oracle" / "strict" / f"{name}.json"
    return json.loads(path.read_bytes())


def assert_standard_scenes(anonymous: Caller, method: str, reference: dict) -> None:
    for theirs, subset in SUBSETS.items():
        found = anonymous.numbers(PHASE, subset, method)
        for metric, name in METRICS.items():
            wanted = reference["standard"]["aggregates"][theirs][name]
            assert found[metric] == pytest.approx(wanted, abs=TOLERANCE, rel=0)


def test_the_board_has_the_reference_s_numbers_and_no_question_is_asked_twice(
    site: Site,
    caller: Caller,
    anonymous: Caller,
    files: Files,
    first: asking.TestSet,
    shared_data: Path,
) -> None:
    before = answered(site)
    told = import_test_set(site, files.first)
    assert (
        "active, 156 instances" in told
    )  # 120 ordinary with middle scenes, 12 abnormal
    caller.scored(PHASE, files.faithful, "Faithful")
    caller.scored(PHASE, files.stepwise, "Stepwise")

    reference = oracle(shared_data, "faithful")
    assert_standard_scenes(anonymous, "Faithful", reference)
    found = anonymous.numbers(PHASE, "overall", "Faithful")
    abnormal = reference["abnormal"]["aggregates"]
    assert found["s_key"] == pytest.approx(abnormal["key_state score"], abs=TOLERANCE)
    assert found["s_abn"] == pytest.approx(abnormal["S_abn"], abs=TOLERANCE)
    assert_standard_scenes(
        anonymous, "Stepwise", oracle(shared_data, "multi_step_3seg")
    )

    needed = first.all_questions(JUDGE, [files.faithful, files.stepwise])
    assert len(needed) > 5000
    assert answered(site) == before | needed


def test_a_resubmission_asks_only_what_changed(
    site: Site, caller: Caller, files: Files, first: asking.TestSet
) -> None:
    before = answered(site)
    final = caller.scored(PHASE, files.edited, "Faithful, one description edited")

    asked = first.questions(JUDGE, first.of_file(files.edited))
    new = asked - before
    assert 0 < len(new) < 100
    assert answered(site) - before == new
    counted = counters(site, final["id"])
    assert counted["judge_asked"] == len(new)
    assert counted["judge_questions"] >= len(asked) > 4000


def test_a_new_version_scores_everything_again_and_asks_only_what_is_new(
    site: Site, anonymous: Caller, files: Files, second: asking.TestSet
) -> None:
    before = answered(site)
    told = import_test_set(site, files.second)
    assert "test set 2: active, 156 instances" in told

    scored = (
        "test_set_id in (select id from leaderboard_testsetversion where number = 2)"
    )
    wanted = {
        "Faithful": files.faithful,
        "Stepwise": files.stepwise,
        "Faithful, one description edited": files.edited,
    }
    assert set(anonymous.board(PHASE)) == set(wanted)  # as it was, until all is scored
    done = f"{scored} and status = 'scored'"
    assert until(lambda: site.count("evaluation", done) == len(wanted))
    assert set(anonymous.board(PHASE)) == set(wanted)

    needed = second.all_questions(JUDGE, wanted.values())
    assert answered(site) == before | needed
    assert 0 < len(needed - before) < 100
    for method, path in wanted.items():
        summary = second.summary(path)
        for subset in ("overall", "length:short", "set:tiny"):
            found = anonymous.numbers(PHASE, subset, method)
            assert found == pytest.approx(summary.scores[subset], nan_ok=True)
