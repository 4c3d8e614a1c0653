"""What the judge is asked about one scene, as the released scripts ask it.

The README beside this file has the rules and where the strict protocol differs.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.explore.scenes import CompiledObject, CompiledScene
from evaluation.judges import Kind, Question

JOIN = ". "
MAX_SENTENCE = 1_000_000  # characters; no honest description comes near

Mentions = Sequence[Sequence[int]]  # sub-caption numbers of each category's nouns


@dataclass(frozen=True, kw_only=True)
class Questions:
    """In annotation order; None where there is nothing to ask and the score is 0."""

    attributes: tuple[Question | None, ...]
    relations: tuple[Question | None, ...]
    key_states: tuple[Question | None, ...]

    @property
    def in_order(self) -> list[Question]:
        """Attributes, then relations, then key states, as the scripts ask them."""
        every = self.attributes + self.relations + self.key_states
        return [question for question in every if question is not None]


def questions(
    scene: CompiledScene,
    captions: Sequence[str],
    mentions: Mentions,
    *,
    as_released: bool,
) -> Questions:
    """All questions of a scene. `as_released` keeps the ordinary script's pairing."""
    sentences = [_joined(captions, numbers) for numbers in mentions]
    attributes = [sentences[value.category] for value in scene.objects]
    pairing = _relations_released if as_released else _relations
    return Questions(
        attributes=tuple(
            _ask("attribute", sentence, value.description)
            for sentence, value in zip(attributes, scene.objects, strict=True)
        ),
        relations=pairing(scene, captions, mentions),
        key_states=tuple(
            _ask("key_state", sentence, value.key_state)
            for sentence, value in zip(attributes, scene.objects, strict=True)
            if scene.is_abnormal and value.key_state is not None
        ),
    )


def _relations(
    scene: CompiledScene, captions: Sequence[str], mentions: Mentions
) -> tuple[Question | None, ...]:
    """Each phrase with the sub-captions of its own object and of those it names."""
    asked = []
    for value in scene.objects:
        for phrase, related in zip(value.relations, value.related, strict=True):
            numbers = set(mentions[value.category])
            numbers.update(_named(scene.objects, related, mentions))
            asked.append(_ask("relation", _joined(captions, sorted(numbers)), phrase))
    return tuple(asked)


def _relations_released(
    scene: CompiledScene, captions: Sequence[str], mentions: Mentions
) -> tuple[Question | None, ...]:
    """As the ordinary script: sub-captions pile up over an object's relations, and an
    object without relations leaves an empty sentence that shifts all later pairs.
    """
    sentences: list[str] = []
    for value in scene.objects:
        numbers = set(mentions[value.category])
        for related in value.related:
            numbers.update(_named(scene.objects, related, mentions))
            sentences.append(_joined(captions, sorted(numbers)))
        if not value.related:
            sentences.append("")
    phrases = [phrase for value in scene.objects for phrase in value.relations]
    return tuple(
        _ask("relation", sentence, phrase)
        for sentence, phrase in zip(sentences, phrases, strict=False)
    )


def _named(
    objects: Sequence[CompiledObject], related: Sequence[int], mentions: Mentions
) -> list[int]:
    return [n for other in related for n in mentions[objects[other].category]]


def _joined(captions: Sequence[str], numbers: Sequence[int]) -> str:
    """Sub-captions as one sentence, repeats kept; empty when beyond all reason."""
    if sum(len(captions[n]) for n in numbers) > MAX_SENTENCE:
        return ""
    return JOIN.join(captions[n] for n in numbers)


def _ask(kind: Kind, sentence: str, phrase: str | None) -> Question | None:
    return Question(kind, sentence, phrase) if sentence and phrase is not None else None
