"""Descriptions that talk to the judge instead of describing a scene.

The protocol pastes descriptions into the judge's prompt without a defence, so such
texts are flagged for staff; they are scored like any other.
"""

import re

_SIGNS = (
    ("role tag", r"<\|[a-z_]+\|>|</?think>|\[/?INST\]|<</?SYS>>"),
    ("role name", r"(?m)^[ \t]*(?:system|assistant|user)\s*:"),
    ("template slot", r"\{(?:sentence|phrase)\}"),
    (
        "instruction",
        r"\b(?:ignore|disregard|forget|override)\b[^.\n]{0,40}"
        r"\b(?:instructions?|prompts?|rules|above|previous)\b",
    ),
    (
        "demand for a score",
        r"\b(?:answer|score|rate|rating|grade|output|respond|reply|return|give|print)"
        r"(?:\s+(?:it|this|me|us|a|an|the|score|rating|answer|with|as|of|is|only|just"
        r"|integer|number|full|marks?)){0,6}\s*[:=]?\s*[\"'(]?(?:[0-5]|five)\b"
        r"(?!\s*(?:[a-z]|[.,]\d))",
    ),
    (
        "speaks of the judge",
        r"\b(?:language model|as an ai|evaluator|grader|(?:dear|to the) judge)\b",
    ),
)
SIGNS = tuple((name, re.compile(pattern, re.IGNORECASE)) for name, pattern in _SIGNS)


def addresses_judge(text: str) -> str | None:
    """What in a description seems meant for the judge, or None."""
    return next((name for name, sign in SIGNS if sign.search(text)), None)
