"""What can go wrong, by whose fault it is: that decides the exit status."""

from leaderboard.client.answers import Document

DONE, OUR_FAULT, INPUTS_FAULT, NOT_MET = 0, 1, 2, 3


class Fault(Exception):
    """Ends the command with `status`; the text says what happened."""

    status = OUR_FAULT


class Misused(Fault):
    """The command, its configuration or the local file is at fault."""

    status = INPUTS_FAULT


class Unreachable(Fault):
    """No answer, or none that makes sense, after all attempts."""


class Refusal(Fault):
    """The site said no, in a problem document."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.status = OUR_FAULT if document.status >= 500 else INPUTS_FAULT
        super().__init__(document.detail)


class NotMet(Fault):
    """It was scored, but not as well as was asked for."""

    status = NOT_MET
