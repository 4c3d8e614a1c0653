"""Judges of phases: making a profile, the judge itself, and the memory of answers."""

from collections.abc import Mapping, Sequence

from django.conf import settings
from django.db import transaction

from evaluation.agreement import Correlation
from evaluation.judges import Answer, Judge
from evaluation.judges.cache import CachedJudge
from evaluation.judges.prompts import DEFAULT_PROFILE, make_profile
from evaluation.judges.prompts import JudgeProfile as Prompts
from evaluation.judges.retrying import RetryPolicy
from evaluation.judges.spec import from_spec, is_comparable
from leaderboard import audit
from leaderboard.models import JudgeAnswer, JudgeProfile, Phase, TestSetVersion
from leaderboard.refusals import Refused

BATCH = 2000  # keys per query


class DatabaseStore:
    """The judge cache: looked up and stored in bulk, shared by all submissions."""

    def get(self, judge_id: str, keys: Sequence[str]) -> dict[str, Answer]:
        found: dict[str, Answer] = {}
        for start in range(0, len(keys), BATCH):
            rows = JudgeAnswer.objects.filter(
                judge_id=judge_id, key__in=keys[start : start + BATCH]
            )
            found |= {row.key: Answer(text=row.text, score=row.score) for row in rows}
        return found

    def put(self, judge_id: str, answers: Mapping[str, Answer]) -> None:
        JudgeAnswer.objects.bulk_create(
            (
                JudgeAnswer(
                    key=key,
                    judge_id=judge_id,
                    text=storable(answer.text),
                    score=answer.score,
                )
                for key, answer in answers.items()
            ),
            ignore_conflicts=True,
            batch_size=BATCH,
        )


def create(
    *, slug: str, title: str, spec: str, prompts: Mapping[str, str] | None = None
) -> JudgeProfile:
    """Make a profile. Raises InvalidSpec or InvalidProfile, which say what is wrong."""
    judge_id = _judge(spec, prompts).judge_id
    return JudgeProfile.objects.create(
        slug=slug,
        title=title,
        spec=spec,
        prompts=dict(prompts) if prompts else None,
        judge_id=judge_id,
        is_comparable=is_comparable(judge_id),
    )


def judge_of(profile: JudgeProfile) -> CachedJudge:
    """The profile's judge with the memory of all answers; for workers.

    It gives up for now, which parks the work, well before the soft limit, which would
    count as a failure of ours.
    """
    judge = _judge(profile.spec, profile.prompts)
    return CachedJudge(judge, DatabaseStore(), budget_s=settings.SOFT_LIMIT_SECONDS / 2)


def storable(text: str) -> str:
    """PostgreSQL keeps neither NUL nor half a surrogate pair."""
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")


def _judge(spec: str, prompts: Mapping[str, str] | None) -> Judge:
    wording: Prompts = make_profile(**prompts) if prompts else DEFAULT_PROFILE
    return from_spec(
        spec,
        profile=wording,
        api_key=settings.JUDGE_API_KEY,
        concurrency=settings.JUDGE_CONCURRENCY,
        policy=RetryPolicy(longest_silence_s=settings.SOFT_LIMIT_SECONDS / 3),
    )


def record_agreement(profile: JudgeProfile, found: Correlation, note: str) -> None:
    """Note how far the judge agrees with people, to be shown on its boards."""
    JudgeProfile.objects.filter(pk=profile.pk).update(
        agreement=found.rho,
        agreement_low=found.low,
        agreement_high=found.high,
        agreement_note=note,
    )


def use(phase: Phase, profile: JudgeProfile) -> None:
    """Have a phase judged by a profile, as long as nothing was scored in it."""
    with transaction.atomic():
        Phase.objects.select_for_update(no_key=True).get(pk=phase.pk)
        if TestSetVersion.objects.filter(phase=phase).exists():
            message = "This phase has a test set already; make a new phase for a judge."
            raise Refused("phase_in_use", message)
        Phase.objects.filter(pk=phase.pk).update(judge_profile=profile.judge_id)
        audit.record(None, "use-judge", phase, judge=profile.judge_id)
