"""Small databases, tasks and trajectories with honest defaults."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from evaluation.egobench import SUITE
from evaluation.egobench.replay import answer
from evaluation.egobench.scenarios import SCENARIOS
from evaluation.egobench.state import Store, changes
from evaluation.reading import open_upload
from evaluation.suite import Resources
from evaluation.tables import InstanceTable

SAMPLES = Path(__file__).resolve().parents[3] / "evaluation/samples/egobench"
GOLDEN = Path(__file__).resolve().parents[2] / "data/egobench"
RESOURCES = Resources(protocol="egobench/1")
SAMPLE_DATABASES = {
    "retail": "retail91",
    "kitchen": "kitchen",
    "restaurant": "restaurant91",
    "order": "restaurant92",
}


@cache
def database(slug: str) -> dict[str, Any]:
    """A database of our own for a scenario. Not to be changed."""
    if slug == "warehouse":
        return warehouse()
    if slug == "household":
        return household()
    path = SAMPLES / f"testset/databases/{SAMPLE_DATABASES[slug]}.json"
    return json.loads(path.read_text())


def warehouse() -> dict[str, Any]:
    """Forty pieces: hammers 0 to 19 of Ferro, drills 20 to 39 of Volta."""
    rows = [
        {
            "equipment": f"{'Hammer' if n < 20 else 'Drill'} {n}",
            "appears_in_video": False,
            "category": "manual_equipment" if n < 20 else "power_equipment",
            "brand": "Ferro" if n < 20 else "Volta",
            "country_of_origin": "Norway" if n < 20 else "Japan",
            "purchase_date": f"2020-01-{n % 20 + 1:02}",
            "ideal_storage_location": "wall_rack" if n < 20 else "charging_station",
            "usage_history": ["2021-02-03"],
            "maintenance_history": history("clean", "inspect", "clean"),
            "maintenance_and_usage_instructions": (
                "Usage: mind your hands; clean every 3 months; inspect every 6 months. "
                "Maximum service life is 9 years from purchase."
            ),
        }
        for n in range(40)
    ]
    return {"equipment": rows, "equipment_action_lists": lists("equipment", "Hammer 0")}


def household() -> dict[str, Any]:
    """Forty items: chairs 0 to 19, lamps 20 to 39; lamps have no purchase date."""
    rows = [
        {
            "name": f"{'Chair' if n < 20 else 'Lamp'} {n}",
            "appears_in_video": False,
            "category": "furniture" if n < 20 else "lighting",
            "ideal_storage_location": "study" if n < 20 else "bedroom",
            "purchase_date": f"2020-01-{n % 20 + 1:02}" if n < 20 else None,
            "purchase_price": 10 + n,
            "usage_history": ["PURCHASE_DATE/2021-01-01"]
            if n < 20
            else ["2024-01-01/PRESENT"],
            "maintenance_history": history("clean", "inspect", "clean"),
            "care_and_usage_instructions": (
                "Usage: keep it dry; clean every 10 days; inspect every 6 months. "
                "Maximum service life is 9 years from purchase."
            ),
        }
        for n in range(40)
    ]
    return {"items": rows, "household_action_lists": lists("name", "Chair 0")}


def history(*actions: str) -> list[dict[str, str]]:
    return [{"date": f"2023-0{n + 1}-01", "action": a} for n, a in enumerate(actions)]


def lists(key: str, name: str) -> list[dict[str, Any]]:
    user = "warehouse_user_0" if key == "equipment" else "household_user_0"
    actions = [
        {key: name, "required_action": action, "due_date": "2026-08-20"}
        for action in ("clean", "inspect", "clean")
    ]
    return [{"user_id": f"{user}{n}", "actions": actions} for n in (1, 2, 3)]


def play(slug: str, *calls: tuple[str, Mapping[str, Any]]) -> tuple[Any, Store]:
    """The last call's answer, and the store after all calls."""
    scenario = SCENARIOS[slug]
    store, told = scenario.load(database(slug)).view(), None
    for name, parameters in calls:
        told = answer(store, scenario.tools, name, dict(parameters))
    return told, store


def changed(store: Store) -> dict[str, Any]:
    """What has changed, by `table/key`; None where a record is gone."""
    return {
        "/".join([*table, str(key)]): record
        for table, records in changes(store).items()
        for key, record in records.items()
    }


def task(*calls: tuple[str, Mapping[str, Any]], **more: Any) -> dict[str, Any]:
    """A task whose ground truth is these calls."""
    return {
        "task_id": 1,
        "Instruction": "You are a shopper (User ID: mira_204).",
        "key": None,
        "value": None,
        "ground_truth": [{"tool_name": t, "parameters": dict(p)} for t, p in calls],
        **more,
    }


def entry(*calls: tuple[str, Mapping[str, Any]], **more: Any) -> dict[str, Any]:
    """A result entry that makes these calls, one per turn."""
    turns = [
        {"turn": n + 1, "calls": [{"tool_name": t, "parameters": dict(p)}]}
        for n, (t, p) in enumerate(calls)
    ]
    return {"task_id": 1, "tool_calls": turns, **more}


def write_test_set(
    folder: Path, tasks: Mapping[str, list[Any]], databases: Mapping[str, Any]
) -> Path:
    for name, content in (("tasks", tasks), ("databases", databases)):
        (folder / name).mkdir(parents=True, exist_ok=True)
        for stem, value in content.items():
            (folder / name / f"{stem}.json").write_text(json.dumps(value))
    return folder


def scored(
    folder: Path, slug: str, tasks: list[Any], entries: Any, variant: str = ""
) -> InstanceTable:
    """Score entries for one file in easy mode, through the suite's own door."""
    variant = variant or f"{slug}91"
    where = write_test_set(folder / "set", {variant: tasks}, {variant: database(slug)})
    test_set = SUITE.select(
        SUITE.read_annotations(open_upload(where)), {variant: {"modes": ["easy"]}}
    )
    path = folder / f"{variant}_easy.json"
    path.write_text(json.dumps(entries))
    compiled = SUITE.compile(test_set)
    answers = SUITE.read_predictions(open_upload(path), SUITE.make_manifest(test_set))
    rows = range(len(SUITE.instance_ids(compiled)))
    return SUITE.score(compiled, answers, rows, RESOURCES)


def outcome(table: InstanceTable, row: int = 0) -> dict[str, Any]:
    """One instance's details and error."""
    found = {key: values[row] for key, values in table.details.items()}
    return {**found, "error": table.error(row)}
