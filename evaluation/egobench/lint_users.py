"""Lint of user ids: who asks, for whom the calls act, and who is in the database."""

from collections.abc import Iterator

from evaluation.egobench.instructions import asker
from evaluation.egobench.scenarios.order import Chain
from evaluation.egobench.state import Store
from evaluation.egobench.testset import Task
from evaluation.suite import Finding


def findings(store: Store, task: Task) -> Iterator[Finding]:
    """Whether the ground truth acts for the one user whom the instruction states."""
    users = [c.parameters["user_id"] for c in task.calls if "user_id" in c.parameters]
    texts = {user for user in users if isinstance(user, str)}
    if not all(isinstance(user, str) for user in users):
        detail = "a user_id in the ground truth is no string"
        yield Finding(code="odd_user_id", detail=detail, place=task.place)
    if any(user != user.strip() or not user.strip() for user in texts):
        detail = "a user_id in the ground truth is blank or padded with spaces"
        yield Finding(code="odd_user_id", detail=detail, place=task.place)
    if len(texts) > 1:
        detail = f"the ground truth acts for {len(texts)} users"
        yield Finding(code="several_users", detail=detail, place=task.place)
    stated = asker(task.instruction)
    if texts and stated is None:
        detail = "the instruction states no user id, but the ground truth needs one"
        yield Finding(code="no_stated_user", detail=detail, place=task.place)
    elif texts and stated not in texts:
        detail = "the user id in the instruction is not the ground truth's"
        yield Finding(code="other_user", detail=detail, place=task.place)
    if texts - _database_users(store):
        detail = "the ground truth acts for a user who is not in the database"
        yield Finding(code="unknown_user", detail=detail, place=task.place)


def _database_users(store: Store) -> set[str]:
    """The users who have a cart, list, menu, order or actions at the start."""
    if isinstance(store, Chain):
        menus = [store.menu(str(name)) for name in store.restaurants.initial]
        return {str(user) for menu in menus for user in menu.orders.initial}
    tables = ("carts", "lists", "menus", "orders", "actions")
    return {
        str(user)
        for (name,), table in store.tables()
        if name in tables
        for user in table.initial
    }
