"""From annotations to what scoring needs: category vectors and named objects."""

from collections.abc import Iterable

import numpy as np

from evaluation.embedding import Encoder, load_encoder
from evaluation.explore.scenes import (
    Annotations,
    Compiled,
    CompiledObject,
    CompiledScene,
    Manifest,
    Scene,
    SceneName,
    SceneObject,
)


def make_manifest(annotations: Annotations) -> Manifest:
    """What must be answered, from the annotations."""
    return manifest_of(annotations.scenes)


def manifest_of(scenes: Iterable[Scene | CompiledScene]) -> Manifest:
    """Which scenes each start_frame asks for; scenes without objects ask nothing."""
    frames: dict[str, tuple[SceneName, ...]] = {}
    for scene in scenes:
        asked: tuple[SceneName, ...] = (scene.name,) if scene.objects else ()
        frames[scene.frame] = frames.get(scene.frame, ()) + asked
    return Manifest(frames=frames)


def compile_annotations(
    annotations: Annotations, encoder: Encoder | None = None
) -> Compiled:
    """Encode every distinct category once and resolve what relations name."""
    encoder = encoder or load_encoder()
    names = dict.fromkeys(o.category for s in annotations.scenes for o in s.objects)
    tokens = dict(zip(names, encoder.tokens(list(names)), strict=True))
    distinct = list(dict.fromkeys(tokens.values()))
    rows = {ids: row for row, ids in enumerate(distinct)}
    return Compiled(
        encoder=encoder.model_id,
        tokens=tuple(distinct),
        vectors=encoder.encode(distinct),
        scenes=tuple(
            _compiled(scene, {name: rows[ids] for name, ids in tokens.items()})
            for scene in annotations.scenes
        ),
    )


def _compiled(scene: Scene, rows: dict[str, int]) -> CompiledScene:
    categories = tuple(dict.fromkeys(o.category for o in scene.objects))
    return CompiledScene(
        id=scene.id,
        frame=scene.frame,
        name=scene.name,
        length=scene.length,
        kind=scene.kind,
        is_abnormal=scene.is_abnormal,
        is_tiny=scene.is_tiny,
        is_self_recorded=scene.is_self_recorded,
        categories=categories,
        vectors=np.array([rows[name] for name in categories], dtype=np.int64),
        objects=tuple(
            CompiledObject(
                category=categories.index(value.category),
                description=value.description,
                relations=value.relations,
                related=tuple(
                    named(phrase, scene.objects, index) for phrase in value.relations
                ),
                key_state=value.key_state,
            )
            for index, value in enumerate(scene.objects)
        ),
    )


def named(phrase: str, objects: tuple[SceneObject, ...], index: int) -> tuple[int, ...]:
    """Indexes of the other objects whose category is a substring, case-sensitive."""
    return tuple(
        other
        for other, value in enumerate(objects)
        if other != index and value.category in phrase
    )
