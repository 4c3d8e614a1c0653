"""Answers that need no model. They see instructions and databases, no ground truth."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from evaluation.egobench.compiled import Compiled, CompiledTask, Stage
from evaluation.egobench.runs import Trajectory
from evaluation.egobench.scenarios.order import Chain
from evaluation.egobench.scenarios.retail_products import Retail
from evaluation.egobench.state import Store, Table
from evaluation.egobench.submissions import Submission
from evaluation.egobench.testset import MODES
from evaluation.suite import Baseline, Coverage

ToolCall = dict[str, object]
Policy = Callable[[Stage, CompiledTask], list[ToolCall]]


@dataclass(frozen=True, kw_only=True)
class _Habits:
    """The plain moves of a scenario: look at what the user has, add to it, sum it up."""

    looks: tuple[str, ...]  # reads that need only a user
    queries: tuple[tuple[str, str], ...]  # reads that need only a name: tool, parameter
    adds: str  # the write that takes a user, a name and a quantity
    item: str  # the parameter that names a thing
    listed: str  # the list parameter of totals
    basket: str  # the table that holds what the user has


HABITS: Mapping[str, _Habits] = {
    "retail": _Habits(
        looks=("get_cart", "get_shopping_list"),
        queries=(("get_price", "product_name"), ("get_nutrition", "product_name")),
        adds="add_to_cart",
        item="product_name",
        listed="products",
        basket="carts",
    ),
    "kitchen": _Habits(
        looks=("get_current_menu", "get_current_shopping_list"),
        queries=(
            ("get_ingredient_nutrition", "ingredient_name"),
            ("get_recipe_ingredients", "recipe_name"),
        ),
        adds="add_to_shopping_list",
        item="ingredient_name",
        listed="ingredients",
        basket="lists",
    ),
    "restaurant": _Habits(
        looks=("get_user_order_summary",),
        queries=(("get_dish_price", "dish_name"), ("get_dish_nutrition", "dish_name")),
        adds="add_dish_to_order",
        item="dish_name",
        listed="dishes",
        basket="orders",
    ),
}


def _call(tool: str, **parameters: object) -> ToolCall:
    return {"tool_name": tool, "parameters": parameters}


def _places(stage: Stage) -> list[dict[str, object]]:
    """The restaurants to say where, if there are several; else nothing to say."""
    if isinstance(stage.store, Chain):
        names = [name for name, _ in stage.store.restaurants.items()]
        return [{"restaurant_name": name} for name in names]
    return [{}]


def _habits(stage: Stage) -> _Habits | None:
    slug = stage.scenario.slug
    return HABITS.get("restaurant" if slug == "order" else slug)


def empty(stage: Stage, task: CompiledTask) -> list[ToolCall]:
    """Do nothing."""
    return []


def read_only(stage: Stage, task: CompiledTask) -> list[ToolCall]:
    """Look at what the user has, and at every name in the instruction."""
    habits = _habits(stage)
    if habits is None:
        return _inventory_reads(stage, task)
    user = {"user_id": task.asker or ""}
    looks = [_call(t, **p, **user) for p in _places(stage) for t in habits.looks]
    queries = [
        _call(tool, **place, **{parameter: name})
        for place in _places(stage)
        for tool, parameter in habits.queries
        for name in task.mentioned
    ]
    return [*looks, *queries]


def _inventory_reads(stage: Stage, task: CompiledTask) -> list[ToolCall]:
    is_warehouse = stage.scenario.slug == "warehouse"
    look = "get_equipment_action_list" if is_warehouse else "get_household_action_list"
    query, key = (
        ("get_equipment_category", "equipment")
        if is_warehouse
        else ("get_item_category", "item_name")
    )
    named = [_call(query, **{key: name}) for name in task.mentioned]
    return [_call(look, user_id=task.asker or ""), *named]


def basket_total(stage: Stage, task: CompiledTask) -> list[ToolCall]:
    """Sum up what the user has at the start, as most instructions ask at the end."""
    habits = _habits(stage)
    calls = read_only(stage, task)
    if habits is None:
        return calls
    for place in _places(stage):
        items = _basket(stage.store, habits, place, task.asker)
        if items:
            calls.append(_total(stage, habits, place, task, items))
    return calls


def named_items(stage: Stage, task: CompiledTask) -> list[ToolCall]:
    """Add one of every thing that the instruction names, then sum up."""
    habits = _habits(stage)
    if habits is None:
        return read_only(stage, task)
    calls = read_only(stage, task)
    for place in _places(stage)[:1]:
        items = dict(_basket(stage.store, habits, place, task.asker))
        for name in task.mentioned:
            calls.append(_add(stage, habits, place, task, name))
            items[name] = items.get(name, 0) + 1
        if items:
            calls.append(_total(stage, habits, place, task, items))
    return calls


def _basket(
    store: Store, habits: _Habits, place: Mapping[str, object], user: str | None
) -> dict[str, float]:
    """What the user has at the start: quantities by name."""
    if isinstance(store, Chain):
        store = store.menu(str(place["restaurant_name"]))
    table: Table[object] = store.table((habits.basket,))
    record = table.get(user)
    items = record.items() if isinstance(record, dict) else ()
    amounts = {n: q["quantity"] if isinstance(q, dict) else q for n, q in items}
    return {n: q for n, q in amounts.items() if isinstance(q, int | float)}


def _add(
    stage: Stage,
    habits: _Habits,
    place: Mapping[str, object],
    task: CompiledTask,
    name: str,
) -> ToolCall:
    given: dict[str, object] = {**place, "user_id": task.asker or "", habits.item: name}
    if isinstance(stage.store, Retail):
        product = stage.store.products.get(name)
        terms = ("category", "price", "tax_rate", "discount")
        known = {term: dict(product)[term] for term in terms} if product else {}
        return _call(habits.adds, **given, qty=1, **known)
    return _call(habits.adds, **given, quantity=1)


def _total(
    stage: Stage,
    habits: _Habits,
    place: Mapping[str, object],
    task: CompiledTask,
    items: Mapping[str, float],
) -> ToolCall:
    wanted = f"compute_total_{task.asked_total}"
    kitchens = "compute_total_nutritions"
    tool = wanted if wanted in stage.scenario.tools else kitchens
    listed = [{habits.item: name, "quantity": q} for name, q in items.items()]
    where = {**place, "user_id": task.asker or "", habits.listed: listed}
    return _call(tool, **where)


def _predict(policy: Policy) -> Callable[[Compiled], Submission]:
    def predict(compiled: Compiled) -> Submission:
        files: dict[str, dict[int, Trajectory | None]] = {}
        for position, mode, place in compiled.instances:
            variant = compiled.variants[position]
            task = variant.tasks[place]
            calls = policy(compiled.stage(variant), task)
            run = Trajectory(calls=calls, syntax=None if calls else "no tool calls")
            files.setdefault(f"{variant.name}_{MODES[mode]}", {})[task.id] = run
        count = len(compiled.instances)
        coverage = Coverage(expected=count, answered=count)
        return Submission(files=files, coverage=coverage)

    return predict


BASELINES: tuple[Baseline[Compiled, Submission], ...] = (
    Baseline(
        key="empty",
        label="Empty trajectories",
        meaning="Makes no tool call at all.",
        predict=_predict(empty),
    ),
    Baseline(
        key="read_only",
        label="Reading only",
        meaning="Looks at what the user has and what the instruction names; no writes.",
        predict=_predict(read_only),
    ),
    Baseline(
        key="basket_total",
        label="Total of the basket",
        meaning="Also computes the total that is asked for over what the user has at first.",
        predict=_predict(basket_total),
    ),
    Baseline(
        key="named_items",
        label="Everything that is named",
        meaning="Adds one of each thing that the instruction names, then totals.",
        predict=_predict(named_items),
    ),
)
