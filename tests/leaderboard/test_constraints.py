"""What the database itself refuses, whoever writes to it."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.apps import apps
from django.db import DatabaseError, IntegrityError, models, transaction
from django.db.models import CheckConstraint, F, Q
from django.utils import timezone

from leaderboard.models import (
    ApiToken,
    AuditEvent,
    IdempotencyKey,
    JudgeAnswer,
    JudgeProfile,
    QuotaCounter,
    QuotaEntry,
    Score,
    Shard,
    Submission,
)
from tests import factories

pytestmark = pytest.mark.django_db
MODELS = list(apps.get_app_config("leaderboard").get_models())


def again(row: models.Model, **changes: object) -> None:
    """Insert a second row that differs only in its key, and in what is given."""
    row.pk = type(row)._meta.pk.get_default()
    row._state.adding = True
    for key, value in changes.items():
        setattr(row, key, value)
    row.save(force_insert=True)


def change(row: models.Model, **values: object) -> None:
    """Write past everything that Python would check."""
    assert type(row)._base_manager.filter(pk=row.pk).update(**values) == 1


def score() -> Score:
    return factories.make_scored().scores.earliest("pk")


def shard() -> Shard:
    return factories.make_evaluation().shards.earliest("pk")


def counter() -> QuotaCounter:
    submission = factories.make_submission()
    return QuotaCounter.objects.create(
        team=submission.team, phase=submission.phase, day=None, used=1, allowed=2
    )


def entry() -> QuotaEntry:
    return QuotaEntry.objects.create(
        submission=factories.make_submission(),
        kind="reserve",
        reason="submitted",
        day=timezone.now().date(),
    )


def key() -> IdempotencyKey:
    submission = factories.make_submission()
    return IdempotencyKey.objects.create(
        team=submission.team,
        key="k",
        body_sha256="0" * 64,
        submission=submission,
        created_at=timezone.now(),
    )


def token() -> ApiToken:
    user = factories.make_user()
    made, _ = ApiToken.objects.create(
        user=user, team=factories.make_team(user), name="ci"
    )
    return made


def judge() -> JudgeProfile:
    return JudgeProfile.objects.create(
        slug="lexical",
        title="Lexical",
        spec="lexical",
        judge_id="lexical/1",
        is_comparable=False,
    )


def answer() -> JudgeAnswer:
    return JudgeAnswer.objects.create(key="0" * 64, judge_id="lexical/1", text="3")


def second_active() -> None:
    phase = factories.make_test_set().phase
    factories.make_test_set(phase)


def second_token() -> object:
    first = token()
    made = {"user": first.user, "team": first.team, "name": first.name}
    return ApiToken.objects.create(**made)


BREAKS: dict[str, Callable[[], object]] = {
    "baseline_unique": lambda: again(
        factories.make_baseline(factories.make_test_set())
    ),
    "evaluation_failed_has_cause": lambda: change(
        factories.make_evaluation(), status="failed"
    ),
    "evaluation_scored_has_table": lambda: change(
        factories.make_evaluation(), status="scored", finished_at=timezone.now()
    ),
    "evaluation_status": lambda: change(factories.make_evaluation(), status="lost"),
    "evaluation_unique": lambda: again(factories.make_evaluation()),
    "idempotency_key_unique": lambda: again(key()),
    "judge_agreement_is_a_correlation": lambda: change(judge(), agreement=1.5),
    "judge_answer_in_range": lambda: change(answer(), score=6),
    "membership_unique": lambda: again(
        factories.make_team(factories.make_user()).memberships.get()
    ),
    "phase_closes_after_opening": lambda: change(
        factories.make_phase(), closes_at=F("opens_at")
    ),
    "phase_feedback": lambda: change(factories.make_phase(), feedback="all"),
    "phase_frozen_since": lambda: change(factories.make_phase(), visibility="frozen"),
    "phase_slug_unique": lambda: again(factories.make_phase()),
    "phase_visibility": lambda: change(factories.make_phase(), visibility="maybe"),
    "published_unique": lambda: again(factories.make_published(factories.make_track())),
    "quota_counter_unique": lambda: again(counter()),
    "quota_entry_kind": lambda: change(entry(), kind="gift"),
    "quota_entry_once": lambda: again(entry()),
    "quota_within_limit": lambda: change(counter(), used=3),
    "score_interval_ordered": lambda: change(score(), low=2.0, high=1.0),
    "score_unique": lambda: again(score()),
    "shard_done_has_rows": lambda: change(shard(), status="done"),
    "shard_lease": lambda: change(shard(), status="running"),
    "shard_not_empty": lambda: change(shard(), stop=F("start")),
    "shard_number_unique": lambda: again(shard()),
    "shard_status": lambda: change(shard(), status="lost"),
    "submission_lease": lambda: change(
        factories.make_submission(), lease_expires_at=timezone.now()
    ),
    "submission_rejected_has_problems": lambda: change(
        factories.make_submission(), status="rejected"
    ),
    "submission_status": lambda: change(factories.make_submission(), status="lost"),
    "team_name_unique": lambda: [
        factories.make_team(name="Ada's"),
        factories.make_team(name="ADA'S"),
    ],
    "test_set_checked_is_compiled": lambda: change(
        factories.make_test_set(), address=""
    ),
    "test_set_lease": lambda: change(
        factories.make_test_set(status="draft"), status="checking"
    ),
    "test_set_number_unique": lambda: again(factories.make_test_set(status="checked")),
    "test_set_one_active": second_active,
    "test_set_status": lambda: change(factories.make_test_set(), status="lost"),
    "token_name_unique": second_token,
    "token_scope": lambda: change(token(), scope="root"),
}


def constraints() -> dict[str, models.BaseConstraint]:
    return {c.name: c for model in MODELS for c in model._meta.constraints}


def test_every_constraint_is_broken_below() -> None:
    assert sorted(BREAKS) == sorted(constraints())


@pytest.mark.parametrize("name", sorted(BREAKS))
def test_the_database_refuses_what_breaks(name: str) -> None:
    with pytest.raises(IntegrityError) as refused, transaction.atomic():
        BREAKS[name]()
    assert refused.value.__cause__.diag.constraint_name == name


@pytest.mark.parametrize("name", sorted(BREAKS))
def test_a_constraint_says_what_would_be_right(name: str) -> None:
    constraint = constraints()[name]
    assert constraint.violation_error_code
    assert (
        constraint.violation_error_message
        != type(constraint).default_violation_error_message
    )


@pytest.mark.parametrize(
    ("make", "column"),
    [
        pytest.param(counter, "used", id="used"),
        pytest.param(counter, "allowed", id="allowed"),
        pytest.param(shard, "failures", id="failures"),
        pytest.param(shard, "attempt", id="attempt"),
        pytest.param(factories.make_phase, "daily_quota", id="daily_quota"),
        pytest.param(factories.make_submission, "file_size", id="file_size"),
    ],
)
def test_counts_are_never_negative(
    make: Callable[[], models.Model], column: str
) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        change(make(), **{column: -1})


def test_a_phase_counter_exists_once_too() -> None:
    """NULL days are equal: a second counter of the whole phase would double it."""
    assert constraints()["quota_counter_unique"].nulls_distinct is False


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_allowed_states_are_the_ones_that_python_knows(
    model: type[models.Model],
) -> None:
    allowed = {}
    for constraint in model._meta.constraints:
        condition = getattr(constraint, "condition", None)
        if isinstance(constraint, CheckConstraint) and isinstance(condition, Q):
            match condition.children:
                case [(lookup, values)] if lookup.endswith("__in"):
                    if not condition.negated:
                        allowed[lookup.removesuffix("__in")] = sorted(values)
    known = {
        field.name: sorted(value for value, _ in field.choices)
        for field in model._meta.fields
        if field.choices
    }
    assert allowed == known


@pytest.mark.parametrize("verb", ["update", "delete"])
def test_audit_events_are_only_ever_added(verb: str) -> None:
    event = AuditEvent.objects.create(actor="ada", action="submit", subject="x 1")
    doing = {
        "update": lambda: AuditEvent.objects.filter(pk=event.pk).update(actor="eve"),
        "delete": lambda: AuditEvent.objects.filter(pk=event.pk).delete(),
    }
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        doing[verb]()
    assert AuditEvent.objects.get().actor == "ada"


def test_what_was_submitted_cannot_be_deleted_with_its_team_or_phase() -> None:
    submission = factories.make_submission()
    for parent in (submission.team, submission.phase, submission.created_by):
        with pytest.raises(models.ProtectedError):
            parent.delete()


def test_a_scored_evaluation_keeps_its_submission_and_test_set() -> None:
    evaluation = factories.make_scored()
    for parent in (evaluation.submission, evaluation.test_set):
        with pytest.raises(models.ProtectedError):
            parent.delete()


def test_later_ids_sort_behind_earlier_ones() -> None:
    made = [factories.make_submission().pk for _ in range(3)]
    assert made == sorted(made)
    assert timedelta(0) <= timezone.now() - Submission.objects.latest("pk").created_at
