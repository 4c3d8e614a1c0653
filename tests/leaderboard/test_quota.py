"""The ledger of slots, by the days of the phase's own time zone."""

from datetime import UTC, date, datetime

import pytest

from leaderboard import quota
from leaderboard.models import Phase, QuotaCounter, QuotaEntry, Submission, Team
from leaderboard.refusals import Refused
from tests import factories
from tests.workers.racing import race

pytestmark = pytest.mark.django_db
EVENING = datetime(2026, 3, 1, 15, 59, tzinfo=UTC)  # 23:59 in Shanghai
MIDNIGHT = datetime(2026, 3, 1, 16, 0, tzinfo=UTC)  # 00:00 of the 2nd there


def reserve(phase: Phase, team: Team, now: datetime = EVENING) -> Submission:
    submission = factories.make_submission(phase, team=team)
    quota.reserve(submission, now)
    return submission


def ledger(submission: Submission) -> list[tuple[str, str]]:
    return list(submission.quota_entries.values_list("kind", "reason"))


def left(team: Team, phase: Phase, now: datetime = EVENING) -> tuple[int, int]:
    found = quota.remaining(team, phase, now)
    return found.today, found.in_all


def test_a_slot_is_reserved_then_used() -> None:
    phase, team = factories.make_phase(daily_quota=2), factories.make_team()

    submission = reserve(phase, team)
    quota.consume(submission, "accepted")

    assert ledger(submission) == [("reserve", "submitted"), ("consume", "accepted")]
    assert left(team, phase) == (1, 999)


def test_a_slot_is_given_back_once() -> None:
    phase, team = factories.make_phase(daily_quota=2), factories.make_team()
    submission = reserve(phase, team)
    reserve(phase, team)

    for reason in ("the file was rejected", "again"):
        quota.refund(submission, reason)

    assert ledger(submission)[1:] == [("refund", "the file was rejected")]
    assert left(team, phase) == (1, 999)


def test_the_day_ends_at_midnight_in_the_phase_s_time_zone() -> None:
    phase = factories.make_phase(daily_quota=1, time_zone="Asia/Shanghai")
    team = factories.make_team()

    first = reserve(phase, team, EVENING)
    with pytest.raises(Refused, match="1 submissions a day"):
        quota.reserve(factories.make_submission(phase, team=team), EVENING)
    second = reserve(phase, team, MIDNIGHT)

    days = [one.quota_entries.get().day for one in (first, second)]
    assert days == [date(2026, 3, 1), date(2026, 3, 2)]


def test_a_slot_goes_back_to_the_day_it_was_taken_from() -> None:
    phase = factories.make_phase(daily_quota=1, time_zone="Asia/Shanghai")
    team = factories.make_team()
    yesterday = reserve(phase, team, EVENING)
    reserve(phase, team, MIDNIGHT)

    quota.refund(yesterday, "we could not score it")

    assert left(team, phase, EVENING) == (1, 999)
    assert left(team, phase, MIDNIGHT) == (0, 999)


def test_the_whole_phase_has_a_limit_of_its_own() -> None:
    phase = factories.make_phase(daily_quota=5, total_quota=1)
    team = factories.make_team()
    reserve(phase, team, EVENING)

    with pytest.raises(Refused) as refused:
        quota.reserve(factories.make_submission(phase, team=team), MIDNIGHT)
    assert refused.value.code == "quota_exceeded"
    assert "1 submissions in all" in refused.value.message
    assert left(team, phase, MIDNIGHT) == (0, 0)


def test_teams_and_phases_do_not_share_slots() -> None:
    track = factories.make_track()
    phases = [factories.make_phase(track, slug=s, daily_quota=1) for s in ("a", "b")]
    for team in (factories.make_team(), factories.make_team()):
        for phase in phases:
            reserve(phase, team)
            assert left(team, phase) == (0, 999)


def test_a_raised_quota_counts_at_once_and_a_lowered_one_too() -> None:
    phase, team = factories.make_phase(daily_quota=1), factories.make_team()
    first = reserve(phase, team)

    phase.daily_quota = 3
    phase.save()
    second = reserve(phase, team)
    phase.daily_quota = 1
    phase.save()
    with pytest.raises(Refused):
        quota.reserve(factories.make_submission(phase, team=team), EVENING)
    quota.refund(first, "we could not score it")
    quota.refund(second, "we could not score it")

    assert left(team, phase) == (1, 1000)


def test_a_quota_of_zero_takes_nothing() -> None:
    phase, team = factories.make_phase(daily_quota=0), factories.make_team()
    with pytest.raises(Refused):
        quota.require(team, phase, EVENING)
    with pytest.raises(Refused):
        quota.reserve(factories.make_submission(phase, team=team), EVENING)


def test_giving_back_survives_a_counter_that_was_reset_by_hand() -> None:
    phase, team = factories.make_phase(), factories.make_team()
    submission = reserve(phase, team)
    QuotaCounter.objects.update(used=0)

    quota.refund(submission, "we could not score it")

    assert left(team, phase) == (10, 1000)


def test_a_submission_without_a_reservation_gives_nothing_back() -> None:
    submission = factories.make_submission()

    quota.consume(submission, "accepted")
    quota.refund(submission, "we could not score it")

    assert not QuotaEntry.objects.exists()
    assert not QuotaCounter.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_requests_race_for_the_last_slot_and_one_gets_it() -> None:
    phase, team = factories.make_phase(daily_quota=1), factories.make_team()
    made = [factories.make_submission(phase, team=team) for _ in range(4)]

    results = race(*(lambda s=s: quota.reserve(s, EVENING) for s in made))

    assert sorted(type(result).__name__ for result in results) == [
        "NoneType",
        "Refused",
        "Refused",
        "Refused",
    ]
    assert left(team, phase) == (0, 999)
