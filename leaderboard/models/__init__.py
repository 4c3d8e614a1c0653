"""The tables. Every rule that must always hold is a named constraint."""

from leaderboard.models.audit import AuditEvent
from leaderboard.models.boards import Baseline, BoardEntry, PublishedResult, Score
from leaderboard.models.evaluations import Evaluation, Shard
from leaderboard.models.judges import JudgeAnswer, JudgeProfile
from leaderboard.models.submissions import (
    IdempotencyKey,
    QuotaCounter,
    QuotaEntry,
    Submission,
)
from leaderboard.models.teams import Membership, Team
from leaderboard.models.testsets import TestSetVersion
from leaderboard.models.tokens import ApiToken
from leaderboard.models.tracks import Phase, Track

__all__ = [
    "ApiToken",
    "AuditEvent",
    "Baseline",
    "BoardEntry",
    "Evaluation",
    "IdempotencyKey",
    "JudgeAnswer",
    "JudgeProfile",
    "Membership",
    "Phase",
    "PublishedResult",
    "QuotaCounter",
    "QuotaEntry",
    "Score",
    "Shard",
    "Submission",
    "Team",
    "TestSetVersion",
    "Track",
]
