"""The metrics and subset families of EXPLORE-Bench, as data."""

from evaluation.explore.scenes import KINDS, LENGTHS, SCENES
from evaluation.suite import Family, Metric

# The released evaluator scores final scenes unless told otherwise, so a middle scene
# must not move a number while final scenes are there; alone (in `scene:mid_1`), where
# nothing has a weight, it is the whole number.
FINAL_FIRST = {"final": 1.0}
MULTI_WEIGHTS = {"mid_1": 0.2, "mid_2": 0.3, "final": 0.5}

_OBJ = (
    "Share of the annotated object names that a noun of the description matches,"
    " each counted with its Sentence-BERT similarity"
)
_ATT = "Judge's rating of how well the objects' attributes are described"
_REL = "Judge's rating of how well the objects' relations are described"
_ABN = "Abnormal scenes only: 0.1 S_uni + 0.9 · 20 S_key"
_KEY = "Judge's rating of how well an abnormal scene's key states are described"
_UNI = "0.25 S_obj + 0.35 · 20 S_att + 0.40 · 20 S_rel"


def _final(key: str, label: str, meaning: str, *, scale: float = 100.0) -> Metric:
    return Metric(
        key=key,
        label=label,
        unit="points" if scale == 100.0 else "of 5",
        meaning=meaning,
        high=scale,
        decimals=2,
        balanced_by="scene",
        weights=FINAL_FIRST,
    )


METRICS = (
    _final("s_uni", "S_uni", _UNI),
    _final("s_obj", "S_obj", _OBJ),
    _final("s_att", "S_att", _ATT, scale=5.0),
    _final("s_rel", "S_rel", _REL, scale=5.0),
    _final("s_abn", "S_abn", _ABN),
    _final("s_key", "S_key", _KEY, scale=5.0),
    Metric(
        key="s_uni_multi",
        label="S_uni, three scenes",
        unit="points",
        meaning=(
            "Stepwise submissions only: the first middle scene weighs 0.2, the second"
            " 0.3 and the final scene 0.5"
        ),
        decimals=2,
        is_information=True,
        balanced_by="scene",
        weights=MULTI_WEIGHTS,
    ),
    Metric(
        key="words",
        label="Words",
        unit="words",
        meaning="Length of the scored description",
        high=10_000.0,
        decimals=0,
        is_information=True,
        balanced_by="scene",
        weights=FINAL_FIRST,
    ),
)

FAMILIES = (
    Family(key="length", label="Number of atomic actions", order=LENGTHS),
    Family(key="scene", label="Scene", order=SCENES),
    Family(
        key="abnormal",
        label="Kind of abnormality",
        order=KINDS,
    ),
    Family(key="set", label="Published sample", order=("tiny",)),
    Family(key="source", label="Source", order=("self_recorded",)),
)
