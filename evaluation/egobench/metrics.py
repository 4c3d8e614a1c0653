"""What EgoBench reports: metrics, subsets and error types, as data."""

from evaluation.egobench.testset import MODES
from evaluation.suite import ErrorType, Family, Metric

RELIABILITY_KEYS = (
    "user_role",
    "user_instruction",
    "user_resilience",
    "user_context",
)
HIGHEST = {"rounds": 50.0, "calls": 200.0, "tokens": 1_000_000.0}  # for charts

METRICS = (
    Metric(
        key="joint_succ",
        label="JointSucc",
        unit="%",
        meaning=(
            "Share of tasks that cover every required call and end in the required "
            "state; over all modes, the mean of each mode's share."
        ),
        decimals=2,
        balanced_by="mode",
    ),
    Metric(
        key="tool_succ",
        label="ToolSucc",
        unit="%",
        meaning="Share of tasks whose calls cover every required call.",
        decimals=2,
    ),
    Metric(
        key="result_succ",
        label="ResultSucc",
        unit="%",
        meaning="Share of tasks whose replayed calls end in the required state.",
        decimals=2,
    ),
    Metric(
        key="micro_acc",
        label="MicroAcc",
        unit="%",
        meaning="Required calls made, of all required calls of all tasks.",
        decimals=2,
    ),
)


def _information(
    key: str, label: str, unit: str, meaning: str, balanced_by: str | None = None
) -> Metric:
    return Metric(
        key=key,
        label=label,
        unit=unit,
        meaning=meaning,
        high=HIGHEST.get(key, 100.0),
        is_information=True,
        balanced_by=balanced_by,
    )


INFORMATION = (
    _information("rounds", "Rounds", "rounds", "Dialogue rounds per task, as told."),
    _information("calls", "Calls", "calls", "Tool calls per answered task."),
    _information("tokens", "Tokens", "tokens", "Tokens per task, as told."),
    _information(
        "user_role",
        "Role consistency",
        "%",
        "How often the simulated user stays a user.",
    ),
    _information(
        "user_instruction",
        "Instruction following",
        "%",
        "How often the simulated user keeps to its task.",
    ),
    _information(
        "user_resilience",
        "Resilience",
        "%",
        "How often the simulated user withstands being led astray.",
    ),
    _information(
        "user_context",
        "Contextual robustness",
        "%",
        "How often the simulated user keeps track of the dialogue.",
    ),
    _information(
        "user_all",
        "Sound user",
        "%",
        "Share of trajectories in which all four checks of the user hold.",
    ),
    _information(
        "joint_succ_sound_user",
        "JointSucc, sound user",
        "%",
        "JointSucc without the tasks whose simulated user is known to have failed.",
        balanced_by="mode",
    ),
)

FAMILIES = (
    Family(key="mode", label="Mode", order=MODES),
    Family(
        key="scenario",
        label="Scenario",
        order=(
            "retail",
            "kitchen",
            "restaurant",
            "order",
            "warehouse",
            "household",
        ),
    ),
    Family(key="scenario_mode", label="Scenario and mode"),
    Family(key="variant", label="Variant"),
)

ERRORS = (
    ErrorType(
        key="correct",
        label="Correct",
        meaning="Every required call is made and the end state is right.",
        is_right=True,
    ),
    ErrorType(
        key="missing",
        label="Missing",
        meaning="The submission has no entry for the task.",
    ),
    ErrorType(
        key="syntax",
        label="Syntax (c1)",
        meaning="No tool call at all, or a call that is malformed.",
    ),
    ErrorType(
        key="perception",
        label="Perception (c2)",
        meaning="No query names what the video shows, or the restaurant is wrong.",
    ),
    ErrorType(
        key="hallucination",
        label="Hallucination (c3)",
        meaning="A call acts for a user who is not the task's.",
    ),
    ErrorType(
        key="logic",
        label="Logic (c4)",
        meaning="Required calls are lacking; exactly one lacking is called memory.",
    ),
    ErrorType(
        key="over_operation",
        label="Over-operation (c5)",
        meaning="Every required call is made, but the end state is another one.",
    ),
)
