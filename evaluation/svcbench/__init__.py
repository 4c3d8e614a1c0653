"""SVCBench: counting in streaming video, one integer per query point."""

from evaluation.suite import Family, Metric, Suite
from evaluation.svcbench.annotations import (
    Annotations,
    Compiled,
    Manifest,
    compile_annotations,
    instance_ids,
    make_manifest,
    select,
)
from evaluation.svcbench.baselines import BASELINES
from evaluation.svcbench.draft import Predictions
from evaluation.svcbench.errors import ERRORS
from evaluation.svcbench.formats import RAW, UNIFIED, read_predictions, submitted
from evaluation.svcbench.lint import lint
from evaluation.svcbench.scoring import score
from evaluation.svcbench.taxonomy import SUBTYPES, TYPES
from evaluation.svcbench.truth import read_annotations

METRICS = (
    Metric(
        key="gpa",
        label="GPA",
        unit="%",
        meaning="Gaussian precision accuracy: closeness to the true count, with a "
        "tolerance of 5 % of it; below a count of 7 practically exact match.",
    ),
    Metric(
        key="moc",
        label="MoC",
        unit="%",
        meaning="Monotonicity consistency: how far into the question a cumulative "
        "count goes before it first falls; it looks at predictions only.",
    ),
    Metric(
        key="uda",
        label="UDA",
        unit="%",
        meaning="Update detection accuracy, as in the paper: where the true count "
        "changes, how often the prediction changes too.",
    ),
    Metric(
        key="uda_direction",
        label="UDA (script)",
        unit="%",
        meaning="Update direction accuracy, as in the released script: how often "
        "prediction and truth both rise, both fall or both stand still.",
    ),
)
FAMILIES = (
    Family(key="type", label="Type", order=TYPES),
    Family(key="subtype", label="Subtype", order=SUBTYPES),
    Family(key="source", label="Source of the video"),
)
DEVIATIONS = (
    "The truth comes from the test set alone. The released script takes it from the "
    "submission, so that a file with its own truth scores 100.",
    "A query point that is absent or unreadable counts as wrong, and so does a question "
    "that is absent. The released script averages over what was submitted, and crashes "
    "on an unreadable prediction.",
    "The order of rows never matters: query points are placed by q_id (or by time, in "
    "the unified format). The released script takes the order of the file for time.",
    "Unknown or repeated ids, wrong query indices or times, and lists of unequal length "
    "are refused with their lines. The released script scores them as something else.",
    "true and false are no counts, and neither is a number beyond 2^53-1. Unified files "
    "are read by the same rules as raw ones; the script cuts off fractions in raw only.",
    "UDA is the paper's, over the steps where the truth changes; the released script's "
    "is shown beside it as UDA (script). The published column fits the former.",
    "Bare NaN and Infinity are not JSON and are refused; lines of white space only are "
    "skipped, where the released script crashes.",
)

SUITE: Suite[Annotations, Manifest, Compiled, Predictions] = Suite(
    slug="svcbench",
    name="SVCBench",
    summary="Does a model keep count of objects and events while a video streams by?",
    paper="SVCBench: A Streaming Video Counting Benchmark for Spatial-Temporal State "
    "Maintenance, ECCV 2026, arXiv:2603.12703",
    protocols=("svcbench/1",),
    metrics=METRICS,
    headline="gpa",
    families=FAMILIES,
    errors=ERRORS,
    errors_count="question",
    formats=(RAW, UNIFIED),
    deviations=DEVIATIONS,
    baselines=BASELINES,
    instance_metrics=("gpa", "moc", "uda", "uda_direction"),
    instances_per_second=50_000,
    manifest_type=Manifest,
    compiled_type=Compiled,
    read_annotations=read_annotations,
    lint=lint,
    select=select,
    make_manifest=make_manifest,
    compile=compile_annotations,
    instance_ids=instance_ids,
    read_predictions=read_predictions,
    submitted=submitted,
    score=score,
)
