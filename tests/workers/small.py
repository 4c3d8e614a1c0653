"""A small real test set of SVCBench, files that answer it, and the way they take."""

import json
from collections.abc import Iterator

from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from leaderboard import embedded, submissions, teams, testsets
from leaderboard.models import Phase, Submission, TestSetVersion
from tests import factories
from workers import tasks

QUESTIONS, POINTS = 6, 4


def annotations(questions: int = QUESTIONS, points: int = POINTS) -> bytes:
    """Rows as in vcbench_eval.jsonl: things that are counted up, two by two."""
    return b"".join(
        json.dumps(
            {
                "q_id": q_id,
                "query_index": index,
                "id": question,
                "source_dataset": "kitchens" if int(question) // 2 % 2 else "gardens",
                "video_path": f"video{int(question) // 2}.mp4",
                "question": f"How many spoons so far, in part {question}?",
                "counting_type": "O2",
                "counting_subtype": "O2-Unique",
                "query_time": 10.0 * index,
                "count": 2 * index + 1,
            }
        ).encode()
        + b"\n"
        for q_id, question, index in _points(questions, points)
    )


def predictions(
    questions: int = QUESTIONS, points: int = POINTS, *, wrong: int = 0, first: int = 1
) -> bytes:
    """Raw rows: `first`, then 50 throughout `wrong` questions, then the truth."""
    answers = [
        50 if int(question) < wrong else 2 * index + 1
        for _, question, index in _points(questions, points)
    ]
    answers[0] = 50 if wrong else first
    return b"".join(
        json.dumps({"q_id": f"{n:04}", "prediction": answer}).encode() + b"\n"
        for n, answer in enumerate(answers)
    )


def give_keys(settings: object) -> None:
    """Let this process seal and, like a worker, open what is sealed."""
    settings.SEAL_RECIPIENT = embedded.seal_recipient()  # type: ignore[attr-defined]
    settings.SEAL_IDENTITY_FILE = str(embedded.seal_identity_file())  # type: ignore[attr-defined]


def upload_test_set(phase: Phase, data: bytes = b"") -> TestSetVersion:
    """A version that waits to be checked, and is activated when it is sound."""
    return testsets.upload(
        phase=phase,
        data=data or annotations(),
        file_name="vcbench_eval.jsonl",
        user=None,
        activate=True,
    )


def open_phase(data: bytes = b"", **fields: object) -> Phase:
    """A phase whose small test set a worker has checked and activated."""
    phase = factories.make_phase(**fields)
    version = upload_test_set(phase, data)
    tasks.check_test_set()
    version.refresh_from_db()
    assert version.status == TestSetVersion.Status.ACTIVE, version.problems
    return phase


def submit(
    phase: Phase, data: bytes = b"", *, user: User | None = None, key: str = ""
) -> Submission:
    """A submission as the web takes it in."""
    user = user or factories.make_user()
    return submissions.submit(
        phase=phase,
        team=teams.personal_team(user),
        user=user,
        upload=SimpleUploadedFile("answers.jsonl", data or predictions()),
        entry=submissions.Entry(method="Spoons"),
        idempotency_key=key,
    )


def accepted(
    phase: Phase, data: bytes = b"", *, user: User | None = None
) -> Submission:
    """A submission that a worker has checked and found sound."""
    submission = submit(phase, data, user=user)
    tasks.check()
    submission.refresh_from_db()
    assert submission.status == Submission.Status.ACCEPTED, submission.problems
    return submission


def make_due() -> None:
    """Let whatever waits for a retry be tried at once."""
    for model in (TestSetVersion, Submission):
        model.objects.update(runnable_at=timezone.now())


def _points(questions: int, points: int) -> Iterator[tuple[str, str, int]]:
    for number in range(questions * points):
        question, index = divmod(number, points)
        yield f"{number:04}", f"{question:04}", index
