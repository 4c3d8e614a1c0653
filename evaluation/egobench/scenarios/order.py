"""Order, or restaurant6: several restaurants, each one like restaurant's (spec 5.4)."""

from collections.abc import Callable, Iterable, Mapping
from typing import Self

from evaluation.egobench.scenarios import catalogue, restaurant
from evaluation.egobench.scenarios.base import (
    Answer,
    Database,
    Parameter,
    Scenario,
    Tool,
    ToolSet,
    rows,
)
from evaluation.egobench.scenarios.restaurant_menu import (
    DishRow,
    Items,
    Menu,
    Order,
    OrderRow,
    SetMeal,
    SetMealRow,
    dish,
    set_meal,
    tools,
)
from evaluation.egobench.state import Store, Table, TableId

CREATES = "add_dish_to_catalog"


class Chain(Store):
    """All restaurants by their exact name; the set of names is part of the state."""

    __slots__ = ("_initial", "_opened", "restaurants")

    def __init__(self, menus: Mapping[str, Menu]) -> None:
        self._initial = menus
        self._opened: dict[object, Menu] = {}
        self.restaurants: Table[bool] = Table(dict.fromkeys(menus, True))

    def view(self) -> Self:
        return type(self)(self._initial)

    def names(self) -> list[str]:
        return [name for menu in self._initial.values() for name in menu.names()]

    def menu(self, restaurant_name: str) -> Menu:
        """That restaurant's menu; an unknown one has an empty menu that nobody sees."""
        found = self._opened.get(restaurant_name)
        if found is None:
            initial = self._initial.get(restaurant_name)
            if initial is None:
                return _empty()
            found = self._opened[restaurant_name] = initial.view()
        return found

    def create(self, restaurant_name: str) -> Menu:
        """That restaurant's menu, which becomes part of the state."""
        if self.restaurants.get(restaurant_name) is None:
            self.restaurants.put(restaurant_name, True)
            self._opened[restaurant_name] = _empty()
        return self.menu(restaurant_name)

    def spelled(self, restaurant_name: str) -> str:
        """The known restaurant of that name, whatever its case; else the name given."""
        if self.restaurants.get(restaurant_name) is not None:
            return restaurant_name
        wanted = restaurant_name.lower()
        known = (str(name) for name, _ in self.restaurants.items())
        return next((name for name in known if name.lower() == wanted), restaurant_name)

    def tables(self) -> Iterable[tuple[TableId, Table[object]]]:
        yield ("restaurants",), self.restaurants  # type: ignore[misc]
        for restaurant_name, menu in self._opened.items():
            for (name,), table in menu.tables():
                yield (name, restaurant_name), table  # type: ignore[misc]

    def table(self, name: TableId) -> Table[object]:
        store = self if len(name) == 1 else self.menu(name[1])
        table: Table[object] = getattr(store, name[0])
        return table


def _empty() -> Menu:
    return Menu(Table({}), Table({}), Table({}))


def load(database: Database) -> Chain:
    """The store of a database file; rows that name no restaurant are skipped."""
    dishes: dict[str, dict[str, catalogue.Goods]] = {}
    for row in rows(database, "dishes", DishRow):
        if row.restaurant_name:
            menu = dishes.setdefault(row.restaurant_name, {})
            menu[row.name.lower()] = dish(row)
    meals: dict[str, dict[str, SetMeal]] = {}
    for meal in rows(database, "set_meals", SetMealRow):
        if meal.restaurant_name:
            known = dishes.setdefault(meal.restaurant_name, {})
            offered = meals.setdefault(meal.restaurant_name, {})
            offered[meal.name.lower()] = set_meal(meal, known)
    orders: dict[str, dict[str, Order]] = {}
    for order in rows(database, "user_orders", OrderRow):
        owner = order.restaurant_name or _likely(order, dishes)
        if owner is not None:
            dishes.setdefault(owner, {})
            orders.setdefault(owner, {})[order.user_id] = {
                line.dish_name.lower(): line.quantity for line in order.items
            }
    return Chain(
        {
            name: Menu(
                Table(goods), Table(meals.get(name, {})), Table(orders.get(name, {}))
            )
            for name, goods in dishes.items()
        }
    )


def _likely(order: OrderRow, dishes: Mapping[str, Mapping[str, object]]) -> str | None:
    """The restaurant of an order without one: the first that has one of its dishes."""
    wanted = {line.dish_name.lower() for line in order.items}
    has_one = (name for name, menu in dishes.items() if wanted & menu.keys())
    return next(has_one, next(iter(dishes), None))


def _wrapped(tool: Tool) -> Callable[..., object]:
    """The same tool inside one restaurant."""

    def call(store: Chain, restaurant_name: str, **given: object) -> object:
        return tool.function(store.menu(restaurant_name), **given)

    def create(store: Chain, restaurant_name: str, **given: object) -> object:
        if len(given) < len(tool.parameters):
            raise TypeError("a required parameter is missing")
        return tool.function(store.create(restaurant_name), **given)

    chosen = create if tool.name == CREATES else call
    chosen.__doc__ = tool.function.__doc__
    return chosen


def _computing(tool: Tool, renamed: Mapping[str, str]) -> Callable[..., object]:
    """A total inside one restaurant: its name in any case, no quantities ≤ 0."""

    def compute(
        store: Chain, restaurant_name: str, user_id: str, dishes: Items
    ) -> Answer:
        counted = [
            item for item in dishes if restaurant.number(item.get("quantity", 0)) > 0
        ]
        menu = store.menu(store.spelled(restaurant_name))
        answer = tool.function(menu, user_id=user_id, dishes=counted)
        if not isinstance(answer, dict):
            raise TypeError("a total answers with an object")
        if answer.get("total_nutrition") == {}:
            answer["total_nutrition"] = dict.fromkeys(catalogue.NUTRIENTS, 0.0)
        return {
            "restaurant_name": restaurant_name,
            **{renamed.get(key, key): value for key, value in answer.items()},
        }

    compute.__doc__ = tool.function.__doc__
    return compute


def _declared() -> ToolSet:
    declared = ToolSet()
    where = Parameter(name="restaurant_name", kind="string", is_required=True)
    for tool in tools.values():
        function = (
            _computing(tool, {"total": "total_payment"})
            if tool.name.startswith("compute_total_")
            else _wrapped(tool)
        )
        declared[tool.name] = Tool(
            name=tool.name,
            parameters=(where, *tool.parameters),
            accepted=tool.accepted | {"restaurant_name"},
            has_effect=tool.has_effect,
            function=function,
        )
    return declared


ORDER = Scenario(
    slug="order",
    tools=_declared(),
    load=load,
    name_rule="pool",
    fuzzy_keys=restaurant.RESTAURANT.fuzzy_keys,
    query_tools=restaurant.RESTAURANT.query_tools,
    key_aliases={},
)
