"""What a finished submission comes to: its scores printed, and an exit status."""

import re
import sys
from collections.abc import Sequence

import msgspec
import typer

from leaderboard.client import showing, thresholds
from leaderboard.client.answers import Phase, Scores, Submission
from leaderboard.client.faults import DONE, INPUTS_FAULT, OUR_FAULT, Misused
from leaderboard.client.http import Site, decode


def finish(
    site: Site,
    found: Submission,
    rules: Phase,
    limits: Sequence[thresholds.Threshold],
    as_json: bool,
) -> None:
    """Print a final submission with its scores, and hold them against the limits."""
    where = f"submissions/{found.id}"
    data = site.get(f"{where}/scores") if found.is_scored else None
    scores = decode(data, Scores) if data else None
    if as_json:
        parts = {
            "submission": msgspec.Raw(site.get(where)),
            "scores": msgspec.Raw(data) if data else None,
        }
        write(msgspec.json.encode(parts))
    else:
        showing.submission(found)
    if scores is None:
        raise typer.Exit(status_without_scores(found, is_asked=bool(limits)))
    if not as_json:
        showing.scores(scores, rules)
    thresholds.check(scores, limits, rules)


def status_without_scores(found: Submission, *, is_asked: bool) -> int:
    """Whose fault it is that a final submission has no scores."""
    if found.status == "rejected":
        is_ours = any(one.code == "internal_error" for one in found.problems)
        return OUR_FAULT if is_ours else INPUTS_FAULT
    if found.evaluation and found.evaluation.status == "failed":
        return OUR_FAULT
    return INPUTS_FAULT if is_asked else DONE  # withdrawn before it was scored


def limits_of(
    site: Site, rules: Phase, wanted: Sequence[str], reference: str
) -> list[thresholds.Threshold]:
    """What must be reached: thresholds, and a submission's number (by its id).

    Raises Misused for what this phase cannot have.
    """
    limits = [thresholds.parse(text, rules) for text in wanted]
    if reference:
        scores = site.read(Scores, f"submissions/{reference}/scores")
        limits.append(thresholds.of_submission(scores, rules))
    return limits


def phase_path(track: str, phase: str) -> str:
    """A phase's address. Raises Misused for what cannot be one."""
    if not all(re.fullmatch(r"[-a-zA-Z0-9_]+", part) for part in (track, phase)):
        raise Misused(f"{track}/{phase} names no phase; see `egoboard tracks`")
    return f"tracks/{track}/phases/{phase}"


def write(data: bytes) -> None:
    """A result for programs, byte for byte."""
    text = data.decode()
    sys.stdout.write(text if text.endswith("\n") else f"{text}\n")
