"""What is wrong with an input: each problem has a code, a place and a remedy."""

from collections.abc import Iterable
from dataclasses import dataclass, field

MAX_LISTED = 100


@dataclass(frozen=True, kw_only=True)
class Problem:
    """One thing wrong: `detail` says what, and what would be right."""

    code: str
    detail: str
    file: str | None = None
    line: int | None = None
    path: str | None = None  # JSON path inside the file or line, like `[3].tool_calls`

    def __str__(self) -> str:
        line = None if self.line is None else f"line {self.line}"
        place = ", ".join(part for part in (self.file, line, self.path) if part)
        return f"{place}: {self.detail}" if place else self.detail


class InvalidUpload(Exception):
    """The input's fault. Carries the first problems and how many there are in all."""

    def __init__(self, problems: Iterable[Problem], total: int | None = None) -> None:
        self.problems = list(problems)
        self.total = len(self.problems) if total is None else total
        super().__init__(f"{self.total} problems; first: {self.problems[0]}")


@dataclass
class ProblemList:
    """Collects problems, keeps the first 100 and counts them all."""

    listed: list[Problem] = field(default_factory=list)
    total: int = 0
    codes: dict[str, int] = field(default_factory=dict)

    def add(self, problem: Problem) -> None:
        self.total += 1
        self.codes[problem.code] = self.codes.get(problem.code, 0) + 1
        if len(self.listed) < MAX_LISTED:
            self.listed.append(problem)

    def raise_if_any(self) -> None:
        """Raise InvalidUpload when anything was collected."""
        if self.total:
            raise InvalidUpload(self.listed, self.total)


def shown(value: object, limit: int = 60) -> str:
    """A hostile value as short, storable text for a message."""
    text = value if isinstance(value, str) else repr(value)
    clean = "".join(
        c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[: limit + 1]
    )
    clean = clean.encode("utf-8", "replace").decode("utf-8")
    return f"{clean[:limit]}…" if len(clean) > limit else clean
