"""Following a submission until nothing more will happen to it."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from leaderboard.client import showing
from leaderboard.client.answers import Submission
from leaderboard.client.faults import Unreachable
from leaderboard.client.http import Site, decode

WAIT_SECONDS = 20
PAUSE_SECONDS = 2.0


def follow(site: Site, submission: Submission, patience: float) -> Submission:
    """Wait until it is final. Raises Unreachable after `patience` seconds.

    The site holds each question open until something changes; where it does not,
    there is a pause.
    """
    deadline = time.monotonic() + patience
    with _display() as show:
        while not submission.is_final:
            show(submission)
            asked = time.monotonic()
            if asked > deadline:
                message = f"it is {submission.state} still after {patience:.0f} s"
                raise Unreachable(f"{message}; see `egoboard status {submission.id}`")
            wait = {"wait": str(WAIT_SECONDS)}
            data = site.get(f"submissions/{submission.id}", wait)
            submission = decode(data, Submission)
            if time.monotonic() - asked < 1 and not submission.is_final:
                time.sleep(PAUSE_SECONDS)
        show(submission)
    return submission


class Show:
    """Tells of each new state: on a terminal with a bar, else a line each."""

    def __init__(self, bar: Progress | None) -> None:
        self.bar, self.last = bar, ""
        self.task = bar.add_task("", total=None) if bar else None

    def __call__(self, submission: Submission) -> None:
        place = submission.queue_place
        text = submission.state + (f", place {place}" if place else "")
        done = submission.evaluation
        if self.bar and self.task is not None:
            total = done.shards_total if done else None
            completed = done.shards_done if done else 0
            self.bar.update(
                self.task, description=text, total=total or None, completed=completed
            )
        elif text != self.last:
            showing.say(text)
        self.last = text


@contextmanager
def _display() -> Iterator[Show]:
    if not showing.err.is_terminal:
        yield Show(None)
        return
    columns = TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
    with Progress(*columns, console=showing.err, transient=True) as bar:
        yield Show(bar)
