"""The rules of the house that no other tool checks: sizes, names, who imports what."""

import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("evaluation", "leaderboard", "workers")
MODULE_LINES = 250
# Longer modules, each with the reason why splitting it would not help a reader.
LONGER: dict[str, str] = {}
# Words that name no thing: a module is named after what is in it.
NAMELESS = {"utils", "helpers", "services", "mixins", "common", "core", "misc", "base"}
# Scenario tools of EgoBench really stand on a base: the official tool classes do.
NAMED = {"evaluation/egobench/scenarios/base.py"}
# Not in the layers of pyproject.toml: what starts before Django, and what is apart.
OUTSIDE = {
    "apps",
    "checks",
    "client",
    "daemons",
    "embedded",
    "migrations",
    "postgres",
    "processes",
    "settings",
    "stack",
    "static",
    "supervisor",
}
HEAVY = ("torch", "spacy", "sentence_transformers", "transformers", "workers.tasks")


def modules() -> Iterator[Path]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if "migrations" not in path.parts:
                yield path.relative_to(ROOT)


def test_modules_stay_short() -> None:
    lengths = {
        module.as_posix(): len((ROOT / module).read_text().splitlines())
        for module in modules()
    }
    long = {name for name, length in lengths.items() if length > MODULE_LINES}
    assert long == set(LONGER), "split it, or give a reason in LONGER"


def test_modules_are_named_after_what_is_in_them() -> None:
    nameless = [
        module.as_posix()
        for module in modules()
        if NAMELESS & {module.stem, *module.parts}
    ]
    assert sorted(set(nameless) - NAMED) == []


def test_imports_follow_the_contracts() -> None:
    command = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run(
        [command, "--no-logo", "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_every_module_of_the_web_has_its_layer() -> None:
    """A new module says where it stands; otherwise nothing would hold it there."""
    linter = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"][
        "importlinter"
    ]
    (layers,) = [c["layers"] for c in linter["contracts"] if c["type"] == "layers"]
    placed = {name.strip() for layer in layers for name in layer.split(":")}
    found = {
        path.stem
        for path in (ROOT / "leaderboard").iterdir()
        if not path.stem.startswith(("_", "locale"))
    }
    assert found - placed - OUTSIDE == set(), "name it in a layer of pyproject.toml"
    assert placed - found == set(), "the layers name what is gone"


def run_python(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_web_process_loads_no_model_library_and_no_task() -> None:
    loaded = run_python(
        "import sys\n"
        "import leaderboard.wsgi\n"
        "from django.urls import get_resolver\n"
        "assert len(get_resolver().url_patterns) > 3\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    assert loaded == "[]"


@pytest.mark.parametrize(
    "module", ["evaluation", "evaluation.cli", "leaderboard.client.cli"]
)
def test_what_runs_without_a_server_loads_none_of_it(module: str) -> None:
    loaded = run_python(
        f"import sys, {module}\n"
        "print([n for n in ('django', 'celery', 'torch', 'spacy') if n in sys.modules])"
    )
    assert loaded == "[]"


def test_the_worker_s_settings_module_is_the_web_s() -> None:
    """One settings file: what differs is the environment."""
    names = [path.name for path in (ROOT / "leaderboard").glob("*settings*")]
    assert names == ["settings.py"]
