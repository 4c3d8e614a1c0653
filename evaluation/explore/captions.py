"""Descriptions cut into sub-captions, as the released evaluator does."""

import re

SPLIT = re.compile(r"\n|\\n|</s>|[.]")
MAX_CHARACTERS = 20_000
MAX_SUBCAPTIONS = 1_000
# A sub-caption is repeated in the judge's sentence once per matched noun, so its
# length enters twice.
MAX_SUBCAPTION_CHARACTERS = 5_000


def split(description: str) -> list[str]:
    """Sub-captions in order: cut at newlines, literal `\\n`, `</s>` and full stops."""
    parts = (part.strip() for part in SPLIT.split(description))
    return [part for part in parts if part]


def unfit(description: str) -> str | None:
    """Why a description cannot be read at all, or None."""
    try:
        description.encode()
    except UnicodeEncodeError as error:
        return (
            f"has half of a surrogate pair at character {error.start}, which is no"
            " text; write it as UTF-8"
        )
    return None


def too_long(description: str) -> str | None:
    """Why a description exceeds the limits, or None."""
    if len(description) > MAX_CHARACTERS:
        return (
            f"has {len(description)} characters; at most {MAX_CHARACTERS} are accepted"
        )
    parts = split(description)
    if len(parts) > MAX_SUBCAPTIONS:
        return (
            f"has {len(parts)} sentences; at most {MAX_SUBCAPTIONS} are accepted"
            " (a full stop or a line break ends one)"
        )
    longest = max(map(len, parts), default=0)
    if longest > MAX_SUBCAPTION_CHARACTERS:
        return (
            f"has a sentence of {longest} characters; at most"
            f" {MAX_SUBCAPTION_CHARACTERS} are accepted (end sentences with a full stop)"
        )
    return None
