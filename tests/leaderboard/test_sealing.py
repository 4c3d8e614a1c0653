"""Hidden test sets at rest: everybody may seal, only workers may open."""

from pathlib import Path

import pytest
from django.conf import settings as configured
from pyrage import DecryptError, x25519
from pytest_django import Settings

from leaderboard import sealing, testsets
from leaderboard.models import TestSetVersion
from leaderboard.refusals import Refused
from tests import factories
from tests.workers import small
from workers import tasks

SECRET = b"the answer is forty-two"


@pytest.fixture
def identity(settings: Settings, tmp_path: Path) -> Path:
    """A key pair whose public half alone is known to this process."""
    key = x25519.Identity.generate()
    settings.SEAL_RECIPIENT = str(key.to_public())
    settings.SEAL_IDENTITY_FILE = ""
    path = tmp_path / "identity"
    path.write_text(f"{key}\n")
    return path


def test_what_is_sealed_opens_again(settings: Settings, identity: Path) -> None:
    sealed = sealing.seal(SECRET)
    settings.SEAL_IDENTITY_FILE = str(identity)
    assert sealing.unseal(sealed) == SECRET


def test_sealed_bytes_show_nothing_and_never_repeat(identity: Path) -> None:
    first, second = sealing.seal(SECRET), sealing.seal(SECRET)
    assert first != second
    assert SECRET not in first
    assert b"forty-two" not in second


def test_the_web_tier_cannot_open_what_it_sealed(identity: Path) -> None:
    sealed = sealing.seal(SECRET)
    with pytest.raises(Refused) as refused:
        sealing.unseal(sealed)
    assert refused.value.code == "not_a_worker"


def test_another_key_does_not_open_it(
    settings: Settings, identity: Path, tmp_path: Path
) -> None:
    sealed = sealing.seal(SECRET)
    other = tmp_path / "other"
    other.write_text(str(x25519.Identity.generate()))
    settings.SEAL_IDENTITY_FILE = str(other)
    with pytest.raises(DecryptError):
        sealing.unseal(sealed)


def test_a_changed_byte_is_noticed(settings: Settings, identity: Path) -> None:
    sealed = bytearray(sealing.seal(SECRET))
    sealed[-1] ^= 1
    settings.SEAL_IDENTITY_FILE = str(identity)
    with pytest.raises(DecryptError):
        sealing.unseal(bytes(sealed))


def test_nothing_is_taken_in_without_a_recipient(settings: Settings) -> None:
    settings.SEAL_RECIPIENT = ""
    with pytest.raises(Refused, match="EGOBOARD_SEAL_RECIPIENT"):
        sealing.seal(SECRET)


@pytest.mark.django_db
def test_no_stored_file_holds_an_annotation_in_the_clear(settings: Settings) -> None:
    """The upload, the compiled artifact, the manifest and all that lies about."""
    small.give_keys(settings)
    marked = small.annotations().replace(b"spoons", b"zyzzyvas")
    before = {path for path in configured.FILES_ROOT.rglob("*") if path.is_file()}
    phase = factories.make_phase()
    version = testsets.upload(
        phase=phase, data=marked, file_name="a.jsonl", user=None, activate=True
    )
    tasks.check_test_set()

    version.refresh_from_db()
    assert version.status == TestSetVersion.Status.ACTIVE
    written = {p for p in configured.FILES_ROOT.rglob("*") if p.is_file()} - before
    assert len(written) >= 2  # equal manifests are stored once
    for path in written:
        data = path.read_bytes()
        assert b"zyzzyvas" not in data
        assert b'"count"' not in data
    sealed = {version.sealed_file, version.sealed_artifact}
    for key in sealed:
        assert (configured.FILES_ROOT / key).read_bytes().startswith(b"age-encryption")
    settings.SEAL_IDENTITY_FILE = ""
    for key in sealed:
        with pytest.raises(Refused):
            sealing.unseal((configured.FILES_ROOT / key).read_bytes())
