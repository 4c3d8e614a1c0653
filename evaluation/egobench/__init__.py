"""EgoBench: tool-call trajectories of agents who see through a user's eyes."""

from evaluation.egobench.about import DEVIATIONS, FORMATS
from evaluation.egobench.annotations import read_annotations
from evaluation.egobench.baselines import BASELINES
from evaluation.egobench.compiled import Compiled, compile_test_set
from evaluation.egobench.lint import lint
from evaluation.egobench.metrics import ERRORS, FAMILIES, INFORMATION, METRICS
from evaluation.egobench.submissions import Submission, read_predictions, submitted
from evaluation.egobench.table import score
from evaluation.egobench.testset import Manifest, TestSet, make_manifest, select
from evaluation.suite import Suite

SUITE: Suite[TestSet, Manifest, Compiled, Submission] = Suite(
    slug="egobench",
    name="EgoBench",
    summary=(
        "Whether an agent that sees a first-person video and talks with a user makes "
        "the right tool calls and leaves the right state."
    ),
    paper="https://arxiv.org/abs/2605.27820",
    protocols=("egobench/1",),
    metrics=(*METRICS, *INFORMATION),
    headline="joint_succ",
    families=FAMILIES,
    errors=ERRORS,
    errors_count="task",
    formats=FORMATS,
    deviations=DEVIATIONS,
    baselines=BASELINES,
    instance_metrics=(),  # the details say it all
    instances_per_second=2000.0,
    manifest_type=Manifest,
    compiled_type=Compiled,
    read_annotations=read_annotations,
    lint=lint,
    select=select,
    make_manifest=make_manifest,
    compile=compile_test_set,
    instance_ids=lambda compiled: compiled.ids,
    read_predictions=read_predictions,
    submitted=submitted,
    score=score,
)
