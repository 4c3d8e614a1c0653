"""Reading what was uploaded; annotations are opened in memory only."""

import json
from pathlib import Path

import pytest

from tests.workers import small
from workers import checking, resources, tasks

pytestmark = pytest.mark.django_db


def test_annotations_are_on_no_disk_while_they_are_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[Path] = []

    def open_upload(path: Path, name: str) -> object:
        assert path.read_bytes() == small.annotations()
        assert path.stat().st_nlink == 0  # no directory holds it
        seen.append(path)
        return real(path, name)

    real = checking.open_upload
    monkeypatch.setattr(checking, "open_upload", open_upload)
    small.open_phase()
    assert len(seen) == 1
    assert not seen[0].exists()


def test_a_zip_of_annotations_is_read_from_memory_too(tmp_path: Path) -> None:
    import io
    import zipfile

    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("vcbench_eval.jsonl", small.annotations())
        archive.writestr("README.md", "about")
    assert small.open_phase(packed.getvalue()).test_sets.get().instance_count == 6


def test_a_file_is_parsed_once_for_all_its_shards() -> None:
    phase = small.open_phase()
    submission = small.submit(phase)
    first = checking.read(submission)
    assert checking.read(submission) is first
    assert first.coverage.answered == small.QUESTIONS * small.POINTS


def test_a_test_set_is_opened_once_per_version() -> None:
    phase = small.open_phase()
    version = phase.test_sets.get()
    first = resources.compiled(version)
    assert resources.compiled(version) is first
    small.upload_test_set(phase, small.annotations(questions=3))
    tasks.check_test_set()
    newer = phase.test_sets.get(status="active")
    assert resources.compiled(newer) is not first


def test_the_manifest_names_what_must_be_answered_and_no_count() -> None:
    from leaderboard import files

    version = small.open_phase().test_sets.get()
    manifest = json.loads(files.read(version.manifest_file))
    assert sorted(manifest) == ["ids", "q_ids", "query_index", "query_times"]
