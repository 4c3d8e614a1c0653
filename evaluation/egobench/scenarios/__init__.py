"""The six scenarios: stores and tools, one file (or two) each, on one small base."""

from collections.abc import Mapping

from evaluation.egobench.scenarios.base import Database, Scenario
from evaluation.egobench.scenarios.household import HOUSEHOLD
from evaluation.egobench.scenarios.kitchen import KITCHEN
from evaluation.egobench.scenarios.order import ORDER
from evaluation.egobench.scenarios.restaurant import RESTAURANT
from evaluation.egobench.scenarios.retail import RETAIL
from evaluation.egobench.scenarios.warehouse import WAREHOUSE

SCENARIOS: Mapping[str, Scenario] = {
    scenario.slug: scenario
    for scenario in (RETAIL, KITCHEN, RESTAURANT, ORDER, WAREHOUSE, HOUSEHOLD)
}


def scenario_for(family: str, database: Database) -> Scenario | None:
    """The rules for a variant's family: restaurant6 has the rules of order."""
    dishes = database.get("dishes")
    if family == "restaurant" and isinstance(dishes, list) and dishes:
        is_chain = all(isinstance(d, dict) and "restaurant_name" in d for d in dishes)
        return ORDER if is_chain else RESTAURANT
    return SCENARIOS.get(family)
