"""The API by curl, as the documentation shows it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from tests.endtoend.site import run


@dataclass(frozen=True, kw_only=True)
class Answer:
    status: int
    headers: Mapping[str, str]  # names in lower case
    text: str

    @property
    def body(self) -> dict:
        return json.loads(self.text)


@dataclass(frozen=True, kw_only=True)
class Caller:
    """Somebody at a terminal with a token, or without one."""

    url: str
    token: str = ""

    def curl(self, path: str, *options: str) -> Answer:
        """Ask; the path may be a whole address, such as a Location."""
        url = path if path.startswith("http") else f"{self.url}/api/v1/{path}"
        who = ["-H", f"Authorization: Token {self.token}"] if self.token else []
        argv = ["curl", "--silent", "--show-error", "--include", "--max-time", "120"]
        told = run([*argv, "-H", "Expect:", *who, *options, url])
        head, _, text = told.partition("\n\n")
        first, *lines = head.splitlines()
        named = (line.partition(":") for line in lines)
        return Answer(
            status=int(first.split()[1]),
            headers={name.lower(): value.strip() for name, _, value in named},
            text=text,
        )

    def submit(self, phase: str, file: Path, method: str, *options: str) -> Answer:
        """`phase` is like `svcbench/test`."""
        track, _, slug = phase.partition("/")
        form = ["--form", f"file=@{file}", "--form", f"method={method}"]
        path = f"tracks/{track}/phases/{slug}/submissions"
        return self.curl(path, *form, *options)

    def follow(self, location: str) -> dict:
        """Ask again, held open by the server, until nothing more will happen."""
        for _ in range(60):
            answer = self.curl(f"{location}?wait=30")
            assert answer.status == 200, answer
            if answer.body["is_final"]:
                return answer.body
        raise AssertionError(f"not final: {answer.text}")

    def scored(self, phase: str, file: Path, method: str) -> dict:
        """Submit and follow to the scores."""
        answer = self.submit(phase, file, method)
        assert answer.status == 202, answer
        final = self.follow(answer.headers["location"])
        assert final["evaluation"]["status"] == "scored", final
        return final

    def board(self, phase: str, subset: str = "overall") -> dict[str, dict]:
        """Measured rows of a public board, by method."""
        track, _, slug = phase.partition("/")
        asked = f"tracks/{track}/phases/{slug}/leaderboard?subset={quote(subset)}"
        answer = self.curl(asked)
        assert answer.status == 200, answer
        rows = answer.body["rows"]
        return {row["method"]: row for row in rows if row["kind"] == "measured"}

    def numbers(self, phase: str, subset: str, method: str) -> dict[str, float | None]:
        row = self.board(phase, subset)[method]
        return {metric: number["value"] for metric, number in row["numbers"].items()}
