"""A submission: which tasks it answers, and how."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from evaluation.egobench.result_files import Entries, Reader, read_member
from evaluation.egobench.testset import Manifest, TestSet
from evaluation.problems import Problem
from evaluation.reading import Upload, refused
from evaluation.suite import Coverage, Selection


@dataclass(frozen=True, kw_only=True)
class Submission:
    """The predictions: entries by file, like `retail6_easy`, and task id."""

    files: Mapping[str, Entries]
    coverage: Coverage
    notices: tuple[Problem, ...] = ()


def read_predictions(upload: Upload, manifest: Manifest | None) -> Submission:
    """All entries of an upload, paired with tasks by id (P1).

    Without a manifest only the form is checked. Raises InvalidUpload with every
    problem and its place.
    """
    reader = Reader(manifest)
    for member in upload.members():
        reader.collect(partial(read_member, reader, member))
    if not reader.files and not reader.problems.total:
        detail = "holds no result file like retail1_easy.json; see the format"
        raise refused("no_results", detail, upload.name)
    reader.problems.raise_if_any()
    return Submission(
        files=reader.files,
        coverage=_coverage(reader),
        notices=tuple(reader.notices.listed),
    )


def _coverage(reader: Reader) -> Coverage:
    expected = list(_expected(reader))
    entries = [reader.files.get(name, {}).get(task) for name, task in expected]
    answered = sum(entry is not None and entry.is_array for entry in entries)
    invalid = sum(entry is not None and not entry.is_array for entry in entries)
    return Coverage(
        expected=len(expected),
        answered=answered,
        missing=len(expected) - answered - invalid,
        invalid=invalid,
        unknown=reader.unknown,
        duplicate=reader.duplicate,
    )


def _expected(reader: Reader) -> Iterator[tuple[str, int]]:
    """The tasks to answer; without a manifest those that are answered."""
    if reader.manifest is None:
        for name, entries in reader.files.items():
            yield from ((name, task) for task in entries)
    else:
        for variant, modes in reader.manifest.variants.items():
            for mode, ids in modes.items():
                yield from ((f"{variant}_{mode}", task) for task in ids)


def submitted(submission: Submission, test_set: TestSet) -> Selection:
    """The files of the test set that a submission contains, all their tasks."""
    names = {variant.name: variant.chosen for variant in test_set.variants}
    found: dict[str, dict[str, list[object]]] = {}
    for name in sorted(submission.files):
        variant, _, mode = name.rpartition("_")
        if mode in names.get(variant, {}):
            found.setdefault(variant, {"modes": []})["modes"].append(mode)
    return found
