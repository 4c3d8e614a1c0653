"""Reading a submission: which of the two formats it is, and where each row belongs."""

from collections.abc import Callable

from evaluation.problems import ProblemList
from evaluation.reading import Upload, refused
from evaluation.suite import Format, Selection
from evaluation.svcbench import bulk, raw, unified
from evaluation.svcbench.annotations import Annotations, Manifest
from evaluation.svcbench.draft import ABSENT, Draft, Predictions
from evaluation.svcbench.form import own_manifest
from evaluation.svcbench.lines import Block, decode_chunk, read_chunks
from evaluation.svcbench.truth import the_file

RAW = Format(
    name="raw",
    description="JSON Lines, one row per query point, keyed by q_id; id, query_index "
    "and query_time may be left out, and must agree with the test set when present",
    example='{"q_id": "0000", "id": "0000", "query_index": 0, "query_time": 663.0, '
    '"prediction": 2}',
)
UNIFIED = Format(
    name="unified",
    description="JSON Lines, one row per question: a prediction for each query time; "
    "times may come in any order, and a time left out is a missing prediction",
    example='{"id": "0000", "query_times": [663.0, 665.3, 829.7], '
    '"predictions": [2, 4, 0]}',
)

FILE = "predictions.jsonl"  # its usual name, where an archive holds several

Place = Callable[[Block, Draft], None]


def read_predictions(upload: Upload, manifest: Manifest | None) -> Predictions:
    """Read either format, in whatever order of rows.

    Without a manifest the file is held against itself: its form is checked, and
    coverage is what it has. Raises InvalidUpload with every line that fits nowhere.
    """
    member = the_file(upload, FILE)
    wanted = manifest or own_manifest(the_file(upload, FILE))
    draft, broken = Draft(wanted, member.name), ProblemList()
    place: Place | None = None
    rows = 0
    for chunk in read_chunks(member):
        if place is not unified.place and not broken.total:
            placed = bulk.place(chunk, draft)
            if placed:
                rows, place = rows + placed, raw.place
                continue
        block = decode_chunk(chunk, broken)
        rows += len(block.rows)
        place = place or _format(block)
        if not broken.total:
            (place or raw.place)(block, draft)
    broken.raise_if_any()  # with lines that are no JSON, nothing else can be trusted
    if not rows:
        raise refused("empty", "has no rows; give one per query point", member.name)
    draft.problems.raise_if_any()
    return draft.finish(is_bound=manifest is not None)


def submitted(predictions: Predictions, annotations: Annotations) -> Selection:
    """Ids of the questions with at least one query point in the file."""
    manifest = predictions.manifest
    if manifest is None:
        raise ValueError("read the predictions with a manifest first")
    there = predictions.state != ABSENT
    found = {one for one, is_there in zip(manifest.ids, there, strict=True) if is_there}
    return [question.id for question in annotations.questions if question.id in found]


def _format(block: Block) -> Place | None:
    """The format that the first object decides; None while there is none."""
    first = next((row for row in block.rows if isinstance(row, dict)), None)
    if first is None:
        return None
    return unified.place if "predictions" in first else raw.place
