"""What must have come out of it all, whatever was lost on the way."""

from pathlib import Path

from evaluation import SUITES
from evaluation.aggregate import Summary, summarise
from evaluation.reading import open_upload
from evaluation.suite import Resources
from leaderboard.models import BoardEntry, Evaluation, QuotaEntry, Score

SUITE = SUITES["svcbench"]


def expected(tmp_path: Path, truth: bytes, answers: bytes) -> Summary:
    """What the library says about the same two files."""
    (tmp_path / "vcbench_eval.jsonl").write_bytes(truth)
    (tmp_path / "answers.jsonl").write_bytes(answers)
    read = SUITE.read_annotations(open_upload(tmp_path / "vcbench_eval.jsonl"))
    compiled = SUITE.compile(read)
    manifest = SUITE.make_manifest(read)
    given = SUITE.read_predictions(open_upload(tmp_path / "answers.jsonl"), manifest)
    everything = range(len(SUITE.instance_ids(compiled)))
    means = Resources(protocol=SUITE.protocols[0])
    return summarise(SUITE, SUITE.score(compiled, given, everything, means))


def assert_scored_once(tmp_path: Path, truth: bytes, answers: bytes) -> None:
    """One evaluation, one board row, every number equal to the library's."""
    evaluation = Evaluation.objects.get()
    assert evaluation.status == Evaluation.Status.SCORED, evaluation.cause
    entry = BoardEntry.objects.get()
    wanted = expected(tmp_path, truth, answers)
    found = {
        subset: {metric: cell[0] for metric, cell in metrics.items()}
        for subset, metrics in entry.scores.items()
    }
    assert found == wanted.scores
    assert entry.errors == wanted.errors
    recorded = Score.objects.filter(evaluation=evaluation)
    assert recorded.count() == sum(map(len, wanted.scores.values()))
    kinds = QuotaEntry.objects.values_list("kind", flat=True)
    assert sorted(kinds) == ["consume", "reserve"]


def is_over() -> bool:
    """The one evaluation has ended, one way or the other."""
    status = Evaluation.objects.values_list("status", flat=True).first()
    return status in {"scored", "failed"}
