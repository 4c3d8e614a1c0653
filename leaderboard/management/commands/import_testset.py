"""Upload a hidden test set from the command line."""

import time
from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from leaderboard import testsets
from leaderboard.models import Phase, TestSetVersion
from leaderboard.refusals import Refused

Status = TestSetVersion.Status


class Command(BaseCommand):
    help = "Upload annotations as a new test set version; a worker checks them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--track", required=True)
        parser.add_argument("--phase", required=True)
        parser.add_argument("file", type=Path, help="a file or archive as published")
        parser.add_argument(
            "--activate", action="store_true", help="activate it when it is sound"
        )
        parser.add_argument(
            "--wait", type=float, default=300, help="seconds to wait for a worker"
        )

    def handle(self, *, track: str, phase: str, file: Path, **options: object) -> None:
        found = Phase.objects.filter(track__slug=track, slug=phase).first()
        if found is None:
            known = ", ".join(f"{p.track.slug}/{p.slug}" for p in Phase.objects.all())
            raise CommandError(f"no phase {track}/{phase}; there are: {known}")
        if not file.is_file():
            raise CommandError(f"{file} is not a file; pack a directory as a zip")
        try:
            version = testsets.upload(
                phase=found,
                data=file.read_bytes(),
                file_name=file.name,
                user=None,
                activate=bool(options["activate"]),
            )
        except Refused as refusal:
            raise CommandError(refusal.message) from refusal
        self._follow(version, float(str(options["wait"])))

    def _follow(self, version: TestSetVersion, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while version.status in (Status.DRAFT, Status.CHECKING):
            if time.monotonic() > deadline:
                raise CommandError(
                    f"{version} is still {version.status}: is a worker up?"
                )
            time.sleep(0.2)
            version.refresh_from_db()
        for problem in version.problems:
            self.stderr.write(
                f"{problem['file'] or ''} {problem['line'] or ''} {problem['detail']}"
            )
        for finding in version.findings:
            self.stdout.write(
                f"{finding['severity']}: {finding['place']}: {finding['detail']}"
            )
        if version.status == Status.FAULTY:
            raise CommandError("the test set cannot be used; see the problems above")
        self.stdout.write(
            f"{version}: {version.status}, {version.instance_count} instances"
        )
