"""The `egoboard` command.

Exit status: 0 done, 1 the site's or our fault, 2 the input's fault (every problem is
printed with its place), 3 scored, but a threshold was not met.
"""

import sys
import uuid
from typing import Annotated

import typer

from leaderboard.client import (
    config,
    following,
    options,
    packing,
    results,
    showing,
)
from leaderboard.client.answers import (
    Board,
    Phase,
    Submission,
    Token,
    Track,
    Validation,
)
from leaderboard.client.config import Config
from leaderboard.client.faults import INPUTS_FAULT, Fault, Refusal
from leaderboard.client.http import Site, decode

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Submit predictions to an Egoboard site, follow them, read its boards.",
)


def main() -> None:
    """The entry point: faults end with their status and one message."""
    try:
        app()
    except Refusal as refusal:
        showing.problems(refusal.document.errors, len(refusal.document.errors))
        showing.say(f"error: {refusal} ({refusal.document.code})")
        sys.exit(refusal.status)
    except Fault as fault:
        showing.say(f"error: {fault}")
        sys.exit(fault.status)


@app.command()
def login(
    url: Annotated[str, typer.Option(prompt="URL of the site")],
    token: Annotated[str, typer.Option(prompt="Token", hide_input=True)],
) -> None:
    """Keep a site's URL and a token, once they are known to work."""
    chosen = Config(url=config.clean_url(url), token=token.strip())
    if config.is_exposed(chosen.url):
        showing.say("warning: over http others can read the token; use https")
    found = Site(chosen).read(tuple[Token, ...], "tokens")
    where = config.save(chosen)
    current = next((one for one in found if one.is_current), None)
    as_whom = f", as {current.team} ({current.scope})" if current else ""
    showing.say(f"logged in to {chosen.url}{as_whom}; kept in {where}")


@app.command()
def tracks(as_json: options.Json = False) -> None:
    """List tracks and their phases."""
    data = _site().get("tracks")
    if as_json:
        results.write(data)
    else:
        showing.tracks(decode(data, tuple[Track, ...]))


@app.command()
def validate(
    file: options.File,
    track: options.Track,
    phase: options.Phase,
    as_json: options.Json = False,
) -> None:
    """Check a file without submitting it; costs no quota."""
    with packing.parcel(file) as parcel:
        where = f"{results.phase_path(track, phase)}/validate"
        data = _site().send(where, parcel, {})
    found = decode(data, Validation)
    if as_json:
        results.write(data)
    else:
        showing.validation(found)
    if not found.is_valid:
        raise typer.Exit(INPUTS_FAULT)


@app.command()
def submit(
    file: options.File,
    track: options.Track,
    phase: options.Phase,
    method: options.Method,
    description: str = "",
    link: options.Link = "",
    private: options.Private = False,
    wait: options.Wait = False,
    timeout: options.Patience = 3600,
    fail_under: options.FailUnder = None,
    fail_if_worse_than: options.FailIfWorse = "",
    key: options.Key = "",
    as_json: options.Json = False,
) -> None:
    """Submit a file; with --wait, follow it and print its scores."""
    site, where = _site(), results.phase_path(track, phase)
    rules = site.read(Phase, where)
    # Faults of the options are found before the file takes a slot of the quota.
    limits = results.limits_of(site, rules, fail_under or [], fail_if_worse_than)
    fields = {"method": method, "description": description, "url": link}
    fields["is_public"] = str(not private).lower()
    key = key or str(uuid.uuid4())
    with packing.parcel(file) as parcel:
        data = site.send(f"{where}/submissions", parcel, fields, key)
    sent = decode(data, Submission)
    showing.say(f"submitted as {sent.id}")
    if wait or limits:
        sent = following.follow(site, sent, timeout)
        results.finish(site, sent, rules, limits, as_json)
    elif as_json:
        results.write(data)
    else:
        showing.submission(sent)


@app.command()
def status(
    submission: Annotated[str, typer.Argument(metavar="ID")],
    wait: options.Wait = False,
    timeout: options.Patience = 3600,
    as_json: options.Json = False,
) -> None:
    """Show how far a submission is, and its scores once there are some."""
    site = _site()
    found = site.read(Submission, f"submissions/{submission}")
    if wait:
        found = following.follow(site, found, timeout)
    if found.is_final:
        rules = site.read(Phase, results.phase_path(found.track, found.phase))
        results.finish(site, found, rules, [], as_json)
    elif as_json:
        results.write(site.get(f"submissions/{submission}"))
    else:
        showing.submission(found)


@app.command()
def leaderboard(
    track: options.Track,
    phase: options.Phase,
    subset: Annotated[str, typer.Option(help="Like type:O1.")] = "overall",
    sort: Annotated[str, typer.Option(help="A metric; else the headline.")] = "",
    page: Annotated[int, typer.Option(min=1)] = 1,
    as_csv: Annotated[
        bool, typer.Option("--csv", help="Print the whole as CSV.")
    ] = False,
    as_json: options.Json = False,
) -> None:
    """Show a board."""
    site, where = _site(), results.phase_path(track, phase)
    asked = {"subset": subset, "sort": sort, "page": str(page)}
    if as_csv:
        results.write(site.get(f"{where}/leaderboard", asked, "text/csv"))
        return
    data = site.get(f"{where}/leaderboard", asked)
    if as_json:
        results.write(data)
    else:
        showing.board(decode(data, Board), site.read(Phase, where))


def _site() -> Site:
    return Site(config.load())


if __name__ == "__main__":
    main()
