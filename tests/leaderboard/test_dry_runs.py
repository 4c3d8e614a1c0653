"""Checking a file before it counts."""

from threading import BoundedSemaphore

import pytest
from django.core.files.base import ContentFile
from django.core.files.uploadedfile import SimpleUploadedFile, TemporaryUploadedFile
from pytest_django import Settings

from leaderboard import dry_runs, files
from leaderboard.models import QuotaCounter, Submission
from leaderboard.refusals import Refused
from tests.factories import make_phase
from tests.workers import small

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def keys(settings: Settings) -> None:
    small.give_keys(settings)


def test_a_sound_file_gets_its_coverage():
    phase = small.open_phase()
    upload = SimpleUploadedFile("answers.jsonl", small.predictions())
    outcome = dry_runs.check(phase, upload)
    assert outcome.is_sound
    assert outcome.coverage.answered == outcome.coverage.expected == 24


def test_a_file_that_leaves_something_out_is_sound_and_says_how_much_is_missing():
    phase = small.open_phase()
    upload = SimpleUploadedFile("answers.jsonl", small.predictions(questions=5))
    outcome = dry_runs.check(phase, upload)
    assert outcome.is_sound
    assert outcome.coverage.missing == small.POINTS


def test_problems_come_with_their_line_and_the_name_that_the_owner_gave():
    phase = small.open_phase()
    data = small.predictions() + b'{"q_id": "nothing", "prediction": 1}\n'
    outcome = dry_runs.check(phase, SimpleUploadedFile("mine.jsonl", data))
    assert not outcome.is_sound
    assert outcome.coverage is None
    (problem,) = outcome.problems
    assert (problem.file, problem.line) == ("mine.jsonl", 25)
    assert problem.code == "unknown_q_id"


def test_the_first_hundred_problems_are_listed_and_all_are_counted():
    phase = small.open_phase()
    data = b'{"q_id": "nothing", "prediction": 1}\n' * 250
    outcome = dry_runs.check(phase, SimpleUploadedFile("answers.jsonl", data))
    assert (len(outcome.problems), outcome.problem_count) == (100, 250)


def test_an_upload_on_disk_is_read_where_it_lies():
    phase = small.open_phase()
    upload = TemporaryUploadedFile("answers.jsonl", "application/json", 0, None)
    upload.write(small.predictions())
    upload.seek(0)
    upload.size = len(small.predictions())
    assert dry_runs.check(phase, upload).is_sound


def test_nothing_is_kept_or_counted(monkeypatch):
    phase = small.open_phase()
    monkeypatch.setattr(files, "store", None)
    dry_runs.check(phase, ContentFile(small.predictions(), name="answers.jsonl"))
    assert not Submission.objects.exists()
    assert not QuotaCounter.objects.exists()


def test_without_a_test_set_there_is_nothing_to_check_against():
    with pytest.raises(Refused) as refusal:
        dry_runs.check(make_phase(), ContentFile(b"{}", name="answers.jsonl"))
    assert refusal.value.code == "no_test_set"


def test_a_file_over_the_limit_is_refused_before_it_is_read(settings: Settings):
    settings.MAX_UPLOAD_MIB = 0
    with pytest.raises(Refused) as refusal:
        dry_runs.check(small.open_phase(), ContentFile(b"{}", name="answers.jsonl"))
    assert refusal.value.code == "too_large"


def test_what_unpacks_to_more_than_this_process_bears_is_for_workers_to_read(
    monkeypatch,
):
    """A submission may be larger: so this is no verdict on the file."""
    monkeypatch.setattr(dry_runs, "MOST_MIB", 0)
    upload = ContentFile(small.predictions(), name="answers.jsonl")
    with pytest.raises(Refused, match="not checked beforehand") as refusal:
        dry_runs.check(small.open_phase(), upload)
    assert refusal.value.code == "too_large"


def test_one_file_is_read_at_a_time(monkeypatch):
    phase = small.open_phase()
    seat = BoundedSemaphore(1)
    monkeypatch.setattr(dry_runs, "_seat", seat)
    monkeypatch.setattr(dry_runs, "PATIENCE_SECONDS", 0.01)
    with seat, pytest.raises(Refused) as refusal:
        dry_runs.check(phase, ContentFile(b"{}", name="answers.jsonl"))
    assert refusal.value.code == "busy"
    outcome = dry_runs.check(phase, ContentFile(b"{}", name="answers.jsonl"))
    assert not outcome.is_sound  # the seat is free again, also after a bad file
    assert dry_runs.check(phase, ContentFile(small.predictions(), name="a")).is_sound
