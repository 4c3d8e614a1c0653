"""Answers that need no model: the floor on every board."""

from evaluation.explore.compiling import manifest_of
from evaluation.explore.predictions import Predictions, predictions_of
from evaluation.explore.scenes import Compiled, CompiledScene
from evaluation.suite import Baseline

_WORDS = """
table chair floor wall door window shelf counter cabinet drawer sink faucet
stove oven refrigerator microwave pan pot lid bowl plate cup glass mug bottle
jar can box bag basket bucket tray knife fork spoon spatula board towel cloth
sponge rag paper book pen phone laptop lamp light clock mirror curtain bed
pillow blanket sofa carpet plant flower tree grass road car bicycle wheel tool
hammer screwdriver drill wrench screw nail wood rope wire hose ladder glove
hat shirt shoe person hand food bread egg onion tomato carrot potato meat rice
salt oil water
"""
COMMON = tuple(_WORDS.split())


def nothing(compiled: Compiled) -> Predictions:
    """No description at all."""
    return predictions_of({}, manifest_of(compiled.scenes))


def common_nouns(compiled: Compiled) -> Predictions:
    """The same list of everyday things for every scene."""
    text = " ".join(f"There is a {noun}." for noun in COMMON)
    frames = manifest_of(compiled.scenes).frames
    return predictions_of(dict.fromkeys(frames, text), manifest_of(compiled.scenes))


def other_scene(compiled: Compiled) -> Predictions:
    """Each scene described by the object names and attributes of the next one."""
    scenes = [s for s in compiled.scenes if s.objects and s.name == "final"]
    shifted = scenes[1:] + scenes[:1]
    values = {
        scene.frame: _described(other)
        for scene, other in zip(scenes, shifted, strict=True)
        if other is not scene
    }
    return predictions_of(values, manifest_of(compiled.scenes))


def _described(scene: CompiledScene) -> str:
    parts = [
        f"The {scene.categories[value.category]} is {value.description}"
        for value in scene.objects
    ]
    return ". ".join(parts) + "."


BASELINES: tuple[Baseline[Compiled, Predictions], ...] = (
    Baseline(
        key="empty",
        label="Empty",
        meaning="No description of any scene",
        predict=nothing,
    ),
    Baseline(
        key="common_nouns",
        label="Common nouns",
        meaning=f"The same {len(COMMON)} everyday things listed for every scene",
        predict=common_nouns,
    ),
    Baseline(
        key="other_scene",
        label="Another scene",
        meaning="The objects and attributes annotated for the next scene of the set",
        predict=other_scene,
    ),
)
