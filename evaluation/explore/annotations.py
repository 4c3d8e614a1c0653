"""Reading annotation files: the published lists, alone or in a directory or archive."""

from collections.abc import Iterator
from functools import partial
from pathlib import PurePosixPath

from evaluation.explore.checking import check_item, is_text
from evaluation.explore.scenes import (
    KIND_KEY,
    MID,
    SCENE_KEYS,
    SCENES,
    Annotations,
    Scene,
    SceneName,
    SceneObject,
)
from evaluation.problems import Problem, ProblemList, shown
from evaluation.reading import Member, Upload, refused
from evaluation.strict_json import decode

TINY_LIST = "tiny_list.json"


class Reader:
    """Collects the scenes of several annotation files, and every problem in them."""

    def __init__(self) -> None:
        self.problems = ProblemList()
        self.items: dict[str, dict[str, object]] = {}
        self.files: dict[str, list[str]] = {}
        self.abnormal: set[str] = set()
        self.tiny: set[str] = set()

    def complain(self, file: str, path: str, detail: str, code: str = "type") -> None:
        self.problems.add(Problem(code=code, detail=detail, file=file, path=path))

    def add_list(self, member: Member) -> None:
        """Take in one annotation list."""
        value = decode(member.read(), file=member.name)
        if not isinstance(value, list):
            detail = "must be a list of annotated instances"
            self.problems.add(Problem(code="type", detail=detail, file=member.name))
            return
        seen: set[str] = set()
        for index, item in enumerate(value):
            frame = self._frame(member.name, f"[{index}]", item, seen)
            if frame is not None:
                self._take(member.name, f"[{index}]", frame, item)
        if "abn" in stem(member.name) or any(map(_has_key_state, value)):
            self.abnormal |= seen
        if "tiny" in stem(member.name):
            self.tiny |= seen

    def add_tiny(self, member: Member) -> None:
        """Take in a list of the start_frames of the tiny subset."""
        names = decode(member.read(), file=member.name)
        if isinstance(names, list) and all(isinstance(name, str) for name in names):
            self.tiny |= set(names)
        else:
            self.complain(member.name, "", "must be a list of start_frame names")

    def _frame(self, file: str, path: str, item: object, seen: set[str]) -> str | None:
        frame = item.get("start_frame") if isinstance(item, dict) else None
        if (
            not isinstance(frame, str)
            or not is_text(frame)
            or not frame
            or MID in frame
        ):
            detail = f"must be an object with a start_frame (a text without {MID!r})"
            self.complain(file, path, detail)
            return None
        if frame in seen:
            detail = f"repeats the start_frame {shown(frame)!r}; keep one of the two"
            self.complain(file, path, detail, "duplicate_start_frame")
            return None
        seen.add(frame)
        return frame

    def _take(self, file: str, path: str, frame: str, item: dict[str, object]) -> None:
        known = self.items.setdefault(frame, item)
        self.files.setdefault(frame, []).append(file)
        if known is item:
            check_item(item, path, partial(self.complain, file))
        elif known != item:
            detail = (
                f"differs from the same start_frame in {self.files[frame][0]};"
                " a subset file must repeat the instance unchanged"
            )
            self.complain(file, path, detail, "duplicate_start_frame")

    def scenes(self) -> Iterator[Scene]:
        """The scenes read, in file order. Raises InvalidUpload."""
        self.problems.raise_if_any()
        for frame, item in self.items.items():
            for name in SCENES:
                # Without any list there still is an instance: an empty final scene.
                if name == "final" or item.get(SCENE_KEYS[name]):
                    yield self._scene(frame, name, item)

    def _scene(self, frame: str, name: SceneName, item: dict[str, object]) -> Scene:
        actions = item.get("atomic_actions", "")
        objects = item.get(SCENE_KEYS[name]) or []
        files = self.files[frame]
        return Scene(
            frame=frame,
            name=name,
            actions=len(actions.split("|"))
            if isinstance(actions, str) and actions
            else 0,
            objects=tuple(map(_object, objects if isinstance(objects, list) else [])),
            is_abnormal=frame in self.abnormal,
            kind=str(item.get(KIND_KEY, "")),
            is_tiny=frame in self.tiny,
            is_self_recorded=any("self" in stem(file) for file in files),
            listed_in=tuple(files),
        )


def read_annotations(upload: Upload) -> Annotations:
    """Annotated scenes of a list, or of every `anno*.json` of a directory or archive.

    Subset files (tiny, short, …) may repeat instances. Raises InvalidUpload.
    """
    members = upload.members()
    lists = [member for member in members if stem(member.name).startswith("anno")]
    if not lists and len(members) == 1:
        lists = members
    if not lists:
        detail = "holds no anno*.json; upload an annotation list or a folder of them"
        raise refused("no_annotations", detail, upload.name)
    reader = Reader()
    for member in lists:
        reader.add_list(member)
    for member in members:
        if PurePosixPath(member.name).name == TINY_LIST:
            reader.add_tiny(member)
    scenes = tuple(reader.scenes())
    if not scenes:
        raise refused("no_annotations", "holds no instances", upload.name)
    return Annotations(scenes=scenes)


def stem(name: str) -> str:
    """A file's name without folder and extension, in lower case."""
    return PurePosixPath(name).stem.lower()


def _has_key_state(item: object) -> bool:
    objects = item.get("end_frame_info") if isinstance(item, dict) else None
    return isinstance(objects, list) and any(
        isinstance(value, dict) and "key_state" in value for value in objects
    )


def _object(value: dict[str, object]) -> SceneObject:
    key_state = value.get("key_state")
    relation = value["relation"]
    return SceneObject(
        category=str(value["category"]),
        description=str(value["description"]),
        relations=tuple(relation) if isinstance(relation, list) else (),
        key_state=key_state
        if isinstance(key_state, str) and key_state.strip()
        else None,
    )
