"""Plain builder functions with honest defaults: what they make could really exist.

Each makes what it needs and is not given. Numbers of scored submissions come out of
the real aggregation, from an instance table of made-up instances.
"""

import itertools
from datetime import timedelta

import numpy as np
from django.contrib.auth.models import User
from django.utils import timezone

from evaluation import SUITES, tables
from evaluation.suite import AnySuite, Family
from evaluation.tables import InstanceTable
from leaderboard import files, publishing, teams
from leaderboard.models import (
    Baseline,
    Evaluation,
    JudgeProfile,
    Membership,
    Phase,
    PublishedResult,
    Shard,
    Submission,
    Team,
    TestSetVersion,
    Track,
)
from leaderboard.publishing import numbers_of

SUITE = "svcbench"
INSTANCES = 12
PASSWORD = "a long pass phrase"
_number = itertools.count(1)


def make_user(username: str = "", *, is_staff: bool = False) -> User:
    """A user who can sign in with PASSWORD."""
    name = username or f"user{next(_number)}"
    return User.objects.create_user(
        name, f"{name}@example.org", PASSWORD, is_staff=is_staff
    )


def make_team(*members: User, name: str = "") -> Team:
    """A team with these members."""
    team = Team.objects.create(name=name or f"Team {next(_number)}")
    for user in members:
        Membership.objects.create(team=team, user=user)
    return team


def make_track(slug: str = "", *, suite: str = SUITE, **fields: object) -> Track:
    slug = slug or f"{suite}-{next(_number)}"
    return Track.objects.create(
        **{
            "slug": slug,
            "suite": suite,
            "title": slug.capitalize(),
            "summary": SUITES[suite].summary,
            **fields,
        }
    )


def make_phase(track: Track | None = None, **fields: object) -> Phase:
    """A phase that is open and has no test set yet."""
    track = track or make_track()
    return Phase.objects.create(
        **{
            "track": track,
            "slug": "test",
            "title": "Test",
            "opens_at": timezone.now() - timedelta(days=30),
            "protocol": SUITES[track.suite].protocols[0],
            **fields,
        }
    )


def make_test_set(
    phase: Phase | None = None,
    *,
    manifest: bytes = b"{}",
    instance_count: int = INSTANCES,
    **fields: object,
) -> TestSetVersion:
    """The phase's active test set. Give the manifest where files are to be read."""
    phase = phase or make_phase()
    number = phase.test_sets.count() + 1
    stored = files.store_bytes(manifest, "manifests")
    return TestSetVersion.objects.create(
        **{
            "phase": phase,
            "number": number,
            "status": TestSetVersion.Status.ACTIVE,
            "runnable_at": timezone.now(),
            "activated_at": timezone.now(),
            "file_name": "annotations.jsonl",
            "sealed_file": f"sealed/00/{number}",
            "sealed_artifact": f"sealed/01/{number}",
            "manifest_file": stored.key,
            "address": f"{number:064x}",
            "instance_count": instance_count,
            **fields,
        }
    )


def make_submission(
    phase: Phase | None = None, *, user: User | None = None, **fields: object
) -> Submission:
    """A submission that waits to be checked; its file exists."""
    phase = phase or make_test_set().phase
    user = user or make_user()
    number = next(_number)
    stored = files.store_bytes(f"predictions {number}\n".encode(), "uploads")
    return Submission.objects.create(
        **{
            "phase": phase,
            "team": fields.pop("team", None) or teams.personal_team(user),
            "created_by": user,
            "runnable_at": timezone.now(),
            "method": f"Method {number}",
            "file_name": "predictions.jsonl",
            "file_key": stored.key,
            "file_sha256": stored.sha256,
            "file_size": stored.size,
            **fields,
        }
    )


def make_accepted(phase: Phase | None = None, **fields: object) -> Submission:
    """A submission whose file was sound and answers everything."""
    coverage = {"expected": INSTANCES, "answered": INSTANCES, "missing": 0}
    return make_submission(
        phase,
        **{
            "status": Submission.Status.ACCEPTED,
            "checked_at": timezone.now(),
            "coverage": {**coverage, "invalid": 0, "unknown": 0, "duplicate": 0},
            **fields,
        },
    )


def make_evaluation(
    submission: Submission | None = None, *, shards: int = 3, **fields: object
) -> Evaluation:
    """An evaluation in the queue, cut into shards that wait."""
    submission = submission or make_accepted()
    test_set = fields.pop("test_set", None) or submission.phase.test_sets.get(
        status=TestSetVersion.Status.ACTIVE
    )
    now = timezone.now()
    evaluation = Evaluation.objects.create(
        **{
            "submission": submission,
            "test_set": test_set,
            "protocol": submission.phase.protocol,
            "judge": submission.phase.judge,
            "queued_at": now,
            **fields,
        }
    )
    Shard.objects.bulk_create(
        Shard(
            evaluation=evaluation,
            number=i,
            start=i * 4,
            stop=i * 4 + 4,
            runnable_at=now,
        )
        for i in range(shards)
    )
    return evaluation


def make_scored(
    phase: Phase | None = None,
    *,
    skill: float = 0.5,
    table: InstanceTable | None = None,
    test_set: TestSetVersion | None = None,
    **fields: object,
) -> Evaluation:
    """A scored submission on the board: about `skill` (0 to 1) of it is right."""
    submission = make_accepted(
        phase or (test_set.phase if test_set else None), **fields
    )
    suite = SUITES[submission.phase.track.suite]
    evaluation = make_evaluation(submission, shards=0, test_set=test_set)
    if table is None:
        table = make_table(suite, skill=skill)
    now = timezone.now()
    Shard.objects.create(
        evaluation=evaluation,
        number=0,
        start=0,
        stop=len(table),
        runnable_at=now,
        status=Shard.Status.DONE,
        rows=tables.pack(table),
        finished_at=now,
    )
    evaluation.started_at = now
    evaluation.save(update_fields=["started_at"])
    publishing.publish(evaluation)
    return evaluation


def make_baseline(test_set: TestSetVersion, *, skill: float = 0.1) -> Baseline:
    suite = SUITES[test_set.phase.track.suite]
    numbers, summary = numbers_of(suite, make_table(suite, skill=skill), "baseline")
    number = next(_number)
    return Baseline.objects.create(
        test_set=test_set,
        key=f"constant-{number}",
        label=f"Always {number}",
        meaning=f"Answers {number} to everything.",
        scores=numbers,
        errors=summary.errors,
    )


def make_published(
    track: Track, value: float = 40.0, **fields: object
) -> PublishedResult:
    """A paper's row, with the headline metric overall."""
    headline = track.headline or SUITES[track.suite].headline
    number = next(_number)
    return PublishedResult.objects.create(
        **{
            "track": track,
            "method": f"Paper model {number}",
            "source": f"Paper {number}, table 2",
            "source_url": f"https://example.org/papers/{number}",
            "scores": {"overall": {headline: value}},
            **fields,
        }
    )


def make_judge(**fields: object) -> JudgeProfile:
    """A judge whose numbers may not stand beside published ones."""
    number = next(_number)
    return JudgeProfile.objects.create(
        **{
            "slug": f"judge-{number}",
            "title": f"Judge {number}",
            "spec": "lexical",
            "judge_id": f"lexical {number}",
            "is_comparable": False,
            **fields,
        }
    )


def make_table(
    suite: AnySuite, *, skill: float = 0.5, size: int = INSTANCES, seed: int = 0
) -> InstanceTable:
    """Rows whose values lie around `skill` of each metric's range.

    More skill scores higher; equal skill and seed score the same.
    """
    random = np.random.default_rng(seed)
    shares = {
        metric.key: np.clip(skill + random.normal(0, 0.2, size), 0, 1)
        for metric in suite.metrics
    }
    is_right = random.random(size) < skill
    wrong = random.integers(0, 1 << 30, size)
    faults = [error.key for error in suite.errors if not error.is_right]
    right = [error.key for error in suite.errors if error.is_right]
    labels = [
        right[0] if right and ok else faults[code % len(faults)]
        for ok, code in zip(is_right, wrong, strict=True)
    ]
    return InstanceTable(
        ids=tuple(f"{row:04}" for row in range(size)),
        clusters=tuple(f"video {row // 2}" for row in range(size)),
        tags={family.key: _tags(suite, family, size) for family in suite.families},
        numerators={
            metric.key: metric.low + shares[metric.key] * (metric.high - metric.low)
            for metric in suite.metrics
        },
        denominators={metric.key: np.ones(size) for metric in suite.metrics},
        errors={
            error.key: np.array([int(label == error.key) for label in labels])
            for error in suite.errors
        },
    )


def _tags(suite: AnySuite, family: Family, size: int) -> tuple[str, ...]:
    weighted = [
        v for m in suite.metrics if m.balanced_by == family.key for v in m.weights
    ]
    values = family.order or tuple(weighted) or ("one", "two")
    return tuple(values[row % len(values)] for row in range(size))
