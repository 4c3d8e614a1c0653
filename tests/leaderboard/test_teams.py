"""Teams, and the team of one that nobody has to make."""

import pytest
from django.contrib.auth.models import User

from leaderboard import teams
from leaderboard.models import Membership, Team
from tests import factories
from tests.workers.racing import race

pytestmark = pytest.mark.django_db


def test_a_user_s_own_team_is_made_once() -> None:
    user = factories.make_user("ada")
    team = teams.personal_team(user)
    assert (team.name, team.personal_of) == ("ada", user)
    assert teams.personal_team(user) == team
    assert list(teams.teams_of(user)) == [team]


def test_a_taken_name_is_numbered() -> None:
    factories.make_team(name="ADA")
    factories.make_team(name="ada 2")
    assert teams.personal_team(factories.make_user("ada")).name == "ada 3"


def test_a_long_name_is_cut() -> None:
    users = [User.objects.create_user("x" * 149 + end) for end in "ab"]
    names = [teams.personal_team(user).name for user in users]
    assert names == ["x" * 70, "x" * 70 + " 2"]


def test_a_user_belongs_to_several_teams() -> None:
    user = factories.make_user()
    joined = {
        factories.make_team(user),
        factories.make_team(factories.make_user(), user),
    }
    factories.make_team(factories.make_user())
    assert set(teams.teams_of(user)) == joined


@pytest.mark.django_db(transaction=True)
def test_first_requests_at_the_same_time_make_one_team() -> None:
    user = factories.make_user("ada")
    results = race(*[lambda: teams.personal_team(user)] * 4)
    assert len({getattr(result, "pk", result) for result in results}) == 1
    assert Team.objects.count() == Membership.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_users_of_like_names_race_for_one_name() -> None:
    users = [User.objects.create_user(name) for name in ("ada", "Ada", "ADA")]
    results = race(*(lambda u=u: teams.personal_team(u) for u in users))
    assert sorted(team.name.lower() for team in results) == ["ada", "ada 2", "ada 3"]
