"""The fast way of reading gives what the careful way gives, whatever the file."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation import strict_json
from evaluation.problems import InvalidUpload, ProblemList
from evaluation.svcbench import bulk
from evaluation.svcbench.draft import Draft
from evaluation.svcbench.lines import Chunk, decode_chunk
from tests.evaluation.svcbench import building
from tests.evaluation.svcbench.building import lines, predictions, question, raw

ROWS = question([1, 2, 3, 4]) + question([2, 2], question_id="0002", first_q_id=4)
MANIFEST = building.SUITE.make_manifest(building.annotations(ROWS))


def outcome(data: bytes, manifest_rows=ROWS):
    """All that a reader of the file learns."""
    try:
        answers = predictions(data, manifest_rows)
    except InvalidUpload as error:
        return error.total, error.problems
    return (
        answers.values.tolist(),
        answers.state.tolist(),
        answers.coverage,
        answers.notices,
        answers.unreadable,
    )


def carefully(data: bytes):
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(bulk, "place", lambda chunk, draft: 0)
        return outcome(data)


def in_bulk(data: bytes) -> int:
    return bulk.place(Chunk(file="f", first=1, data=data), Draft(MANIFEST, "f"))


USUAL = raw(ROWS, [1, 2, 3, 4, 5, 6])


@pytest.mark.parametrize(
    "rows",
    [
        USUAL,
        list(reversed(USUAL)),
        USUAL[2:4],
        [{"q_id": row["q_id"], "pred": "7"} for row in USUAL],
        [row | {"prediction": None} for row in USUAL],
        [row | {"prediction": 1e300, "finish_reason": "STOP"} for row in USUAL],
        [row | {"query_time": row["query_time"] + 1e-7} for row in USUAL],
    ],
)
def test_usual_files_are_placed_in_bulk(rows):
    assert in_bulk(lines(rows)) == len(rows)
    assert outcome(lines(rows)) == carefully(lines(rows))


ROW = lines([USUAL[0]])
OTHER = lines([USUAL[1]])
UNUSUAL = {
    "a key twice": ROW.replace(b"}", b', "prediction": 2}'),
    "a key twice, and one less elsewhere": ROW.replace(b"}", b', "prediction": 2}')
    + b'{"q_id": "0001", "id": "0001", "query_index": 1, "query_time": 11.5}\n',
    "two rows on a line": ROW.strip() + OTHER,
    "two rows on a line and one on two lines": ROW.strip()
    + OTHER
    + b'{"q_id": "0002",\n"id": "0001", "query_index": 2, "query_time": 21.5,'
    b' "prediction": 1}\n',
    "a blank line": ROW + b"\n" + OTHER,
    "white space before": b"  " + ROW,
    "a colon in text": ROW.replace(b"}", b', "note": "a:b"}'),
    "a number of 4000 digits": ROW.replace(b"1}", b"1" * 4000 + b"}"),
    "another row twice": ROW + OTHER + ROW,
    "an unknown id": ROW + b'{"q_id": "9999", "prediction": 1}\n',
    "another id": ROW.replace(b'"id": "0001"', b'"id": "0002"'),
    "another index": ROW.replace(b'"query_index": 0', b'"query_index": 1'),
    "another time": ROW.replace(b"1.5", b"1.6"),
    "NaN": ROW.replace(b": 1}", b": NaN}"),
    "1e400": ROW.replace(b": 1}", b": 1e400}"),
    "true as index": ROW.replace(b'"query_index": 0', b'"query_index": false'),
    "half a character": ROW.replace(b": 1}", b': "\\ud800"}'),
    "no UTF-8": ROW.replace(b": 1}", b': "\xff"}'),
    "a list": ROW + b"[1]\n",
    "a nested object": ROW.replace(b"}", b', "usage": {"tokens": 1}}'),
    "a huge integer": ROW.replace(b": 1}", b": 99999999999999999999999}"),
    "keys that are no names": ROW.replace(b"}", b', "my key": 1, "class": 2}'),
    "no line feed at the end": (ROW + OTHER).rstrip(),
    "carriage returns": (ROW + OTHER).replace(b"\n", b"\r\n"),
}


@pytest.mark.parametrize("name", UNUSUAL)
def test_unusual_files_give_the_same_in_bulk_and_one_by_one(name):
    assert outcome(UNUSUAL[name]) == carefully(UNUSUAL[name])


def test_a_line_of_two_rows_is_never_taken_for_one():
    for name in ("two rows on a line", "two rows on a line and one on two lines"):
        total, problems = outcome(UNUSUAL[name])
        assert total >= 1
        assert problems[0].code == "invalid_json"


value = st.one_of(
    st.integers(-3, 9),
    st.none(),
    st.booleans(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["3", " 4", "five", "a:b", "{", "[", "", "é"]),
    st.lists(st.integers(), max_size=2),
    st.integers(2**52, 2**70),
)
edit = st.fixed_dictionaries(
    {},
    optional={
        "q_id": st.sampled_from(["0000", "0001", "0003", "0005", "77", 3]),
        "id": st.sampled_from(["0001", "0002", "9", None]),
        "query_index": st.sampled_from([0, 1, 2, "0", True, 1.0]),
        "query_time": st.sampled_from([1.5, 11.5, 1.5000001, "x", 21, True]),
        "extra": value,
        "pred": value,
    },
)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 5), value, edit), max_size=6),
    st.sampled_from(["\n", "\r\n", "\n\n"]),
)
def test_any_raw_file_gives_the_same_in_bulk_and_one_by_one(drawn, end):
    rows = [USUAL[at] | {"prediction": one} | changes for at, one, changes in drawn]
    data = "".join(json.dumps(row) + end for row in rows).encode()
    assert outcome(data) == carefully(data)


fragment = st.sampled_from(
    [
        b'{"a": 1}',
        b'{"a": 1, "a": 2}',
        b'{"a": [1, [2]]}',
        b'{"a": {"b": 1}}',
        b'{"a": "x:{["}',
        b"[]",
        b"NaN",
        b"1e400",
        b'"\\ud800"',
        b"\xff",
        b"  ",
        b"",
        b"{",
        b"nul",
        b"12",
        b"\t{}\r",
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.one_of(fragment, st.binary(max_size=6)), max_size=8))
def test_lines_are_decoded_as_the_strict_decoder_decodes_them(parts):
    data = b"\n".join(parts)
    broken, strict = ProblemList(), ProblemList()
    block = decode_chunk(Chunk(file="f", first=1, data=data), broken)
    found = list(zip(block.numbers, block.rows, strict=True))
    wanted = []
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            wanted.append((number, strict_json.decode(line, file="f", line=number)))
        except InvalidUpload as error:
            strict.add(error.problems[0])
    assert repr(found) == repr(wanted)
    assert broken.listed == strict.listed


def test_files_longer_than_a_chunk_keep_their_line_numbers():
    padding = "x" * 2000
    rows = [USUAL[0] | {"note": padding}] + [
        {"q_id": "nope", "prediction": 1, "note": padding} for _ in range(1500)
    ]
    total, problems = outcome(lines(rows))
    assert total == 1500
    assert problems[0].line == 2
    late = lines(rows[:1]) + b"\n" * 2_000_000 + b'{"q_id": "z"}\n'
    _, problems = outcome(late)
    assert problems[0].line == 2_000_002
