"""A submission as an instance table: one row per task and mode."""

from collections.abc import Callable, Sequence

import numpy as np

from evaluation.egobench.compiled import Compiled, CompiledTask, CompiledVariant
from evaluation.egobench.metrics import ERRORS, RELIABILITY_KEYS
from evaluation.egobench.runs import Trajectory
from evaluation.egobench.scoring import Outcome, judge
from evaluation.egobench.submissions import Submission
from evaluation.egobench.testset import MODES
from evaluation.suite import Resources
from evaluation.tables import Floats, InstanceTable

Scored = tuple[CompiledVariant, str, CompiledTask, Trajectory | None, Outcome]


def score(
    compiled: Compiled,
    submission: Submission,
    rows: Sequence[int],
    resources: Resources,
) -> InstanceTable:
    """Score the chosen instances; percentages are 0 to 100 (spec 4.5, P8).

    A task without an entry fails and stays in every denominator.
    """
    scored = [_scored(compiled, submission, row) for row in rows]
    outcomes = [outcome for *_, outcome in scored]
    values, weights = _metrics(scored, outcomes)
    return InstanceTable(
        ids=tuple(compiled.ids[row] for row in rows),
        clusters=tuple(
            f"{variant.name}/{task.id}" for variant, _, task, _, _ in scored
        ),
        tags={
            "mode": tuple(mode for _, mode, *_ in scored),
            "scenario": tuple(variant.family for variant, *_ in scored),
            "scenario_mode": tuple(f"{v.family}/{mode}" for v, mode, *_ in scored),
            "variant": tuple(variant.name for variant, *_ in scored),
        },
        numerators=values,
        denominators=weights,
        errors={
            error.key: np.array([o.error == error.key for o in outcomes], np.int64)
            for error in ERRORS
        },
        details=_details(outcomes),
    )


def _scored(compiled: Compiled, submission: Submission, row: int) -> Scored:
    position, mode_position, place = compiled.instances[row]
    variant, mode = compiled.variants[position], MODES[mode_position]
    task = variant.tasks[place]
    trajectory = submission.files.get(f"{variant.name}_{mode}", {}).get(task.id)
    outcome = judge(compiled.stage(variant), variant, task, trajectory)
    return variant, mode, task, trajectory, outcome


def _metrics(
    scored: Sequence[Scored], outcomes: Sequence[Outcome]
) -> tuple[dict[str, Floats], dict[str, Floats]]:
    ones = np.ones(len(scored))
    joint = np.array([100.0 * o.joint_success for o in outcomes], float)
    values = {
        "joint_succ": joint,
        "tool_succ": np.array([100.0 * o.tool_success for o in outcomes], float),
        "result_succ": np.array([100.0 * o.result_success for o in outcomes], float),
        "micro_acc": np.array([100.0 * o.matches for o in outcomes], float),
    }
    weights = dict.fromkeys(values, ones)
    weights["micro_acc"] = np.array([o.total_gt_calls for o in outcomes], float)
    runs = [trajectory for _, _, _, trajectory, _ in scored]
    for key, tell in _told().items():
        found = [None if run is None else tell(run) for run in runs]
        values[key] = np.array([v if v is not None else 0.0 for v in found], float)
        weights[key] = np.array([v is not None for v in found], float)
    sound = np.array([r is None or r.has_sound_user is not False for r in runs], float)
    values["joint_succ_sound_user"], weights["joint_succ_sound_user"] = (
        joint * sound,
        sound,
    )
    return values, weights


def _told() -> dict[str, Callable[[Trajectory], float | None]]:
    """Information that a trajectory may carry, by metric."""

    def reliability(position: int) -> Callable[[Trajectory], float | None]:
        return lambda run: _percent(run.reliabilities[position])

    return {
        "rounds": lambda run: run.rounds,
        "calls": lambda run: float(len(run.calls)),
        "tokens": lambda run: run.tokens,
        **{key: reliability(i) for i, key in enumerate(RELIABILITY_KEYS)},
        "user_all": lambda run: _percent(run.has_sound_user),
    }


def _percent(share: float | None) -> float | None:
    return None if share is None else 100.0 * share


def _details(outcomes: Sequence[Outcome]) -> dict[str, tuple[object, ...]]:
    fields = (
        "matches",
        "total_gt_calls",
        "total_calls",
        "tool_success",
        "result_success",
        "joint_success",
        "sub_error",
        "reason",
    )
    return {field: tuple(getattr(o, field) for o in outcomes) for field in fields}
