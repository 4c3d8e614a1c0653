"""Reading a submission: a JSON object from start_frame to description(s)."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from evaluation.explore.captions import too_long, unfit
from evaluation.explore.scenes import Manifest, SceneName
from evaluation.judges.address import addresses_judge
from evaluation.problems import InvalidUpload, Problem, ProblemList, shown
from evaluation.reading import Member, Upload, refused
from evaluation.strict_json import decode
from evaluation.suite import Coverage

MAX_ANSWERS = 50_000  # start_frames; the published set has some 1,200
MAX_SEGMENTS = 1_000  # descriptions of one instance
MAX_BRACKETS = 500_000  # of all texts and lists: what nests takes 20 times its length
# Position in a list of descriptions that answers a scene.
POSITIONS: dict[SceneName, int] = {"mid_1": 0, "mid_2": 1, "final": -1}


@dataclass(frozen=True, kw_only=True)
class Predictions:
    """What a submission says, as given: start_frame -> text, list of texts, or other.

    A submission is stepwise when most of its values are lists of two or more; middle
    scenes are asked of stepwise submissions only.
    """

    values: Mapping[str, object]
    is_stepwise: bool
    coverage: Coverage = field(default_factory=Coverage)
    notices: tuple[Problem, ...] = ()


def read_predictions(upload: Upload, manifest: Manifest | None) -> Predictions:
    """Descriptions by start_frame. Raises InvalidUpload for form and length.

    Values that are no text are kept: they are counted invalid and score 0.
    """
    member = _only_json(upload)
    values = _decoded(member)
    problems, notices = ProblemList(), ProblemList()
    for frame, value in values.items():
        _check_value(member.name, frame, value, problems, notices)
    problems.raise_if_any()
    if manifest is not None:
        _check_known(member.name, values, manifest, notices)
    return _predictions(values, manifest, tuple(notices.listed))


def _decoded(member: Member) -> dict[str, object]:
    data = member.read()
    if data.count(b"[") + data.count(b"{") > MAX_BRACKETS:
        detail = f"has more than {MAX_BRACKETS} brackets; give texts or lists of texts"
        raise refused("too_many", detail, member.name)
    values = decode(data, file=member.name)
    if not isinstance(values, dict):
        detail = 'must be a JSON object, {"start_frame": "description", …}'
        raise refused("type", detail, member.name)
    if len(values) > MAX_ANSWERS:
        detail = f"has {len(values)} keys; at most {MAX_ANSWERS} are accepted"
        raise refused("too_many", detail, member.name)
    return values


def predictions_of(
    values: Mapping[str, object], manifest: Manifest | None = None
) -> Predictions:
    """Predictions made in Python, such as a baseline's."""
    return _predictions(values, manifest, ())


def answer(value: object, scene: SceneName, only: SceneName) -> object:
    """The part of a value that answers a scene; None where nothing does.

    A list answers mid_1, mid_2 and final with its first, second and last element; a
    text answers `only` the scene that plain texts of this test set describe.
    """
    if isinstance(value, list):
        position = POSITIONS[scene]
        return value[position] if len(value) > max(position, 0) else None
    return value if scene == only and value else None


def _predictions(
    values: Mapping[str, object],
    manifest: Manifest | None,
    notices: tuple[Problem, ...],
) -> Predictions:
    lists = sum(isinstance(v, list) and len(v) > 1 for v in values.values())
    is_stepwise = 2 * lists > len(values)
    final: tuple[SceneName, ...] = ("final",)
    frames = dict.fromkeys(values, final) if manifest is None else manifest.frames
    return Predictions(
        values=values,
        is_stepwise=is_stepwise,
        coverage=_coverage(values, frames, is_stepwise),
        notices=notices,
    )


def _coverage(
    values: Mapping[str, object],
    frames: Mapping[str, tuple[SceneName, ...]],
    is_stepwise: bool,
) -> Coverage:
    names = {name for scenes in frames.values() for name in scenes}
    only: SceneName = "final" if "final" in names or not names else min(names)
    states = [
        _state(answer(values.get(frame), name, only))
        for frame, scenes in frames.items()
        for name in scenes
        if is_stepwise or name == only
    ]
    return Coverage(
        expected=len(states),
        answered=states.count("answered"),
        missing=states.count("missing"),
        invalid=states.count("invalid"),
        unknown=len(values.keys() - frames.keys()),
    )


def _state(given: object) -> str:
    if not given:
        return "missing"
    return "answered" if isinstance(given, str) else "invalid"


def _only_json(upload: Upload) -> Member:
    members = [m for m in upload.members() if m.name.endswith(".json")]
    members = members or upload.members()
    if len(members) != 1:
        detail = f"holds {len(members)} JSON files; upload exactly one"
        raise refused("one_file", detail, upload.name)
    return members[0]


def _check_value(
    file: str, frame: str, value: object, problems: ProblemList, notices: ProblemList
) -> None:
    path = f"[{shown(frame)!r}]"
    parts = value if isinstance(value, list) else [value]
    if len(parts) > MAX_SEGMENTS:
        detail = f"has {len(parts)} texts; at most {MAX_SEGMENTS} are accepted"
        problems.add(_problem("too_many", detail, file, path))
        return
    for index, part in enumerate(parts):
        place = f"{path}[{index}]" if isinstance(value, list) else path
        if not isinstance(part, str):
            if part:
                detail = f"must be a text, got {shown(part)}; it scores 0"
                notices.add(_problem("not_text", detail, file, place))
            continue
        if fault := unfit(part):
            problems.add(_problem("not_unicode", fault, file, place))
        elif excess := too_long(part):
            problems.add(_problem("too_long", excess, file, place))
        elif reason := addresses_judge(part):
            detail = f"seems to address the judge ({reason}); staff will look at it"
            notices.add(_problem("addresses_judge", detail, file, place))


def _check_known(
    file: str, values: Mapping[str, object], manifest: Manifest, notices: ProblemList
) -> None:
    unknown = [frame for frame in values if frame not in manifest.frames]
    if values and len(unknown) == len(values):
        detail = "answers no instance of this test set; keys must be its start_frames"
        raise InvalidUpload(
            [Problem(code="unknown_instance", detail=detail, file=file)]
        )
    if unknown:
        detail = (
            f"{len(unknown)} keys are no start_frame of this test set and are ignored,"
            f" the first is {shown(unknown[0])!r}"
        )
        notices.add(Problem(code="unknown_instance", detail=detail, file=file))


def _problem(code: str, detail: str, file: str, path: str) -> Problem:
    return Problem(code=code, detail=detail, file=file, path=path)
