"""`python -m evaluation`: the same scoring code with no server.

Exit status: 0 done, 1 our fault, 2 the input's fault (every problem is printed).
"""

import sys
from dataclasses import asdict
from pathlib import Path

import typer

from evaluation import SUITES, agreement_cli, console, report
from evaluation.comparison import NotComparable, compare
from evaluation.judges import JudgeUnavailable
from evaluation.options import (
    AnnotationsOption,
    InstancesOption,
    JsonOption,
    JudgeOption,
    OptionalAnnotations,
    PredictionsOption,
    ProtocolOption,
    QuietOption,
    ReportArgument,
    SelectionOption,
    SuiteOption,
)
from evaluation.problems import InvalidUpload
from evaluation.reading import open_upload
from evaluation.running import judge_of, reported, run
from evaluation.suite import AnySuite, Resources

OUR_FAULT, INPUT_FAULT = 1, 2

app = typer.Typer(
    help="Score submissions to the benchmarks, without a server.",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


agreement_cli.register(app)


def main() -> None:
    """Run the command line; what is the input's fault is told and exits with 2."""
    try:
        app(prog_name="python -m evaluation")
    except InvalidUpload as error:
        console.complain_about(error)
        status = INPUT_FAULT
    except NotComparable as error:
        console.complain(str(error))
        status = INPUT_FAULT
    except OSError as error:
        if str(error.filename) not in sys.argv:  # not about a path that was given
            raise
        console.complain(f"{error.filename}: {error.strerror}")
        status = INPUT_FAULT
    except JudgeUnavailable as error:
        console.complain(f"the judge cannot be reached: {error}")
        status = OUR_FAULT
    raise SystemExit(status)


@app.command("suites")
def list_suites() -> None:
    """List the benchmarks."""
    console.show_suites(list(SUITES.values()))


@app.command()
def lint(
    suite: SuiteOption, annotations: AnnotationsOption, json: JsonOption = None
) -> None:
    """Look for faults of the annotations themselves; errors among them exit with 2."""
    findings = suite.lint(suite.read_annotations(open_upload(annotations)))
    if json is not None:
        found = [asdict(finding) for finding in findings]
        console.write({"suite": suite.slug, "findings": found}, json)
    if json != "-":
        console.show_findings(findings)
    if any(finding.severity == "error" for finding in findings):
        raise typer.Exit(INPUT_FAULT)


@app.command()
def validate(
    suite: SuiteOption,
    predictions: PredictionsOption,
    annotations: OptionalAnnotations = None,
    json: JsonOption = None,
) -> None:
    """Check a submission without scoring it."""
    manifest = None
    if annotations is not None:
        truth = suite.read_annotations(open_upload(annotations))
        manifest = suite.make_manifest(truth)
    try:
        answers = suite.read_predictions(open_upload(predictions), manifest)
    except InvalidUpload as error:
        if json is not None:
            console.write(report.refusal(suite, error), json)
        raise
    if json is not None:
        console.write(report.acceptance(suite, answers), json)
    console.mention(answers.notices)
    if json != "-":
        console.show_coverage(answers.coverage)


@app.command()
def score(
    suite: SuiteOption,
    annotations: AnnotationsOption,
    predictions: PredictionsOption,
    protocol: ProtocolOption = None,
    judge: JudgeOption = None,
    selection: SelectionOption = None,
    instances: InstancesOption = False,
    json: JsonOption = None,
    quiet: QuietOption = False,
) -> None:
    """Score a submission."""
    truth, submission = open_upload(annotations), open_upload(predictions)
    resources = _resources(suite, protocol, judge)
    with console.progress(is_wanted=not quiet) as move:
        scored = run(
            suite, truth, submission, resources, selection=selection, progress=move
        )
    if json is not None:
        console.write(reported(suite, scored, instances=instances), json)
    if not quiet:
        console.mention(scored.notices)
    if not quiet and json != "-":
        console.show_coverage(scored.coverage)
        console.show_scores(suite, scored.summary.scores, scored.spread)


@app.command("compare")
def compare_reports(
    a: ReportArgument, b: ReportArgument, json: JsonOption = None
) -> None:
    """Compare two reports: B minus A, paired, with intervals and p-values."""
    first, second = _report(a), _report(b)
    if first.suite != second.suite or first.test_set != second.test_set:
        raise NotComparable("A and B are of different test sets; score both on one")
    if (first.protocol, first.judge) != (second.protocol, second.judge):
        raise NotComparable("A and B differ in protocol or judge; score both alike")
    if first.suite not in SUITES:
        raise NotComparable(f"no suite {first.suite!r}; one of {', '.join(SUITES)}")
    suite = SUITES[first.suite]
    tables = report.read_table(first, a.name), report.read_table(second, b.name)
    found = compare(suite, *tables, first.test_set)
    if json is not None:
        console.write(
            {"suite": suite.slug, "test_set": first.test_set} | asdict(found), json
        )
    if json != "-":
        console.show_comparison(suite, found)


def _report(path: Path) -> report.Report:
    return report.decode(path.read_bytes(), path.name)


def _resources(suite: AnySuite, protocol: str | None, judge: str | None) -> Resources:
    chosen = protocol or suite.protocols[0]
    if chosen not in suite.protocols:
        known = ", ".join(suite.protocols)
        raise typer.BadParameter(f"no protocol {chosen!r}; one of {known}")
    return Resources(protocol=chosen, judge=judge_of(suite, judge))
