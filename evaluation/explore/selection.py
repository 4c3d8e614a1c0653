"""Parts of a test set, by instance id."""

from collections.abc import Mapping, Sequence

from evaluation.explore.predictions import Predictions
from evaluation.explore.scenes import Annotations
from evaluation.problems import InvalidUpload, Problem, shown
from evaluation.suite import Selection


def select(annotations: Annotations, selection: Selection) -> Annotations:
    """The scenes with these instance ids, in the test set's order.

    A `start_frame` selects its final scene, `start_frame#mid_1` a middle one. Raises
    InvalidUpload for ids that are not there.
    """
    if isinstance(selection, Mapping):
        detail = 'must be a list of instance ids, like ["a.jpg", "a.jpg#mid_1"]'
        raise InvalidUpload([Problem(code="selection", detail=detail)])
    known = {scene.id for scene in annotations.scenes}
    entries: Sequence[object] = selection  # from a file: anything may stand in it
    problems = [
        Problem(
            code="unknown_instance",
            detail=f"{shown(wanted)!r} is no instance of this test set",
            path=f"[{index}]",
        )
        for index, wanted in enumerate(entries)
        if not isinstance(wanted, str) or wanted not in known
    ]
    if problems:
        raise InvalidUpload(problems[:100], len(problems))
    chosen = set(selection)
    if not chosen:
        detail = "is empty; name at least one instance"
        raise InvalidUpload([Problem(code="selection", detail=detail)])
    return Annotations(scenes=tuple(s for s in annotations.scenes if s.id in chosen))


def submitted(predictions: Predictions, annotations: Annotations) -> Selection:
    """The instances whose start_frame the submission has."""
    finals = {s.frame for s in annotations.scenes if s.name == "final" and s.objects}
    return [
        scene.id
        for scene in annotations.scenes
        if scene.frame in predictions.values
        and (
            scene.name == "final"
            or predictions.is_stepwise
            or scene.frame not in finals
        )
    ]
