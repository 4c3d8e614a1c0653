"""Fill an empty site with samples, and say how to sign in."""

import time

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError

from evaluation import SUITES
from leaderboard import embedded, samples
from leaderboard.models import Evaluation, Submission, TestSetVersion

WAIT_SECONDS = 300
OPEN_SUBMISSION = (Submission.Status.RECEIVED, Submission.Status.CHECKING)
OPEN_TEST_SET = (TestSetVersion.Status.DRAFT, TestSetVersion.Status.CHECKING)


class Command(BaseCommand):
    help = "Load sample tracks and submissions; running workers score them."

    def handle(self, **options: object) -> None:
        user = self._demo_user()
        declared = [(suite, one) for suite in SUITES for one in samples.tracks(suite)]
        for position, (suite, one) in enumerate(declared):
            self._wait_for_test_set(samples.load_track(suite, one, position))
        submitted = [
            s for suite, one in declared for s in samples.submit_all(suite, one, user)
        ]
        if submitted:
            self.stdout.write(f"Scoring {len(submitted)} sample submissions")
            self._wait_for_scores([s.pk for s in submitted])

    def _demo_user(self) -> User:
        password = embedded.secret("demo_password")[:16]
        user, is_new = User.objects.get_or_create(
            username="demo", defaults={"is_staff": True, "is_superuser": True}
        )
        if is_new:
            user.set_password(password)
            user.save()
        if user.check_password(password):
            self.stdout.write(f"Sign in as demo with the password {password}")
        return user

    def _wait_for_test_set(self, version: TestSetVersion) -> None:
        deadline = time.monotonic() + WAIT_SECONDS
        if version.status in OPEN_TEST_SET:
            self.stdout.write(f"{version.phase.track}: checking the sample test set")
        while version.status in OPEN_TEST_SET:
            _pause(deadline)
            version.refresh_from_db()
        if version.status == TestSetVersion.Status.FAULTY:
            raise CommandError(f"{version} is {version.status}: {version.problems}")

    def _wait_for_scores(self, keys: list[object]) -> None:
        deadline = time.monotonic() + WAIT_SECONDS
        mine = Submission.objects.filter(pk__in=keys)
        scoring = Evaluation.objects.filter(submission__in=keys)
        while (
            mine.filter(status__in=OPEN_SUBMISSION).exists()
            or scoring.filter(status__in=Evaluation.OPEN).exists()
        ):
            _pause(deadline)
        scored = scoring.filter(status=Evaluation.Status.SCORED).count()
        self.stdout.write(f"{scored} of {len(keys)} sample submissions are scored")
        if scored < len(keys):
            raise CommandError("some samples were not scored; see the worker's log")


def _pause(deadline: float) -> None:
    if time.monotonic() > deadline:
        raise CommandError("no worker answered in time; is one running?")
    time.sleep(0.2)
