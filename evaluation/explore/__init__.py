"""EXPLORE-Bench: descriptions of final scenes, scored at three levels.

Importing this package loads no model: torch and spaCy come with the first compile or
score.
"""

from evaluation.explore.annotations import read_annotations
from evaluation.explore.baselines import BASELINES
from evaluation.explore.compiling import compile_annotations, make_manifest
from evaluation.explore.elements import ERRORS
from evaluation.explore.lint import lint
from evaluation.explore.metrics import FAMILIES, METRICS
from evaluation.explore.predictions import Predictions, read_predictions
from evaluation.explore.scenes import Annotations, Compiled, Manifest
from evaluation.explore.scoring import COMPAT, STRICT, score
from evaluation.explore.selection import select, submitted
from evaluation.explore.strategies import CARD_FIELDS
from evaluation.explore.warming import best_parser, warm_up
from evaluation.suite import Format, Suite

DEVIATIONS = (
    "A missing, empty or unusable prediction scores 0 and stays in the mean; the released"
    " script leaves it out or stops.",
    "A description without a noun scores 0; the released ordinary script stops.",
    "Each relation is judged on its own object's sentences and those it names; the"
    " released ordinary script lets sentences pile up over an object's relations, and"
    " an object without relations shifts all later pairs.",
    "A judge's answer outside 0-5 or without a number is asked once more, then counts 0"
    " and is reported; the released script averages 45 or -1.",
    "A scene without any relation has relation score 0; the released script stops.",
    "Equal WordPiece inputs share one vector, in both protocols; the released script"
    " compares vectors of different batches and loses some mentions to rounding.",
    "Lists are read for abnormal and for middle scenes too.",
    "The weighted score over three scenes is computed as meant; the released mode"
    " raises before it scores.",
    "Annotations and descriptions are checked when they are uploaded, and repeated"
    " start_frames are refused.",
)

SUITE: Suite[Annotations, Manifest, Compiled, Predictions] = Suite(
    slug="explore",
    name="EXPLORE-Bench",
    summary=(
        "Describe the final scene that follows from an egocentric image and a long list"
        " of atomic actions"
    ),
    paper="https://arxiv.org/abs/2603.09731",
    protocols=(STRICT, COMPAT),
    metrics=METRICS,
    headline="s_uni",
    families=FAMILIES,
    errors=ERRORS,
    errors_count="element",
    formats=(
        Format(
            name="JSON",
            description=(
                "One object from start_frame to a description of the final scene, or,"
                " for stepwise inference, to a list of descriptions whose last one is"
                " the final scene"
            ),
            example='{"kitchen_01.jpg": "A white bowl stands on the table."}',
        ),
    ),
    deviations=DEVIATIONS,
    baselines=BASELINES,
    instance_metrics=("s_uni", "s_obj", "s_att", "s_rel", "s_abn", "s_key"),
    instances_per_second=8.0,
    needs_judge=True,
    card_fields=CARD_FIELDS,
    upload_mib=32,  # decoded whole
    warm_up=warm_up,
    parser=best_parser,
    refused_notices=frozenset({"not_text"}),
    staff_notices=frozenset({"addresses_judge"}),
    manifest_type=Manifest,
    compiled_type=Compiled,
    read_annotations=read_annotations,
    lint=lint,
    select=select,
    make_manifest=make_manifest,
    compile=compile_annotations,
    instance_ids=lambda compiled: [scene.id for scene in compiled.scenes],
    read_predictions=read_predictions,
    submitted=submitted,
    score=score,
)
