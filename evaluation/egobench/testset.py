"""A test set: tasks and databases as their host publishes them, and its selection."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec

from evaluation.egobench.scenarios.base import Database
from evaluation.problems import Problem, ProblemList, shown
from evaluation.suite import Selection

MODES = ("easy", "hard", "static")
FILE = re.compile(r"([a-z]+[0-9]+)_(easy|hard|static)")
INSTANCE = re.compile(r"([a-z]+[0-9]+)_(easy|hard|static)/(-?[0-9]+)")


@dataclass(frozen=True, kw_only=True)
class Call:
    """A ground-truth call as written."""

    tool: str
    parameters: dict[str, object]


@dataclass(frozen=True, kw_only=True)
class Task:
    id: int
    place: str  # where it stands, like `tasks/retail6.json [3]`
    instruction: str
    calls: tuple[Call, ...]
    key: str | None  # the parameter by which a query names what was seen
    values: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Variant:
    """One scenario file, like retail6, and what of it counts."""

    name: str
    scenario: str  # a key of SCENARIOS
    database: str
    tasks: tuple[Task, ...]
    chosen: Mapping[str, tuple[int, ...]]  # mode -> ids of the tasks that count

    @property
    def family(self) -> str:
        """The scenario in the sense of the report: restaurant6 is restaurant's."""
        return self.name.rstrip("0123456789")


@dataclass(frozen=True, kw_only=True)
class TestSet:
    """The annotations: secret."""

    __test__ = False  # not a test case, whatever pytest thinks of the name

    variants: tuple[Variant, ...]  # in natural order of their names
    databases: Mapping[str, Database]


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What must be answered, public: variant -> mode -> ids."""

    variants: dict[str, dict[str, list[int]]]


def make_manifest(test_set: TestSet) -> Manifest:
    """The public part of a test set: ids and modes."""
    return Manifest(
        variants={
            variant.name: {mode: list(ids) for mode, ids in variant.chosen.items()}
            for variant in test_set.variants
        }
    )


def natural(name: str) -> tuple[str, int]:
    """A sort key that puts retail2 before retail10."""
    letters = name.rstrip("0123456789")
    return letters, int(name[len(letters) :] or 0)


def select(test_set: TestSet, selection: Selection) -> TestSet:
    """The part of a test set that counts.

    A selection is `{"retail6": {"ids": [1, 2], "modes": ["easy"]}}`, where leaving
    out ids or modes means all, or a list of instance ids like `retail6_easy/1`.
    Raises InvalidUpload for what the test set does not have.
    """
    problems = ProblemList()
    chosen = (
        _by_variant(test_set, selection, problems)
        if isinstance(selection, Mapping)
        else _by_instance(test_set, selection, problems)
    )
    problems.raise_if_any()
    kept = [
        replace(variant, chosen=chosen[variant.name])
        for variant in test_set.variants
        if chosen.get(variant.name)
    ]
    if not kept:
        _refuse(problems, "selection", "must choose at least one task")
        problems.raise_if_any()
    used = {variant.database for variant in kept}
    databases = {k: v for k, v in test_set.databases.items() if k in used}
    return TestSet(variants=tuple(kept), databases=databases)


def _refuse(problems: ProblemList, path: str, detail: str) -> None:
    problems.add(Problem(code="bad_selection", detail=detail, path=path))


def _by_variant(
    test_set: TestSet,
    selection: Mapping[str, Mapping[str, Sequence[object]]],
    problems: ProblemList,
) -> dict[str, dict[str, tuple[int, ...]]]:
    variants = {variant.name: variant for variant in test_set.variants}
    chosen = {}
    for name, wanted in selection.items():
        variant = variants.get(name)
        if variant is None:
            _refuse(problems, shown(name), "is not a variant of this test set")
        elif not _is_well_formed(wanted):
            _refuse(problems, name, 'must be like {"ids": [1], "modes": ["easy"]}')
        else:
            chosen[name] = _chosen(variant, wanted, problems)
    return chosen


def _is_well_formed(wanted: object) -> bool:
    """Whether it is an object with nothing but arrays `ids` and `modes`."""
    return isinstance(wanted, Mapping) and all(
        key in {"ids", "modes"} and isinstance(value, list | tuple)
        for key, value in wanted.items()
    )


def _chosen(
    variant: Variant, wanted: Mapping[str, Sequence[object]], problems: ProblemList
) -> dict[str, tuple[int, ...]]:
    modes, ids = wanted.get("modes", list(variant.chosen)), wanted.get("ids")
    known = {i for chosen in variant.chosen.values() for i in chosen}
    for mode in modes:
        if not isinstance(mode, str) or mode not in variant.chosen:
            detail = f"{shown(mode)!r} is not one of {', '.join(variant.chosen)}"
            _refuse(problems, f"{variant.name}.modes", detail)
    for task in ids or ():
        if isinstance(task, bool) or not isinstance(task, int) or task not in known:
            detail = f"{shown(task)} is not a task of {variant.name}"
            _refuse(problems, f"{variant.name}.ids", detail)
    return {
        mode: tuple(i for i in had if ids is None or i in ids)
        for mode, had in variant.chosen.items()
        if mode in modes
    }


def _by_instance(
    test_set: TestSet, selection: Sequence[str], problems: ProblemList
) -> dict[str, dict[str, tuple[int, ...]]]:
    wanted: dict[tuple[str, str], set[int]] = {}
    for instance in selection:
        parts = INSTANCE.fullmatch(str(instance))
        if parts is None:
            detail = "is not an instance id like retail6_easy/3"
            _refuse(problems, shown(str(instance)), detail)
        else:
            wanted.setdefault((parts[1], parts[2]), set()).add(int(parts[3]))
    chosen: dict[str, dict[str, tuple[int, ...]]] = {}
    for variant in test_set.variants:
        for mode, had in variant.chosen.items():
            ids = wanted.pop((variant.name, mode), set())
            for unknown in sorted(ids - set(had)):
                place = f"{variant.name}_{mode}/{unknown}"
                _refuse(problems, place, "is not a task of this test set")
            if kept := tuple(i for i in had if i in ids):
                chosen.setdefault(variant.name, {})[mode] = kept
    for name, mode in wanted:
        _refuse(problems, f"{name}_{mode}", "is not a file of this test set")
    return chosen
