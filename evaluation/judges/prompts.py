"""Judge profiles: the words that questions are put in, and their fingerprint.

The default wording is ours. Numbers comparable with the paper need the released
wording, which a host enters as a profile of its own; the fingerprint is part of the
judge id, and a board never ranks two judge ids together.
"""

import hashlib
import re

import msgspec

from evaluation.judges import Question

SLOT = re.compile(r"\{(sentence|phrase)\}")
MAX_NEW_TOKENS = 256


class JudgeProfile(msgspec.Struct, frozen=True, kw_only=True):
    """A system message and a template per kind, with {sentence} and {phrase}."""

    system: str
    attribute: str
    relation: str
    key_state: str


class InvalidProfile(ValueError):
    """A template that does not show the judge both texts."""


DEFAULT_PROFILE = JudgeProfile(
    system=(
        "You are an expert in language. You compare a sentence with a phrase and rate"
        " how much of the phrase's concept the sentence expresses. The scale runs from"
        " 0, nothing similar is expressed, to 5, exactly the same is expressed."
    ),
    attribute=(
        'Sentence: "{sentence}"\n'
        'Phrase: "{phrase}"\n'
        "Does any part of the sentence correctly express the attributes that the phrase"
        " describes? Reply with one integer from 0 to 5 and nothing else."
    ),
    relation=(
        'Sentence: "{sentence}"\n'
        'Phrase: "{phrase}"\n'
        "Does any part of the sentence correctly express the relations that the phrase"
        " describes? Reply with one integer from 0 to 5 and nothing else."
    ),
    key_state=(
        'Sentence: "{sentence}"\n'
        'Phrase: "{phrase}"\n'
        "Does any part of the sentence correctly express the states that the phrase"
        " describes? Reply with one integer from 0 to 5 and nothing else."
    ),
)


def make_profile(
    *, system: str, attribute: str, relation: str, key_state: str
) -> JudgeProfile:
    """A host's own wording. Raises InvalidProfile when a slot is missing."""
    profile = JudgeProfile(
        system=system, attribute=attribute, relation=relation, key_state=key_state
    )
    for kind in ("attribute", "relation", "key_state"):
        found = set(SLOT.findall(getattr(profile, kind)))
        for slot in sorted({"sentence", "phrase"} - found):
            raise InvalidProfile(f"the {kind} template lacks {{{slot}}}; insert it")
    return profile


def messages(profile: JudgeProfile, question: Question) -> list[dict[str, str]]:
    """The two-message chat of a question.

    The texts are inserted literally and in one pass: braces in them mean nothing.
    """
    texts = {"sentence": question.sentence, "phrase": question.phrase}
    template: str = getattr(profile, question.kind)
    return [
        {"role": "system", "content": profile.system},
        {"role": "user", "content": SLOT.sub(lambda m: texts[m[1]], template)},
    ]


def fingerprint(profile: JudgeProfile) -> str:
    """SHA-256 (16 hex digits) of the wording and of how answers are generated."""
    decoding = f"greedy, {MAX_NEW_TOKENS} new tokens, thinking off"
    data = msgspec.json.encode([decoding, msgspec.to_builtins(profile)])
    return hashlib.sha256(data).hexdigest()[:16]
