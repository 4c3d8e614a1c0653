"""The sample site: tracks, small test sets and submissions, all really scored.

What is loaded is declared beside the samples, in `evaluation/samples/<suite>/`:
`tracks.json` names the tracks and their test set, and a list of sample submissions.
"""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path

import msgspec
from django.contrib.auth.models import User
from django.core.files import File
from django.db import transaction
from django.utils import timezone

from evaluation import SUITES
from evaluation.published import published
from leaderboard import judges, submissions, testsets
from leaderboard.models import (
    JudgeProfile,
    Membership,
    Phase,
    PublishedResult,
    Submission,
    Team,
    TestSetVersion,
    Track,
)

SAMPLE_PHASE, TEST_PHASE = "sample", "test"


class SampleTrack(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    slug: str
    title: str
    summary: str
    test_set: str
    samples: str
    protocol: str = ""
    judge: str = "lexical"  # for a suite that needs one
    headline: str = ""


class Sample(msgspec.Struct, kw_only=True):
    file: str
    method: str
    description: str = ""
    team: str = ""


def folder(suite: str) -> Path:
    return Path(str(resources.files("evaluation") / "samples" / suite))


def tracks(suite: str) -> list[SampleTrack]:
    """The suite's sample tracks; none where it ships no samples."""
    path = folder(suite) / "tracks.json"
    if not path.is_file():
        return []
    return msgspec.json.decode(path.read_bytes(), type=list[SampleTrack])


@transaction.atomic
def load_track(suite: str, sample: SampleTrack, position: int) -> TestSetVersion:
    """Make the track, its phases and its test set, unless they are there already."""
    track, is_new = Track.objects.get_or_create(
        slug=sample.slug,
        defaults={
            "suite": suite,
            "title": sample.title,
            "summary": sample.summary,
            "headline": sample.headline,
            "position": position,
        },
    )
    if not is_new:
        return TestSetVersion.objects.filter(phase__track=track).earliest("pk")
    phase = _make_phases(track, sample)
    _load_published(track)
    with _packed(folder(suite) / sample.test_set) as path:
        return testsets.upload(
            phase=phase,
            data=path.read_bytes(),
            file_name=path.name,
            user=None,
            activate=True,
        )


def submit_all(suite: str, sample: SampleTrack, user: User) -> list[Submission]:
    """Submit the sample files that are not there yet, as anyone would."""
    phase = Phase.objects.get(track__slug=sample.slug, slug=SAMPLE_PHASE)
    listed = (folder(suite) / sample.samples).read_bytes()
    return [
        _submit(phase, folder(suite) / one.file, one, user)
        for one in msgspec.json.decode(listed, type=list[Sample])
        if not Submission.objects.filter(phase=phase, method=one.method).exists()
    ]


def _make_phases(track: Track, sample: SampleTrack) -> Phase:
    """A phase for the samples, and one that waits for the official test set."""
    suite = SUITES[track.suite]
    rules = {
        "opens_at": timezone.now(),
        "protocol": sample.protocol or suite.protocols[0],
        "judge_profile": _judge(sample.judge) if suite.needs_judge else None,
    }
    Phase.objects.create(track=track, slug=TEST_PHASE, title="Test", **rules)
    return Phase.objects.create(
        track=track,
        slug=SAMPLE_PHASE,
        title="Sample data",
        feedback=Phase.Feedback.INSTANCES,
        **rules,
    )


def _judge(spec: str) -> JudgeProfile:
    found = JudgeProfile.objects.filter(slug=spec).first()
    return found or judges.create(slug=spec, title=f"{spec} stand-in", spec=spec)


def _load_published(track: Track) -> None:
    for row in published(track.suite):
        if row.track not in (None, track.slug):
            continue
        PublishedResult.objects.get_or_create(
            track=track,
            method=row.method,
            source=row.source.title,
            note=row.note or "",  # tells the modes of one model apart
            defaults={
                "source_url": row.source.url or "",
                "organisation": row.organisation or "",
                "is_open_weights": row.is_open_weights,
                "is_human": row.is_human,
                "is_subset": row.is_subset,
                "scores": row.scores,
            },
        )


def _submit(phase: Phase, path: Path, sample: Sample, user: User) -> Submission:
    team, _ = Team.objects.get_or_create(name=sample.team or sample.method)
    Membership.objects.get_or_create(team=team, user=user)
    with _packed(path) as packed, packed.open("rb") as stream:
        return submissions.submit(
            phase=phase,
            team=team,
            user=user,
            upload=File(stream, name=packed.name),
            entry=submissions.Entry(
                method=sample.method, description=sample.description
            ),
        )


@contextmanager
def _packed(path: Path) -> Iterator[Path]:
    """The file itself, or a directory as a zip."""
    if path.is_file():
        yield path
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(shutil.make_archive(str(Path(folder) / path.name), "zip", path))
