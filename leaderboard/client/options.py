"""The options of the command that need more than a name."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

LISTED = "As `egoboard tracks` lists."

Track = Annotated[str, Option("--track", help=LISTED)]
Phase = Annotated[str, Option("--phase", help=LISTED)]
File = Annotated[
    Path, Argument(metavar="FILE", help="A file, or a directory to be zipped.")
]
Json = Annotated[bool, Option("--json", help="Print JSON only.")]
Patience = Annotated[float, Option("--timeout", help="Seconds to wait at most.", min=0)]
Wait = Annotated[bool, Option("--wait", help="Until it is scored.")]
Method = Annotated[str, Option(help="The name on the board.")]
Link = Annotated[str, Option(help="A URL about the method.")]
Private = Annotated[bool, Option("--private", help="Not on the board.")]
FailUnder = Annotated[
    list[str] | None,
    Option(help="metric=value or subset/metric=value; implies --wait."),
]
FailIfWorse = Annotated[str, Option(help="A submission's id; implies --wait.")]
Key = Annotated[str, Option(help="Idempotency key: the same one submits only once.")]
