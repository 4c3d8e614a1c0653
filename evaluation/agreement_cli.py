"""`judge-agreement`: a judge against human ratings, on the command line."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from evaluation import console
from evaluation.agreement import Agreement, Correlation, agreement, read_ratings
from evaluation.judges.spec import FORMS, from_spec
from evaluation.options import JsonOption

Ratings = Annotated[
    Path,
    typer.Option(
        exists=True,
        dir_okay=False,
        help="JSONL of kind, sentence, phrase and ratings by person.",
    ),
]
Spec = Annotated[str, typer.Option("--judge", metavar="SPEC", help=f"{FORMS}.")]


def register(app: typer.Typer) -> None:
    """Add the command to an application, whose `main` tells of invalid input."""
    app.command("judge-agreement")(judge_agreement)


def judge_agreement(ratings: Ratings, spec: Spec, json: JsonOption = None) -> None:
    """Spearman's rho of a judge against people, and of people among themselves."""
    found = read_ratings(ratings.read_bytes(), ratings.name)
    result = agreement(found, from_spec(spec))
    if json is not None:
        console.write(asdict(result), json)
    if json != "-":
        for line in lines(result):
            console.say(line)


def lines(result: Agreement) -> list[str]:
    """The result as text, one correlation a line."""
    rows = {"judge against people": result.judge}
    rows.update({f"  {kind}": value for kind, value in result.by_kind.items()})
    rows.update({f"people: {pair}": value for pair, value in result.raters.items()})
    width = max(map(len, rows))
    shown = [f"{name:<{width}}  {_shown(value)}" for name, value in rows.items()]
    tail = [f"{result.invalid} answers were no score"] if result.invalid else []
    return [f"judge: {result.judge_id}", *shown, *tail]


def _shown(value: Correlation) -> str:
    if value.rho is None:
        return f"n={value.n}  undefined: no variation"
    if value.low is None or value.high is None:
        return f"n={value.n}  rho {value.rho:.3f}"
    return f"n={value.n}  rho {value.rho:.3f}  [{value.low:.3f}, {value.high:.3f}]"
