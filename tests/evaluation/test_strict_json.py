"""JSON from strangers: what is refused, where, and in which words."""

import contextlib
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.problems import InvalidUpload
from evaluation.strict_json import MAX_DEPTH, MAX_DIGITS, MAX_STRING, decode


def refused(data: bytes, **place):
    with pytest.raises(InvalidUpload) as caught:
        decode(data, **place)
    (problem,) = caught.value.problems
    return problem


@pytest.mark.parametrize("name", ["NaN", "Infinity", "-Infinity"])
def test_constants_that_are_no_json_are_refused(name):
    problem = refused(f"[{name}]".encode())
    assert problem.code == "invalid_json"
    assert name in problem.detail


def test_a_number_beyond_a_double_is_infinite_and_not_refused():
    assert decode(b"1e400") == math.inf
    assert decode(b"9" * MAX_DIGITS) == math.inf
    assert decode(b"9" * 30) == int("9" * 30)


def test_a_key_given_twice_is_refused_at_any_depth():
    for data in (b'{"a": 1, "a": 1}', b'[{"b": {"a": 1, "c": 2, "\\u0061": 3}}]'):
        problem = refused(data)
        assert problem.code == "duplicate_key"
        assert "'a'" in problem.detail


def test_a_duplicate_among_very_many_keys_is_found_at_once():
    keys = ", ".join(f'"{n}": 0' for n in range(200_000))
    problem = refused(f'{{{keys}, "199999": 1}}'.encode())
    assert "'199999'" in problem.detail


def test_text_that_is_not_utf8_is_refused_with_its_byte():
    problem = refused(b'"ab\xff"')
    assert problem.code == "invalid_json"
    assert "byte 3" in problem.detail


def test_a_syntax_error_tells_line_and_column():
    problem = refused(b'{"a": 1,\n "b" 2}', file="f.json")
    assert (problem.file, problem.line) == ("f.json", 2)
    assert "column 6" in problem.detail


def test_in_json_lines_the_line_is_the_one_given():
    assert refused(b"{", file="f", line=7).line == 7


def nested(depth: int, inside: str = "1") -> bytes:
    return ("[" * depth + inside + "]" * depth).encode()


@pytest.mark.parametrize("inside", ["1", "", '{"a": 1}', '"text"'])
def test_nesting_is_allowed_to_the_limit_and_not_beyond(inside):
    levels = MAX_DEPTH - inside.count("{")
    assert decode(nested(levels, inside)) is not None
    assert refused(nested(levels + 1, inside)).code == "too_deep"


def test_very_deep_nesting_is_refused_and_does_not_crash():
    assert refused(b"[" * 200_000).code in {"too_deep", "invalid_json"}
    assert refused(nested(100_000)).code == "too_deep"
    assert refused(b'{"a":' * 100_000 + b"1" + b"}" * 100_000).code == "too_deep"


def test_many_brackets_side_by_side_are_no_depth():
    assert len(decode(b"[" + b"[],{}," * 500 + b"[]]")) == 1001


def test_a_string_beyond_the_limit_is_refused_wherever_it_is():
    fits = b'["' + b"a" * MAX_STRING + b'"]'
    assert len(decode(fits)[0]) == MAX_STRING
    assert refused(b'{"k": ["' + b"a" * (MAX_STRING + 1) + b'"]}').code == "too_long"


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(json_values)
def test_all_proper_json_is_read_as_it_is(value):
    assert decode(json.dumps(value).encode()) == value


@given(st.binary(max_size=40))
def test_no_bytes_are_ever_our_fault(data):
    with contextlib.suppress(InvalidUpload):
        decode(data)
