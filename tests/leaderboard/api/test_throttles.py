"""Rates: what costs us can be asked for only so often."""

import pytest

from leaderboard.api.throttles import SubmitRate, ValidateRate
from tests.factories import make_phase, make_user
from tests.leaderboard.api.doors import address, with_token

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("rate", "end"), [(ValidateRate, "/validate"), (SubmitRate, "/submissions")]
)
def test_beyond_the_rate_one_is_told_to_wait(
    monkeypatch: pytest.MonkeyPatch, rate: type, end: str
) -> None:
    monkeypatch.setattr(rate, "rate", "2/min")
    phase, client = make_phase(), with_token(make_user())
    first = [client.post(address(phase, end)).status_code for _ in range(2)]
    answer = client.post(address(phase, end))
    assert first == [400, 400]  # no file
    assert (answer.status_code, answer.json()["code"]) == (429, "throttled")
    assert 0 < int(answer["Retry-After"]) <= 61
    assert answer["X-RateLimit-Limit"] == "2"
    assert answer["X-RateLimit-Remaining"] == "0"
    assert 0 < int(answer["X-RateLimit-Reset"]) <= 61


def test_one_users_rate_is_not_anothers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ValidateRate, "rate", "1/min")
    phase = make_phase()
    for client in (with_token(make_user()), with_token(make_user())):
        assert client.post(address(phase, "/validate")).status_code == 400
