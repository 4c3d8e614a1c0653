"""Make a judge profile, and have a phase use it."""

import json
from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from evaluation.agreement import agreement, read_ratings
from evaluation.judges import JudgeUnavailable
from evaluation.judges.prompts import InvalidProfile
from evaluation.judges.spec import FORMS, InvalidSpec
from evaluation.problems import InvalidUpload
from leaderboard import judges
from leaderboard.models import JudgeProfile, Phase
from leaderboard.refusals import Refused


class Command(BaseCommand):
    help = "Make a judge profile; a phase without a test set may be given to it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("spec", help=FORMS)
        parser.add_argument("--title", default="")
        parser.add_argument(
            "--prompts",
            type=Path,
            help="JSON with system, attribute, relation and key_state, for a wording "
            "other than the product's",
        )
        parser.add_argument(
            "--ratings", type=Path, help="human ratings to measure its agreement on"
        )
        parser.add_argument("--phase", help="TRACK/PHASE that it shall judge")

    def handle(
        self,
        *,
        slug: str,
        spec: str,
        title: str,
        prompts: Path | None,
        ratings: Path | None,
        phase: str | None,
        **options: object,
    ) -> None:
        try:
            profile = _profile(slug, spec, title or slug, prompts)
            if ratings is not None:
                _measure(profile, ratings)
            if phase is not None:
                judges.use(_phase(phase), profile)
        except (InvalidSpec, InvalidProfile, InvalidUpload, JudgeUnavailable) as fault:
            raise CommandError(str(fault)) from fault
        except Refused as refusal:
            raise CommandError(refusal.message) from refusal
        self.stdout.write(f"{profile.slug}: {profile.judge_id}")


def _profile(slug: str, spec: str, title: str, prompts: Path | None) -> JudgeProfile:
    if found := JudgeProfile.objects.filter(slug=slug).first():
        return found
    wording = None if prompts is None else json.loads(prompts.read_bytes())
    return judges.create(slug=slug, title=title, spec=spec, prompts=wording)


def _measure(profile: JudgeProfile, path: Path) -> None:
    ratings = read_ratings(path.read_bytes(), path.name)
    found = agreement(ratings, judges.judge_of(profile)).judge
    judges.record_agreement(profile, found, note=f"{len(ratings)} rated pairs")


def _phase(name: str) -> Phase:
    track, _, slug = name.partition("/")
    found = Phase.objects.filter(track__slug=track, slug=slug).first()
    if found is None:
        raise CommandError(f"there is no phase {name}; give TRACK/PHASE")
    return found
