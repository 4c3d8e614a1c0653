"""Hostile archives are refused before they cost memory, and damaged ones kindly."""

import contextlib
import gzip
import io
import random
import stat
import struct
import zipfile
import zlib

import pytest

from evaluation.problems import InvalidUpload
from evaluation.reading import MIB, Limits, open_upload


def zipped(path, entries, *, packing=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", packing) as archive:
        for name, data in entries:
            entry = name if isinstance(name, zipfile.ZipInfo) else zipfile.ZipInfo(name)
            entry.compress_type = packing
            with archive.open(entry, "w") as member:
                member.write(data)
    return path


def read_all(path, limits=None):
    return {
        member.name: member.read()
        for member in open_upload(path, limits=limits).members()
    }


def code_of(path, limits=None):
    with pytest.raises(InvalidUpload) as caught:
        read_all(path, limits)
    return caught.value.problems[0].code


def test_a_plain_file_is_its_only_member(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"hello")
    assert read_all(path) == {"a.jsonl": b"hello"}


def test_an_upload_goes_by_the_name_its_owner_gave(tmp_path):
    path = tmp_path / "4c1d"
    path.write_bytes(b"x")
    assert [m.name for m in open_upload(path, "mine.json").members()] == ["mine.json"]


def test_a_directory_gives_its_files_by_path_and_follows_no_links(tmp_path):
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "two").write_bytes(b"2")
    (tmp_path / "a").write_bytes(b"1")
    (tmp_path / "link").symlink_to("/etc/passwd")
    assert read_all(tmp_path) == {"a": b"1", "b/two": b"2"}


def test_a_zip_gives_its_files_by_path_without_clutter(tmp_path):
    entries = [("z/b", b"2"), ("a", b"1"), ("__MACOSX/a", b"-"), ("z/.DS_Store", b"-")]
    assert read_all(zipped(tmp_path / "p.zip", entries)) == {"a": b"1", "z/b": b"2"}


def test_a_gz_gives_its_content(tmp_path):
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(b"hello"))
    assert read_all(path) == {"a.jsonl": b"hello"}


def test_a_member_can_be_read_twice(tmp_path):
    (member,) = open_upload(zipped(tmp_path / "p.zip", [("a", b"1")])).members()
    assert member.read() == member.read() == b"1"


@pytest.mark.parametrize(
    "name",
    ["/etc/passwd", "../up", "a/../../up", "a\\b", "C:evil", ".", "", "a\x1b[31m"],
)
def test_unsafe_names_are_refused(tmp_path, name):
    assert code_of(zipped(tmp_path / "p.zip", [(name, b"x")])) == "unsafe_path"


def test_a_link_is_refused(tmp_path):
    entry = zipfile.ZipInfo("link")
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    path = zipped(tmp_path / "p.zip", [(entry, b"/etc/passwd")])
    assert code_of(path) == "link"


def test_an_archive_inside_an_archive_is_refused(tmp_path):
    assert code_of(zipped(tmp_path / "p.zip", [("a.ZIP", b"x")])) == "nested_archive"


def test_a_name_given_twice_is_refused(tmp_path):
    with pytest.warns(UserWarning, match="Duplicate name"):
        path = zipped(tmp_path / "p.zip", [("a", b"1"), ("a", b"2")])
    assert code_of(path) == "duplicate_file"


def test_an_encrypted_member_is_refused(tmp_path):
    path = zipped(tmp_path / "p.zip", [("a", b"secret")])
    data = bytearray(path.read_bytes())
    directory = data.index(b"PK\x01\x02")
    data[directory + 8] |= 1
    path.write_bytes(data)
    assert code_of(path) == "encrypted"


def test_unusual_compression_is_refused(tmp_path):
    for packing in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        path = zipped(tmp_path / "p.zip", [("a", b"x")], packing=packing)
        assert code_of(path) == "unsupported_compression"


def test_too_many_members_are_refused(tmp_path):
    path = zipped(tmp_path / "p.zip", [(f"{n}", b"") for n in range(4)])
    assert code_of(path, Limits(members=3)) == "too_many_files"
    assert len(read_all(path, Limits(members=4))) == 4


def test_too_many_files_of_a_directory_are_refused(tmp_path):
    for n in range(4):
        (tmp_path / f"{n}").write_bytes(b"")
    assert code_of(tmp_path, Limits(members=3)) == "too_many_files"


def test_a_bomb_is_refused_by_its_ratio_before_it_goes_off(tmp_path):
    bomb = zipped(tmp_path / "p.zip", [("a", bytes(40 * MIB))])
    assert code_of(bomb) == "compression_ratio"
    packed = tmp_path / "a.gz"
    packed.write_bytes(gzip.compress(bytes(40 * MIB)))
    assert code_of(packed) == "compression_ratio"


def test_the_sizes_that_a_zip_states_are_not_believed(tmp_path):
    path = zipped(tmp_path / "p.zip", [("a", bytes(4 * MIB)), ("b", b"x" * 300_000)])
    data = bytearray(path.read_bytes())
    directory = data.index(b"PK\x01\x02")
    data[directory + 24 : directory + 28] = struct.pack("<I", 10)
    path.write_bytes(data)
    assert code_of(path, Limits(ratio=1000)) == "damaged_archive"


def test_more_than_the_unpacked_limit_is_refused_in_all_kinds(tmp_path):
    data = bytes(range(256)) * 8192
    limits = Limits(unpacked_mib=1, ratio=10_000)
    plain = tmp_path / "plain"
    plain.write_bytes(data)
    packed = tmp_path / "a.gz"
    packed.write_bytes(gzip.compress(data))
    halves = zipped(tmp_path / "p.zip", [("a", data[:MIB]), ("b", data[:MIB])])
    for path in (plain, packed, halves):
        assert code_of(path, limits) == "too_large"


def test_a_large_file_is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(bytes(2 * MIB))
    with pytest.raises(InvalidUpload, match="larger than 1 MiB"):
        open_upload(path, limits=Limits(packed_mib=1)).members()


def test_small_files_may_compress_well(tmp_path):
    path = zipped(tmp_path / "p.zip", [("a", bytes(MIB - 1))])
    assert len(read_all(path)["a"]) == MIB - 1


def test_a_damaged_gz_is_refused(tmp_path):
    whole = gzip.compress(random.Random(1).randbytes(100_000))  # noqa: S311
    path = tmp_path / "a.gz"
    for data in (whole[:-20], whole[:500] + b"xxxx" + whole[504:], whole[:2]):
        path.write_bytes(data)
        assert code_of(path) == "damaged_archive"


def test_a_cut_zip_is_refused(tmp_path):
    path = zipped(tmp_path / "p.zip", [("a", b"hello" * 100)])
    path.write_bytes(path.read_bytes()[:-30])
    assert code_of(path) == "damaged_archive"


def test_no_damage_to_a_zip_is_ever_our_fault(tmp_path):
    content = [("a", b"hello" * 100), ("b/c.json", zlib.compress(b"x") * 9)]
    whole = zipped(tmp_path / "whole.zip", content).read_bytes()
    draw = random.Random(2)  # noqa: S311
    path = tmp_path / "p.zip"
    for _ in range(1500):
        data = bytearray(whole)
        for _ in range(draw.randint(1, 4)):
            data[draw.randrange(len(data))] = draw.randrange(256)
        path.write_bytes(data)
        with contextlib.suppress(InvalidUpload):
            read_all(path)


def test_a_stream_can_be_read_in_pieces(tmp_path):
    path = zipped(tmp_path / "p.zip", [("a", b"one\ntwo\n")])
    (member,) = open_upload(path).members()
    with member.open() as stream:
        assert isinstance(stream, io.BufferedReader)
        assert stream.readline() == b"one\n"
        assert stream.read() == b"two\n"
