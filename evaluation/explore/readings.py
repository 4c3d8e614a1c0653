"""What a submission says about one scene, under each profile.

Strict: whatever cannot be scored counts 0, with its reason. Compat: as in the released
scripts, unanswered instances are left out, and where a script would crash the instance
is an error and left out too.
"""

from dataclasses import dataclass
from typing import Literal

from evaluation.explore.predictions import Predictions, answer
from evaluation.explore.scenes import CompiledScene, Extent

Outcome = Literal["scored", "zero", "skipped", "error"]


@dataclass(frozen=True, kw_only=True)
class Reading:
    """The text to score, or why there is none; `reason` is a stable code."""

    outcome: Outcome
    text: str = ""
    reason: str = ""

    @property
    def counts(self) -> bool:
        """Whether the instance is in the means' denominators."""
        return self.outcome in ("scored", "zero")


def read_strict(
    predictions: Predictions, scene: CompiledScene, extent: Extent
) -> Reading:
    """Every scene that the submission must answer counts, answered or not."""
    if not scene.objects:
        return Reading(outcome="skipped", reason="no_ground_truth")
    if scene.name != extent.only and not predictions.is_stepwise:
        return Reading(outcome="skipped", reason="other_scene")
    value = predictions.values.get(scene.frame)
    given = answer(value, scene.name, extent.only)
    if not given:
        return Reading(outcome="zero", reason="no_prediction")
    if not isinstance(given, str):
        return Reading(outcome="zero", reason="not_text")
    return Reading(outcome="scored", text=given)


def read_compat(
    predictions: Predictions, scene: CompiledScene, extent: Extent
) -> Reading:
    """One scene per run, the final one unless the test set has another only."""
    if not scene.objects:
        return Reading(outcome="skipped", reason="no_ground_truth")
    if scene.name != extent.only:
        return Reading(outcome="skipped", reason="other_scene")
    value = predictions.values.get(scene.frame)
    if not value:
        return Reading(outcome="skipped", reason="no_prediction")
    if isinstance(value, list):
        if scene.is_abnormal:
            return Reading(outcome="error", reason="list_in_abnormal")
        if scene.name != "final":
            return Reading(outcome="error", reason="list_for_middle_scene")
        value = value[-1]
    if not isinstance(value, str):
        return Reading(outcome="error", reason="not_text")
    return Reading(outcome="scored", text=value)
