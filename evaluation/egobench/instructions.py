"""What a task's instruction says in plain words: who asks, and which names occur."""

import re
from collections.abc import Sequence

# "User ID: lisa_7", "your user ID is cook_009", "you are user cook_006".
_ASKER = re.compile(
    r"user\s+id(?:\s+is)?\s*[:\uff1a]?\s*[\"'“]?([A-Za-z0-9_.-]*[A-Za-z0-9])"
    r"|\buser\s+([A-Za-z]+[A-Za-z0-9]*_[A-Za-z0-9_]*[A-Za-z0-9])",
    re.IGNORECASE,
)


def asker(instruction: str) -> str | None:
    """The user id that an instruction states, None if it states none."""
    found = _ASKER.search(instruction)
    return found[1] or found[2] if found else None


def mentioned(instruction: str, names: Sequence[str]) -> list[str]:
    """The catalogue names of at least three letters that stand in the instruction."""
    text = instruction.lower()
    unique = dict.fromkeys(name.lower() for name in names if len(name) >= 3)
    found = {n for n in unique if n in text and re.search(rf"\b{re.escape(n)}\b", text)}
    inner = {n for n in found if any(n != other and n in other for other in found)}
    spelled = dict.fromkeys(name for name in names if name.lower() in found - inner)
    return list(spelled)


def asked_total(instruction: str) -> str:
    """Which total an instruction asks for in the end: payment, tax or nutrition."""
    end = instruction.lower()[-200:]
    if "tax" in end:
        return "tax"
    facts = ("nutri", "protein", "calori", "fat", "sugar", "carb", "sodium", "fib")
    return "nutrition" if any(word in end for word in facts) else "payment"
