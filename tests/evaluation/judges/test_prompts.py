"""Questions put in words."""

import pytest

from evaluation.judges import Question
from evaluation.judges.prompts import (
    DEFAULT_PROFILE,
    InvalidProfile,
    fingerprint,
    make_profile,
    messages,
)


def own(**changes: str) -> dict[str, str]:
    template = "S={sentence} P={phrase}"
    words = dict.fromkeys(("attribute", "relation", "key_state"), template)
    return {"system": "You judge.", **words, **changes}


def test_texts_are_inserted_literally_and_once() -> None:
    profile = make_profile(**own())
    question = Question("attribute", "{phrase} {0} \\1 {sentence}", "{sentence}")

    system, user = messages(profile, question)

    assert system == {"role": "system", "content": "You judge."}
    assert user["content"] == "S={phrase} {0} \\1 {sentence} P={sentence}"


def test_each_kind_has_its_own_wording() -> None:
    texts = [
        messages(DEFAULT_PROFILE, Question(kind, "s", "p"))[1]["content"]
        for kind in ("attribute", "relation", "key_state")
    ]

    assert len(set(texts)) == 3
    assert all('"s"' in text and '"p"' in text for text in texts)


def test_other_braces_of_a_template_stay() -> None:
    profile = make_profile(**own(attribute='{"a": 1} {sentence} {phrase}'))

    text = messages(profile, Question("attribute", "s", "p"))[1]["content"]

    assert text == '{"a": 1} s p'


@pytest.mark.parametrize("slot", ["sentence", "phrase"])
def test_a_template_must_show_both_texts(slot: str) -> None:
    template = "{sentence} {phrase}".replace(f"{{{slot}}}", "")

    with pytest.raises(InvalidProfile, match=f"relation template lacks {{{slot}}}"):
        make_profile(**own(relation=template))


def test_the_fingerprint_changes_with_every_part_of_the_wording() -> None:
    base = make_profile(**own())
    changed = [
        make_profile(**own(**{part: f"{text} again"})) for part, text in own().items()
    ]

    assert len({fingerprint(p) for p in [base, *changed]}) == 5
    assert fingerprint(base) == fingerprint(make_profile(**own()))
