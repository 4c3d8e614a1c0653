"""Checking a file before it counts: read in this process, stored nowhere.

What a file unpacks to may take twenty times its size in memory, in a process that
serves everyone. So less is read here than workers take, and one file at a time.
"""

import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.core.files.uploadedfile import TemporaryUploadedFile

from evaluation import SUITES
from evaluation.admission import admit
from evaluation.problems import InvalidUpload, Problem
from evaluation.reading import Limits, open_upload
from evaluation.suite import Answers, Coverage
from leaderboard import testsets
from leaderboard.files import BytesFile
from leaderboard.models import Phase, TestSetVersion
from leaderboard.refusals import Refused

MOST_MIB = 64
PATIENCE_SECONDS = 3.0
_seat = threading.BoundedSemaphore(1)


class Busy(Refused):
    """Others are being served; the API tells when to come again."""

    headers = {"Retry-After": "10"}


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What a submission of this file would meet. `problems` are the first 100."""

    coverage: Coverage | None = None  # None when the file would be rejected
    notices: Sequence[Problem] = ()
    problems: Sequence[Problem] = ()
    problem_count: int = 0

    @property
    def is_sound(self) -> bool:
        return not self.problem_count


def check(phase: Phase, upload: BytesFile) -> Outcome:
    """Read a file as a submission to the phase would be. Raises Refused."""
    if upload.size > settings.MAX_UPLOAD_MIB * 1024 * 1024:
        limit = f"{settings.MAX_UPLOAD_MIB} MiB"
        raise Refused("too_large", f"A file may have {limit} at most; compress it.")
    test_set = phase.test_sets.filter(status=TestSetVersion.Status.ACTIVE).first()
    if test_set is None:
        raise Refused("no_test_set", "This phase has no active test set yet.")
    try:
        with _one_at_a_time():
            answers = _read(phase.track.suite, test_set, upload)
    except InvalidUpload as fault:
        if SUITES[phase.track.suite].upload_mib > MOST_MIB:
            _refuse_unreadable(fault)
        return Outcome(problems=fault.problems, problem_count=fault.total)
    hidden = SUITES[phase.track.suite].staff_notices
    notices = [notice for notice in answers.notices if notice.code not in hidden]
    return Outcome(coverage=answers.coverage, notices=notices)


def _read(suite_slug: str, test_set: TestSetVersion, upload: BytesFile) -> Answers:
    suite = SUITES[suite_slug]
    manifest = testsets.manifest(test_set.manifest_file, suite.manifest_type)
    name = (upload.name or "upload").rsplit("/", 1)[-1]
    with _path_of(upload) as path:
        limits = Limits(unpacked_mib=min(MOST_MIB, suite.upload_mib))
        return admit(suite, open_upload(path, name, limits), manifest)


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    if not _seat.acquire(timeout=PATIENCE_SECONDS):
        raise Busy("busy", "Other files are being checked; try again in a moment.")
    try:
        yield
    finally:
        _seat.release()


def _refuse_unreadable(fault: InvalidUpload) -> None:
    """Raises Refused where only the bounds of a dry run stood in the way."""
    if fault.problems[0].code == "too_large":
        raise Refused(
            "too_large",
            f"A file that unpacks to more than {MOST_MIB} MiB is not checked "
            "beforehand. Submit it: a rejected file costs no quota.",
        ) from fault


@contextmanager
def _path_of(upload: BytesFile) -> Iterator[Path]:
    """The upload's own temporary file, or a copy of what is held in memory."""
    if isinstance(upload, TemporaryUploadedFile):
        upload.flush()
        yield Path(upload.temporary_file_path())
        return
    with tempfile.NamedTemporaryFile() as copy:
        for chunk in upload.chunks():
            copy.write(chunk)
        copy.flush()
        yield Path(copy.name)
