"""What a request can put on the disk before anyone asks who sends it."""

import io
from pathlib import Path

import pytest
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadedfile import SimpleUploadedFile, TemporaryUploadedFile
from django.test import Client, RequestFactory
from pytest_django import Settings

from leaderboard.incoming import MIB
from tests.factories import make_test_set, make_user
from tests.leaderboard.api.doors import anonymous, problem


@pytest.fixture(autouse=True)
def one_mib(settings: Settings, tmp_path: Path) -> Path:
    settings.MAX_UPLOAD_MIB = 1
    settings.FILE_UPLOAD_TEMP_DIR = tmp_path
    settings.STATIC_ROOT.mkdir(exist_ok=True)  # or WhiteNoise warns
    return tmp_path


def sent(size: int, name: str = "a.jsonl") -> TemporaryUploadedFile:
    """A file of that size as a view gets it."""
    upload = SimpleUploadedFile(name, b"x" * size)
    request = RequestFactory().post("/", {"upload": upload, "method": "A"})
    assert request.POST["method"] == "A"
    return request.FILES["upload"]


@pytest.mark.parametrize("size", [1, MIB - 1, MIB])
def test_a_file_within_the_limit_arrives_whole(size: int) -> None:
    with sent(size) as upload:
        assert isinstance(upload, TemporaryUploadedFile)
        assert (upload.size, len(upload.read())) == (size, size)


def test_of_a_larger_file_only_the_beginning_is_kept_and_its_size_is_told() -> None:
    with sent(3 * MIB) as upload:
        assert upload.size == 3 * MIB
        assert len(upload.read()) == MIB + 1  # which still measures too large


def test_a_request_that_is_far_too_large_is_not_read(one_mib: Path) -> None:
    body = io.BytesIO(b"x" * 100)
    form = "multipart/form-data; boundary=boundary"
    request = RequestFactory().generic("POST", "/", b"x", content_type=form)
    request.META["CONTENT_LENGTH"] = str(100 * MIB)
    request._stream = body
    with pytest.raises(RequestDataTooBig):
        _ = request.POST
    assert body.tell() == 0
    assert list(one_mib.iterdir()) == []


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/tokens/", "/accounts/login/"])
def test_a_stranger_who_sends_far_too_much_is_refused(path: str) -> None:
    client = Client(enforce_csrf_checks=True)
    client.cookies["csrftoken"] = "a" * 32  # so that the form is searched for its twin
    answer = client.post(path, {"upload": SimpleUploadedFile("a", b"x" * 6 * MIB)})
    assert answer.status_code == 400


@pytest.mark.django_db
def test_the_api_says_so_in_a_problem_document() -> None:
    phase = make_test_set().phase
    client = anonymous()
    client.handler.enforce_csrf_checks = True
    client.force_login(make_user())
    client.cookies["csrftoken"] = "a" * 32
    answer = client.post(
        f"/api/v1/tracks/{phase.track.slug}/phases/{phase.slug}/submissions",
        {"file": SimpleUploadedFile("a", b"x" * 6 * MIB), "method": "A"},
    )
    problem(answer, 413, "too_large")
