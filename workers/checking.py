"""Checking what was uploaded: a submission's file, or a test set's annotations."""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import msgspec

from evaluation import artifacts
from evaluation.reading import open_upload
from evaluation.suite import Answers, AnySuite
from leaderboard import files, sealing
from leaderboard.models import Submission, TestSetVersion
from leaderboard.publishing import numbers_of
from leaderboard.testsets import BaselineRow, Compiled
from workers import resources
from workers.holding import patiently


def read(submission: Submission) -> Answers:
    """Parse the file against the active test set. Raises InvalidUpload."""
    active = TestSetVersion.objects.select_related("phase__track").filter(
        phase=submission.phase_id, status=TestSetVersion.Status.ACTIVE
    )
    return resources.answers(submission, patiently(active.get))


def compile_test_set(version: TestSetVersion) -> Compiled:
    """Read, lint and compile sealed annotations. Raises InvalidUpload."""
    suite = resources.suite_of(version)
    annotations = _annotations(suite, version)
    compiled = suite.compile(annotations)
    artifact = artifacts.pack(compiled)
    address = artifacts.address(artifact)
    return Compiled(
        artifact=artifact,
        address=address,
        manifest=msgspec.json.encode(suite.make_manifest(annotations)),
        instance_count=len(suite.instance_ids(compiled)),
        parser=version.phase.parser or suite.parser(),
        findings=list(suite.lint(annotations)),
        baselines=_baselines(suite, version, compiled, address),
    )


def _annotations(suite: AnySuite, version: TestSetVersion) -> object:
    with _in_memory(sealing.unseal(files.read(version.sealed_file))) as path:
        annotations = suite.read_annotations(open_upload(path, version.file_name))
    if version.phase.selection is not None:
        annotations = suite.select(annotations, version.phase.selection)
    return cast(object, annotations)


@contextmanager
def _in_memory(data: bytes) -> Iterator[Path]:
    """A path for answers in the clear that is on no disk and ends with the process."""
    if sys.platform != "linux":
        with tempfile.NamedTemporaryFile() as copy:
            copy.write(data)
            copy.flush()
            yield Path(copy.name)
        return
    with os.fdopen(os.memfd_create("annotations"), "wb") as memory:
        memory.write(data)
        memory.flush()
        yield Path(f"/proc/self/fd/{memory.fileno()}")


def _baselines(
    suite: AnySuite, version: TestSetVersion, compiled: object, seed: str
) -> list[BaselineRow]:
    rows, phase = [], version.phase
    everything = range(len(suite.instance_ids(compiled)))
    for baseline in suite.baselines:
        answers = baseline.predict(compiled)
        means = resources.means(
            protocol=phase.protocol, judge=phase.judge, parser=phase.parser
        )
        table = suite.score(compiled, answers, everything, means)
        numbers, summary = numbers_of(suite, table, seed)
        rows.append(
            BaselineRow(
                key=baseline.key,
                label=baseline.label,
                meaning=baseline.meaning,
                scores=numbers,
                errors=summary.errors,
            )
        )
    return rows
