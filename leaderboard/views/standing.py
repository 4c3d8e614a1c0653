"""Where a submission stands, in words and steps that people read."""

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from leaderboard import progress
from leaderboard.models import Evaluation, Submission

Status = Submission.Status
OUR_FAULT = "internal_error"  # the code of submissions.OUR_FAULT


@dataclass(frozen=True, kw_only=True)
class Step:
    label: str
    detail: str
    state: str  # done, current, failed or todo


@dataclass(frozen=True, kw_only=True)
class Standing:
    """`tone` is good, bad, busy or ""; `is_open` means that more will happen."""

    headline: str
    detail: str
    tone: str
    is_open: bool
    steps: Sequence[Step]
    done: int = 0
    total: int = 0


def fingerprint(found: Iterable[Standing]) -> str:
    """Equal while there is nothing new to show; pages send it back when they ask."""
    text = "\n".join(f"{one.headline} {one.detail}" for one in found)
    return f"{zlib.crc32(text.encode()):08x}"


def standing(submission: Submission, place: int | None = None) -> Standing:
    """The state of a submission that came with its evaluations (see progress).

    `place` is its place in the queue, where the page asks for that.
    """
    if submission.status in progress.OPEN:
        return _checking(submission, place)
    if submission.status == Status.REJECTED:
        return _rejected(submission)
    scored = _scoring(progress.evaluation_of(submission), place)
    if submission.status == Status.WITHDRAWN:
        return Standing(
            headline="Withdrawn",
            detail="It stands on no board any more; the record stays.",
            tone="",
            is_open=progress.is_open(submission),
            steps=scored.steps,
        )
    return scored


def _checking(submission: Submission, place: int | None) -> Standing:
    is_started = submission.status == Status.CHECKING
    detail = "A worker reads the file." if is_started else _waits(place)
    return Standing(
        headline="Being checked" if is_started else "Received",
        detail=detail,
        tone="busy",
        is_open=True,
        steps=_steps("done current todo todo", check=detail),
    )


def _rejected(submission: Submission) -> Standing:
    codes = {problem.get("code") for problem in submission.problems}
    is_ours = codes == {OUR_FAULT}
    fault = (
        "That is our fault, not the file's." if is_ours else "The file has problems."
    )
    return Standing(
        headline="Could not be checked" if is_ours else "Rejected",
        detail=f"{fault} This cost no quota.",
        tone="bad",
        is_open=False,
        steps=_steps("done failed todo todo", check=fault),
    )


def _scoring(evaluation: Evaluation | None, place: int | None) -> Standing:
    if evaluation is None:
        return Standing(
            headline="Accepted",
            detail="It will be scored when the phase has an active test set.",
            tone="",
            is_open=False,
            steps=_steps("done done todo todo"),
        )
    if evaluation.status == Evaluation.Status.SCORED:
        return Standing(
            headline="Scored",
            detail=f"On version {evaluation.test_set.number} of the test set.",
            tone="good",
            is_open=False,
            steps=_steps("done done done done"),
        )
    if evaluation.status == Evaluation.Status.FAILED:
        return Standing(
            headline="Could not be scored",
            detail=f"{_sentence(evaluation.cause)} This cost no quota.",
            tone="bad",
            is_open=False,
            steps=_steps("done done done failed"),
        )
    return _waiting(evaluation, place)


def _waiting(evaluation: Evaluation, place: int | None) -> Standing:
    if evaluation.status == Evaluation.Status.QUEUED:
        detail = _waits(place)
        return Standing(
            headline="In the queue",
            detail=detail,
            tone="busy",
            is_open=True,
            steps=_steps("done done current todo", queue=detail),
        )
    done: int = evaluation.shards_done  # type: ignore[attr-defined]
    total: int = evaluation.shards_total  # type: ignore[attr-defined]
    detail = f"{done} of {total} parts are scored."
    return Standing(
        headline="Being scored",
        detail=detail,
        tone="busy",
        is_open=True,
        steps=_steps("done done done current", score=detail),
        done=done,
        total=total,
    )


def _waits(place: int | None) -> str:
    places = {None: "It waits for a worker.", 1: "It is next."}
    return places.get(place, f"Place {place} in the queue.")


def _steps(
    states: str, *, check: str = "", queue: str = "", score: str = ""
) -> list[Step]:
    labels = ("Received", "Checked", "Queued", "Scored")
    details = ("", check, queue, score)
    return [
        Step(label=label, detail=detail, state=state)
        for label, detail, state in zip(labels, details, states.split(), strict=True)
    ]


def _sentence(text: str) -> str:
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."
