"""What a worker process keeps between tasks: compiled test sets, parsed files."""

from functools import lru_cache, partial

from evaluation import SUITES, artifacts
from evaluation.admission import admit
from evaluation.judges import Judge
from evaluation.reading import Limits, open_upload
from evaluation.suite import Answers, AnySuite, Resources
from leaderboard import files, judges, sealing, testsets
from leaderboard.models import JudgeProfile, Submission, TestSetVersion
from workers.holding import patiently


def suite_of(test_set: TestSetVersion) -> AnySuite:
    return SUITES[test_set.phase.track.suite]


def warm_up(threads: int) -> None:
    """Load what suites need beside their test sets."""
    for suite in SUITES.values():
        if suite.warm_up is not None:
            suite.warm_up(threads)


def means(*, protocol: str, judge: str, parser: str) -> Resources:
    """What to score with. For an evaluation these are its own protocol and judge, under
    which its numbers are filed, whatever its phase says by now."""
    return Resources(
        protocol=protocol,
        judge=_judge(judge) if judge else None,
        parser=parser or None,
    )


def compiled(test_set: TestSetVersion) -> object:
    """The unsealed, compiled test set, kept by content address."""
    return _compiled(test_set.phase.track.suite, test_set.sealed_artifact)


def answers(submission: Submission, test_set: TestSetVersion) -> Answers:
    """The parsed predictions; shards of one submission share them."""
    return _answers(
        test_set.phase.track.suite,
        test_set.manifest_file,
        submission.file_key,
        submission.file_name,
    )


@lru_cache(maxsize=4)
def _judge(judge_id: str) -> Judge:
    profile = patiently(partial(JudgeProfile.objects.get, judge_id=judge_id))
    return judges.judge_of(profile)


@lru_cache(maxsize=4)
def _compiled(suite_slug: str, sealed_artifact: str) -> object:
    data = sealing.unseal(files.read(sealed_artifact))
    kind: type[object] = SUITES[suite_slug].compiled_type
    return artifacts.unpack(data, kind)


@lru_cache(maxsize=2)
def _answers(suite_slug: str, manifest: str, file_key: str, file_name: str) -> Answers:
    suite = SUITES[suite_slug]
    public = testsets.manifest(manifest, suite.manifest_type)
    with files.local(file_key) as path:
        limits = Limits(unpacked_mib=suite.upload_mib)
        return admit(suite, open_upload(path, file_name, limits), public)
