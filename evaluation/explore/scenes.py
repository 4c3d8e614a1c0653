"""The typed data of a test set: annotated scenes, the manifest, the compiled form."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import msgspec
import numpy as np
import numpy.typing as npt

SceneName = Literal["mid_1", "mid_2", "final"]
SCENES: tuple[SceneName, ...] = ("mid_1", "mid_2", "final")
SCENE_KEYS: dict[SceneName, str] = {
    "final": "end_frame_info",
    "mid_1": "middle_frame_1_info",
    "mid_2": "middle_frame_2_info",
}
LENGTHS = ("short", "medium", "long")
LENGTH_RANGES = {"short": (11, 99), "medium": (100, 199), "long": (200, 694)}
KINDS = ("environmental_damage", "safety_hazard")
KIND_KEY = "abnormal_kind"  # not in the published schema; hosts may add it
MID = "#"  # between a start_frame and the name of a scene that is not the final one


class SceneObject(msgspec.Struct, frozen=True, kw_only=True):
    """One annotated object. `key_state` is None where none is annotated."""

    category: str
    description: str
    relations: tuple[str, ...]
    key_state: str | None = None


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """One annotated scene: what one instance of the test set asks for."""

    frame: str  # the start_frame; predictions are keyed by it
    name: SceneName
    actions: int  # number of atomic actions, 0 when not given
    objects: tuple[SceneObject, ...]
    is_abnormal: bool = False
    kind: str = ""  # of abnormality, where annotated
    is_tiny: bool = False
    is_self_recorded: bool = False
    listed_in: tuple[str, ...] = ()  # names of the annotation files

    @property
    def id(self) -> str:
        """`start_frame`, with `#mid_1` or `#mid_2` for a middle scene."""
        return instance_id(self.frame, self.name)

    @property
    def length(self) -> str:
        """short, medium or long; counts below 11 are short, above 694 long."""
        if not self.actions:
            return ""
        return next((k for k in LENGTHS if self.actions <= LENGTH_RANGES[k][1]), "long")


class Annotations(msgspec.Struct, frozen=True, kw_only=True):
    """A test set's scenes, instance by instance."""

    scenes: tuple[Scene, ...]


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What must be answered: public. Maps each start_frame to its scenes' names."""

    frames: dict[str, tuple[SceneName, ...]]


class CompiledObject(msgspec.Struct, frozen=True, kw_only=True):
    """An annotated object with what its relations refer to.

    `category` is an index into the scene's categories; `related` gives, for each
    relation, the indexes of the other objects whose category the phrase contains.
    """

    category: int
    description: str
    relations: tuple[str, ...]
    related: tuple[tuple[int, ...], ...]
    key_state: str | None = None


class CompiledScene(msgspec.Struct, frozen=True, kw_only=True):
    """A scene ready to be scored against.

    `categories` are distinct, in first-appearance order; `vectors` holds, for each of
    them, the row of the test set's vectors.
    """

    id: str
    frame: str
    name: SceneName
    length: str
    kind: str
    is_abnormal: bool
    is_tiny: bool
    is_self_recorded: bool
    categories: tuple[str, ...]
    vectors: npt.NDArray[np.int64]
    objects: tuple[CompiledObject, ...]


class Compiled(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about a test set that no submission changes.

    `vectors` has the shape (distinct WordPiece inputs, 384), rows as in `tokens`.
    """

    encoder: str
    tokens: tuple[tuple[int, ...], ...]
    vectors: npt.NDArray[np.float32]
    scenes: tuple[CompiledScene, ...]


@dataclass(frozen=True, kw_only=True)
class Extent:
    """Which scenes and tracks a test set asks for; decides what a string answers."""

    names: frozenset[SceneName]
    has_ordinary: bool

    @property
    def only(self) -> SceneName:
        """The scene that a plain string describes: the final one where there is one."""
        is_final = "final" in self.names or not self.names
        return "final" if is_final else min(self.names)

    @property
    def has_one(self) -> bool:
        return len(self.names) <= 1


def extent(scenes: Iterable[CompiledScene]) -> Extent:
    """The extent of a whole test set, never of a shard.

    Scenes without objects ask nothing, so a set annotated in the middle only asks for
    middle scenes.
    """
    found = [scene for scene in scenes if scene.objects]
    return Extent(
        names=frozenset(scene.name for scene in found),
        has_ordinary=any(not scene.is_abnormal for scene in found),
    )


def instance_id(frame: str, name: SceneName) -> str:
    """The instance id of a scene."""
    return frame if name == "final" else f"{frame}{MID}{name}"
