"""What is wrong with a test set itself. Findings name places, never answers.

The quirks (Q5, Q13, …) are those of the protocol's specification, section 6.
"""

from collections.abc import Iterator, Sequence

from evaluation.egobench import lint_calls, lint_database, lint_words
from evaluation.egobench.compiled import (
    Compiled,
    CompiledTask,
    CompiledVariant,
    compile_test_set,
)
from evaluation.egobench.runs import Trajectory
from evaluation.egobench.scoring import judge
from evaluation.egobench.testset import Task, TestSet, Variant
from evaluation.suite import Finding


def lint(test_set: TestSet) -> Sequence[Finding]:
    """All findings, by task file and task, then by database."""
    compiled = compile_test_set(test_set)
    found: list[Finding] = []
    words = {
        name: lint_words.vocabulary(database)
        for name, database in test_set.databases.items()
    }
    for variant, ready in zip(test_set.variants, compiled.variants, strict=True):
        stage = compiled.stage(ready)
        for task, prepared in zip(variant.tasks, ready.tasks, strict=True):
            found += lint_calls.findings(stage, task)
            found += _outcome(compiled, ready, task, prepared)
            found += lint_words.findings(task, prepared, words[variant.database])
        found += _file(variant)
    for name, database in test_set.databases.items():
        ready = next(v for v in compiled.variants if v.database == name)
        found += lint_database.findings(name, database, compiled.stage(ready))
    return found


def _outcome(
    compiled: Compiled, variant: CompiledVariant, task: Task, prepared: CompiledTask
) -> Iterator[Finding]:
    """Whether the task can be passed, and whether one can pass by doing nothing."""
    calls = [{"tool_name": c.tool, "parameters": c.parameters} for c in task.calls]
    run = Trajectory(calls=calls, syntax=None if calls else "there are no tool calls")
    outcome = judge(compiled.stage(variant), variant, prepared, run)
    if outcome.error != "correct":
        cause = "it has no calls" if not calls else f"it ends as {outcome.error}"
        detail = f"the ground truth itself does not pass ({cause}); nobody can"
        yield Finding(code="impossible", detail=detail, place=task.place)
    empty = Trajectory(calls=(), syntax=None)
    if judge(compiled.stage(variant), variant, prepared, empty).result_success:
        detail = (
            "the ground truth leaves the state as it was, so an empty submission "
            "passes ResultSucc (Q15)"
        )
        yield Finding(code="empty_passes_result", detail=detail, place=task.place)


def _file(variant: Variant) -> Iterator[Finding]:
    """Task ids that are not 1 to N, which released tools take for granted (Q27)."""
    if [task.id for task in variant.tasks] != list(range(1, len(variant.tasks) + 1)):
        detail = (
            "ids are not 1 to N in file order; tools that pair by position go wrong"
        )
        yield Finding(
            code="ids_not_in_order", detail=detail, place=f"tasks/{variant.name}.json"
        )
