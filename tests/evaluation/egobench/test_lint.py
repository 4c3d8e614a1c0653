"""Lint: what it finds, where, and that it gives nothing away."""

import copy
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from evaluation.egobench import SUITE
from evaluation.egobench.lint_words import are_variants
from evaluation.reading import open_upload
from evaluation.suite import Finding
from tests.evaluation.egobench.building import database, task, write_test_set

USER = "mira_204"
DROPS = "Marble Cocoa Drops"


def lint(
    folder: Path, slug: str, tasks: list[Any], change: Any = None
) -> list[Finding]:
    content = copy.deepcopy(database(slug))
    if change:
        table, row, fields = change
        content[table][row].update(fields)
    path = write_test_set(folder, {f"{slug}91": tasks}, {f"{slug}91": content})
    return list(SUITE.lint(SUITE.read_annotations(open_upload(path))))


def add(name: str = DROPS, **changed: Any) -> tuple[str, dict[str, Any]]:
    terms = {"category": "sweets", "price": 12, "tax_rate": 0.12, "discount": 0.7}
    given = {"user_id": USER, "product_name": name, "qty": 1, **terms, **changed}
    return "add_to_cart", {k: v for k, v in given.items() if v != "absent"}


def remove(name: str) -> tuple[str, dict[str, Any]]:
    return "remove_from_cart", {"user_id": USER, "product_name": name, "qty": 1}


def total(*items: tuple[str, float]) -> tuple[str, dict[str, Any]]:
    products = [{"product_name": name, "quantity": q} for name, q in items]
    return "compute_total_tax", {"user_id": USER, "products": products}


KEY = {"key": "product_name", "value": [DROPS]}
APPLES = "Quiet Orchard Apple Rings"


@pytest.mark.parametrize(
    ("code", "calls"),
    [
        ("unknown_tool", [add(), ("get_taste", {"product_name": DROPS})]),
        ("unknown_parameter", [add(colour="brown")]),
        ("missing_parameter", [add(price="absent")]),
        ("optional_parameter", [("add_product", {"allergens": []})]),
        ("unknown_name", [add("Marble Cocoa Drop")]),
        ("unknown_name", [add("Marble Cocoa Drops ")]),
        ("no_effect", [("clear_cart", {"user_id": "nobody_1"})]),
        ("failing_call", [remove(DROPS)]),
        ("failing_call", [add(qty="1")]),
        ("repeated_item", [total((DROPS, 1), ("marble cocoa drops", 2))]),
        ("total_differs", [add(), total((DROPS, 5), (APPLES, 2))]),
        (
            "total_is_partial",
            [add(), add("Blue Kettle Ginger Tea"), total((DROPS, 1), (APPLES, 2))],
        ),
        ("odd_user_id", [add(user_id=5)]),
        ("odd_user_id", [add(user_id=USER + " ")]),
        ("several_users", [add(), add(user_id="ines_077")]),
        ("unknown_user", [add(user_id="mira_205")]),
        ("other_user", [add(user_id="ines_077")]),
        ("impossible", []),
        ("impossible", [add(user_id=None)]),
        ("empty_passes_result", [total((DROPS, 1))]),
    ],
)
def test_faults_of_a_ground_truth_are_found(
    tmp_path: Path, code: str, calls: list[Any]
) -> None:
    found = lint(tmp_path, "retail", [task(*calls, **KEY)])
    assert code in {finding.code for finding in found}
    assert all(finding.place.startswith(("tasks/", "databases/")) for finding in found)


def test_a_sound_task_has_no_findings(tmp_path: Path) -> None:
    assert lint(tmp_path, "retail", [task(add(), total((DROPS, 1)), **KEY)]) == []


@pytest.mark.parametrize(
    ("code", "changed"),
    [
        ("no_stated_user", {"Instruction": "Buy something sweet."}),
        ("spelling", {"Instruction": f'(User ID: {USER}) Avoid "nuts".'}),
        ("spelling", {"Instruction": f"(User ID: {USER}) Something from Belgum."}),
        ("no_key", {"key": None}),
        ("ids_not_in_order", {"task_id": 4}),
    ],
)
def test_faults_of_wording_are_found(
    tmp_path: Path, code: str, changed: dict[str, Any]
) -> None:
    found = lint(tmp_path, "retail", [task(add(), **{**KEY, **changed})])
    assert code in {finding.code for finding in found}


def test_findings_name_places_and_no_answers(tmp_path: Path) -> None:
    tasks = [task(add("Sunken Gold", qty="7"), remove("Lost Pearl"), **KEY)]
    text = " ".join(f.detail + f.place for f in lint(tmp_path, "retail", tasks)).lower()
    assert text
    for secret in ("sunken", "pearl", "cocoa", USER):
        assert secret not in text


def change_row(table: str, row: int, **fields: Any) -> tuple[str, int, dict[str, Any]]:
    return table, row, fields


@pytest.mark.parametrize(
    ("code", "change"),
    [
        ("confusable_names", change_row("products", 0, name="Marble Cocoa")),
        ("short_names", change_row("products", 0, name="T")),
        ("duplicate_row", change_row("products", 0, name=DROPS.upper())),
        ("unknown_field", change_row("products", 0, nutrition={"basis": "x", "_g": 1})),
        ("odd_number", change_row("products", 0, discount=1.5)),
        ("odd_number", change_row("products", 0, price=-1)),
        ("spelling", change_row("products", 0, country_of_origin="Belgum")),
        (
            "unknown_name",
            change_row("user_carts", 0, items=[{"product_name": "x", "quantity": 1}]),
        ),
    ],
)
def test_faults_of_a_database_are_found(tmp_path: Path, code: str, change: Any) -> None:
    found = lint(tmp_path, "retail", [task(add(), **KEY)], change)
    assert code in {f.code for f in found if f.place.startswith("databases/")}


@pytest.mark.parametrize(
    ("a", "b", "is_variant"),
    [
        ("nut", "nuts", True),
        ("danmark", "denmark", True),
        ("biscuit", "biscuits", True),
        ("low_sugar", "low sugar", False),
        ("sweet", "sweet", False),
        ("salty", "spicy", False),
        ("soy", "soya", False),
        ("italy", "italyy", True),
    ],
)
def test_spelling_variants(a: str, b: str, is_variant: bool) -> None:
    assert are_variants(a, b) is is_variant
    assert are_variants(b, a) is is_variant


def test_the_known_quirks_of_the_reference_data_are_found(shared_data: Path) -> None:
    """The counts are those of the specification, section 6."""
    found = SUITE.lint(SUITE.read_annotations(open_upload(shared_data / "egobench")))
    codes = Counter(finding.code for finding in found)

    def tasks(code: str) -> set[str]:
        return {f.place.split("]")[0] + "]" for f in found if f.code == code}

    assert len(tasks("unknown_tool")) == 9  # Q13
    assert codes["unknown_parameter"] == 341
    assert codes["repeated_item"] == 34  # Q18
    assert codes["empty_passes_result"] == 23 + 2  # Q15, and two synthetic ones
    assert codes["impossible"] == 0
    pairs = {
        f.place: f.detail.split()[0] for f in found if f.code == "confusable_names"
    }
    assert pairs["databases/restaurant5.json"] == "333"  # Q5
    assert pairs["databases/restaurant.json"] == "92"
    assert pairs["databases/order.json"] == "94"
    failing = [f.place for f in found if f.code == "failing_call"]
    assert "tasks/retail8.json [19].ground_truth[3]" in failing  # Q14
