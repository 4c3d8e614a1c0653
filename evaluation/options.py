"""The command line's options, as types."""

from pathlib import Path
from typing import Annotated

import typer

from evaluation import SUITES
from evaluation.suite import AnySuite


def _suite(slug: str) -> AnySuite:
    if slug not in SUITES:
        raise typer.BadParameter(f"no suite {slug!r}; one of {', '.join(SUITES)}")
    return SUITES[slug]


SuiteOption = Annotated[
    AnySuite, typer.Option("--suite", parser=_suite, metavar="S", help="The benchmark.")
]
AnnotationsOption = Annotated[
    Path,
    typer.Option(
        exists=True, metavar="PATH", help="The test set: a file, directory, zip or gz."
    ),
]
OptionalAnnotations = Annotated[
    Path | None,
    typer.Option(
        "--annotations",
        exists=True,
        metavar="PATH",
        help="The test set; without it only the form is checked.",
    ),
]
PredictionsOption = Annotated[
    Path,
    typer.Option(
        exists=True, metavar="PATH", help="The submission: file, directory, zip or gz."
    ),
]
ReportArgument = Annotated[
    Path,
    typer.Argument(
        exists=True, dir_okay=False, help="From `score --instances --json`."
    ),
]
ProtocolOption = Annotated[
    str | None,
    typer.Option(metavar="P", help="The suite's first protocol by default."),
]
JudgeOption = Annotated[
    str | None,
    typer.Option(
        metavar="SPEC",
        help="lexical, recorded:FILE.jsonl, openai:MODEL@URL or transformers:MODEL.",
    ),
]
SelectionOption = Annotated[
    str | None,
    typer.Option(
        metavar="FILE|submitted",
        help="A JSON file of what to score; or only what the submission covers.",
    ),
]
InstancesOption = Annotated[
    bool, typer.Option("--instances", help="Report every instance, for `compare` too.")
]
JsonOption = Annotated[
    str | None, typer.Option("--json", metavar="OUT", help="A file, or - for stdout.")
]
QuietOption = Annotated[bool, typer.Option("--quiet", help="Print problems only.")]
