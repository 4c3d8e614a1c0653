"""A trace names the type and the places, and quotes nothing."""

from workers.traces import ROOT, trace_of


def deep(depth: int) -> None:
    if depth == 0:
        raise KeyError("the answer")
    deep(depth - 1)


def caught(depth: int) -> BaseException:
    try:
        deep(depth)
    except KeyError as error:
        return error
    raise AssertionError


def test_a_trace_tells_where_and_never_what() -> None:
    trace = trace_of(caught(2))
    kind, *places = trace.replace(" at ", " < ", 1).split(" < ")
    assert kind == "KeyError"
    assert [place.split(" in ")[1] for place in places] == ["deep"] * 3 + ["caught"]
    assert places[0].startswith("tests/workers/test_traces.py:")
    assert "answer" not in trace
    assert str(ROOT) not in trace


def test_an_error_that_was_never_raised_has_a_type_only() -> None:
    assert trace_of(ValueError("the answer")) == "ValueError at "
