"""EXPLORE-Bench by a judge on a server, which is down, comes up, and dies half way."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.endtoend import asking
from tests.endtoend.api import Caller
from tests.endtoend.site import Site, free_port, until
from tests.evaluation.judges.chat_server import MODEL, ChatServer, running

PHASE = "explore/judged"
SCENES = 48  # three shards
MAKE_PHASE = """
import sys
from django.utils import timezone
from leaderboard import judges
from leaderboard.models import Phase, Track
profile = judges.create(slug="tiny", title="Tiny judge", spec={spec!r})
Phase.objects.create(
    track=Track.objects.get(slug="explore"), slug="judged", title="Judged",
    opens_at=timezone.now(), protocol="explore/1", judge_profile=profile,
)
print(profile.judge_id)
"""
FINAL = ("start_frame", "atomic_actions", "end_frame_info")
FLAKY = {"429": 0.02, "500": 0.02, "half": 0.01, "garbage": 0.01}


@dataclass(frozen=True, kw_only=True)
class Judged:
    """A phase with a judge on a server that is not running."""

    port: int
    judge_id: str
    test_set: asking.TestSet
    predictions: Path


@pytest.fixture(scope="module")
def predictions(
    shared_data: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Path]:
    folder, data = tmp_path_factory.mktemp("judged"), shared_data / "explore"
    items = [
        {key: item[key] for key in FINAL}
        for item in asking.read_lists(data)["anno"][:SCENES]
    ]
    frames = [str(item["start_frame"]) for item in items]
    found = {"test set": asking.pack({"anno": items}, folder / "annotations.zip")}
    for name in ("faithful", "partial"):
        said = json.loads((data / "predictions" / f"{name}.json").read_bytes())
        found[name] = folder / f"{name}.json"
        found[name].write_text(json.dumps({frame: said[frame] for frame in frames}))
    return found


@pytest.fixture(scope="module")
def judged(site: Site, predictions: dict[str, Path]) -> Judged:
    """The baselines need the judge too, so it is up while the test set is checked."""
    port = free_port()
    spec = f"openai:{MODEL}@http://127.0.0.1:{port}/v1"
    code = MAKE_PHASE.format(spec=spec)
    told = site.manage("shell", "--no-imports", "-c", code)
    path = predictions["test set"]
    with running(ChatServer(), port):
        imported = site.manage(
            *("import_testset", "--track", "explore", "--phase", "judged"),
            *(path, "--activate"),
        )
    assert f"active, {SCENES} instances" in imported
    return Judged(
        port=port,
        judge_id=told.strip().splitlines()[-1],
        test_set=asking.read(path),
        predictions=predictions["faithful"],
    )


def shards(site: Site, submission: str) -> list[tuple[object, ...]]:
    query = (
        "select shard.status, shard.failures, shard.last_error, evaluation.status "
        "from leaderboard_shard shard join leaderboard_evaluation evaluation "
        "on evaluation.id = shard.evaluation_id where submission_id = %s"
    )
    return site.ask(query, submission)


def parked(site: Site, submission: str) -> int:
    """How many shards have been put back because of the judge, at least once."""
    reasons = [str(why) for _, _, why, _ in shards(site, submission)]
    return sum(why.startswith("judge: ") for why in reasons)


def assert_nothing_failed(site: Site, submission: str) -> None:
    found = shards(site, submission)
    assert not any(failures for _, failures, _, _ in found), found


def assert_equals_the_library(
    anonymous: Caller, judged: Judged, method: str, path: Path
) -> None:
    """The server answers as the lexical judge does."""
    summary = judged.test_set.summary(path)
    found = anonymous.numbers(PHASE, "overall", method)
    assert found == pytest.approx(summary.scores["overall"], abs=1e-9)


def test_a_submission_waits_for_a_judge_that_is_down(
    site: Site, caller: Caller, anonymous: Caller, judged: Judged
) -> None:
    answer = caller.submit(PHASE, judged.predictions, "Patient")
    submission = answer.body["id"]
    assert until(lambda: parked(site, submission)), shards(site, submission)
    # A worker that has never heard of the server asks it just one thing, so there are
    # few failures to count; it too must give up before its time limit ends it.
    assert until(lambda: "has not answered for" in site.log.read_text())
    assert_nothing_failed(site, submission)
    page = caller.curl(answer.headers["location"]).body
    assert page["status"] == "accepted"
    assert not page["is_final"]

    server = ChatServer(failures=FLAKY)
    with running(server, judged.port):
        final = caller.follow(answer.headers["location"])
    assert final["evaluation"]["status"] == "scored"
    assert set(FLAKY) <= set(server.seen)
    assert_equals_the_library(anonymous, judged, "Patient", judged.predictions)


def test_a_judge_that_dies_half_way_loses_no_answer(
    site: Site,
    caller: Caller,
    anonymous: Caller,
    judged: Judged,
    predictions: dict[str, Path],
) -> None:
    known = "judge_id = %s"
    before = site.count("judgeanswer", known, judged.judge_id)
    path = predictions["partial"]
    new = judged.test_set.questions(judged.judge_id, judged.test_set.of_file(path))
    dying = ChatServer(dies_after=len(new) * 2 // 3)
    with running(dying, judged.port):
        answer = caller.submit(PHASE, path, "Interrupted")
        submission = answer.body["id"]
        assert until(lambda: parked(site, submission)), shards(site, submission)
    kept = site.count("judgeanswer", known, judged.judge_id) - before
    assert 0 < kept <= dying.seen["answered"]
    assert_nothing_failed(site, submission)

    server = ChatServer()
    with running(server, judged.port):
        final = caller.follow(answer.headers["location"])
    assert final["evaluation"]["status"] == "scored"
    assert server.seen["answered"] <= len(new) - kept
    assert_equals_the_library(anonymous, judged, "Interrupted", path)
