"""The instance table: values, labels, joining and packing."""

import numpy as np

from evaluation.tables import concatenate, pack, unpack
from tests.evaluation.tabling import table


def same(first, second) -> bool:
    columns = ("numerators", "denominators", "errors")
    return all(
        getattr(first, name) == getattr(second, name)
        for name in ("ids", "clusters", "tags", "details", "counters")
    ) and all(
        np.array_equal(getattr(first, name)[key], getattr(second, name)[key])
        for name in columns
        for key in getattr(first, name)
    )


def test_a_value_is_a_ratio_and_none_where_it_does_not_apply():
    made = table([60, None], denominators=[4, 0])
    assert made.value("m", 0) == 15
    assert made.value("m", 1) is None


def test_an_instance_has_an_error_type_only_if_there_is_one():
    made = table([100, 0])
    assert [made.error(0), made.error(1)] == ["right", "wrong"]
    made.errors["right"][1] = 3
    assert made.error(1) is None


def test_subsets_leave_out_what_has_no_value():
    made = table([1, 2], tags={"kind": ["a", ""], "more": ["x", "y"]})
    assert made.subsets(0) == ["kind:a", "more:x"]
    assert made.subsets(1) == ["more:y"]


def test_parts_join_in_the_order_given():
    first, second = table([1, 2]), table([3, None])
    joined = concatenate([first, second])
    assert joined.ids == ("i0", "i1", "i0", "i1")
    assert joined.numerators["m"].tolist() == [1, 2, 3, 0]
    assert joined.denominators["m"].tolist() == [1, 1, 1, 0]
    assert same(concatenate([first]), first)


def test_counters_of_parts_add_up():
    first, second = table([1]), table([2])
    first.counters["asked"] = 2
    second.counters["asked"] = 3
    second.counters["cached"] = 1
    assert concatenate([first, second]).counters == {"asked": 5, "cached": 1}


def test_packing_loses_nothing_and_is_always_the_same():
    made = table([1 / 3, None, 1e-300], tags={"kind": ["a", "", "ü"]})
    made.details["note"] = ("x", None, [1, {"y": 2.5}])
    assert same(unpack(pack(made)), made)
    assert pack(unpack(pack(made))) == pack(made)
