"""A rule that said no. Not a bug, and not the uploaded file's fault."""


class Refused(Exception):
    """`code` is stable and documented; `message` tells what would be right."""

    def __init__(self, code: str, message: str) -> None:
        self.code, self.message = code, message
        super().__init__(message)
