"""Where an error happened, without its message: that may quote hidden annotations."""

import traceback
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def trace_of(error: BaseException) -> str:
    """The type and the call places, innermost first: safe for logs and rows."""
    frames = traceback.extract_tb(error.__traceback__)
    places = [f"{_short(f.filename)}:{f.lineno} in {f.name}" for f in reversed(frames)]
    return f"{type(error).__name__} at " + " < ".join(places)


def _short(name: str) -> str:
    path = Path(name)
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else path.name
