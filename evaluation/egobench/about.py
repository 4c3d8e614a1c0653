"""What the suite's page says: accepted formats, and where we differ and why."""

from evaluation.egobench.result_files import MAX_FILE_MIB
from evaluation.egobench.trajectories import MAX_CALLS, MAX_TASK_MIB
from evaluation.suite import Format

_ENTRY = (
    '{"scenario_id": 1, "tool_calls": [{"turn": 1, "calls": [{"tool_name": '
    '"get_price", "parameters": {"product_name": "Oat Crackers"}}], "results": []}]}'
)

FORMATS = (
    Format(
        name="result files",
        description=(
            "A zip or directory of files <scenario><n>_<mode>.json, as the released "
            "runner writes them: an array with one entry per task. Turns may have "
            "`calls` (an array) or `call` (one). Dialogues, results and other fields "
            f"are skipped. At most {MAX_FILE_MIB} MiB per file, {MAX_CALLS} calls per "
            f"task and {MAX_TASK_MIB} MiB of calls per task."
        ),
        example=f"retail1_easy.json: [{_ENTRY}]",
    ),
    Format(
        name="joined",
        description="The same arrays in one JSON object (or .json.gz), by file name.",
        example=f'{{"submission": {{"retail1_easy": [{_ENTRY}]}}}}',
    ),
)

DEVIATIONS = (
    "A task without an entry, or whose entry is null or no object, fails as `missing` "
    "and stays in every denominator; the released script leaves it out (P1, P8).",
    "`tool_calls` that is not an array fails as `syntax` and is counted; the released "
    "script leaves the task out (P2).",
    "Two calls that cannot be compared do not match; in the released script one such "
    "call sets all counts of the task to 0, which also shrinks MicroAcc's denominator "
    "(P3).",
    "A call without a name, or that is no object, makes the task fail ToolSucc and is "
    "a syntax error (P4).",
    "Only declared tools can be called. The released script calls any attribute of its "
    "store, so that `init_from_json` wipes out harmful writes (P5).",
    "`parameters` that is no object matches nothing, runs nothing and is a syntax "
    "error if the task fails; the released analysis crashes (P6).",
    "A user_id that is none of the ground truth's, of whatever type, is a "
    "hallucination; the released analysis crashes on some types (P7).",
    "MicroAcc is the sum of matches over the sum of required calls, as in the paper; "
    "the released summary averages files.",
    "Five error classes as in the paper; the released `memory` (exactly one required "
    "call lacking) is a sub-label of logic.",
    "JointSucc over all modes is the mean of each mode's JointSucc, as in the paper's "
    "last column.",
    "What PRESENT means for a household item is a fixed date, not the clock (Q25).",
    f"At most {MAX_CALLS} calls per task are accepted; the released dialogue runner "
    "stops at 200, its evaluator at nothing (Q30).",
    "Values of the wrong type in fields that are not scored are ignored; the released "
    "script discards the file (Q28).",
)
