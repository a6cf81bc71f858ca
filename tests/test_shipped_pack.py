"""Packs of machine code: read as written, refused where anything differs."""

import pytest

from firstcontact import _shipped_pack
from firstcontact._shipped_pack import (
    Entry,
    Host,
    Made,
    Pack,
    host_of,
    is_current,
    read_pack,
    refusal_of,
    system_of,
    write_pack,
)
from firstcontact._sources import PACKAGE, digest_of

MADE = Made("0.68.1", "20.1.8", "2", ".cpython-311-x86_64-linux-gnu.so", "x86_64-unknown-linux-gnu")
HOST = Host(MADE, {"avx2": True, "fma": True, "avx512f": False}, ())


@pytest.fixture
def pack(tmp_path):
    entries = tuple(Entry("firstcontact.m", f"f{i}", "abc", f"(int64, {i})", 0, 0, "") for i in range(3))
    path = tmp_path / "folder" / "numba.pack"
    write_pack(Pack(path, MADE, "x86-64-v3", ("avx2", "fma"), ("sin",), entries), [b"one", b"", b"three"])
    return read_pack(path)


def test_a_pack_is_read_as_it_was_written(pack):
    assert [pack.code_of(entry) for entry in pack.entries] == [b"one", b"", b"three"]
    assert (pack.made, pack.processor, pack.features, pack.needed) == (
        MADE,
        "x86-64-v3",
        ("avx2", "fma"),
        ("sin",),
    )
    assert [entry.name for entry in pack.entries] == ["f0", "f1", "f2"]


def test_any_byte_that_changed_is_noticed(pack):
    whole = pack.path.read_bytes()
    for place in range(0, len(whole), 7):
        changed = bytearray(whole)
        changed[place] ^= 1
        pack.path.write_bytes(changed)
        with pytest.raises(ValueError, match="damaged"):
            [read_pack(pack.path).code_of(entry) for entry in pack.entries]


def test_a_pack_that_is_cut_short_is_noticed(pack):
    whole = pack.path.read_bytes()
    for length in (0, 10, 40, 70, len(whole) // 2, len(whole) - 1):
        pack.path.write_bytes(whole[:length])
        with pytest.raises(ValueError, match="damaged"):
            [read_pack(pack.path).code_of(entry) for entry in pack.entries]


def test_code_of_another_function_is_noticed(pack):
    with pytest.raises(ValueError, match="damaged"):
        pack.code_of(pack.entries[0]._replace(name="f2"))


def test_it_fits_where_it_was_made_for(pack):
    assert refusal_of(pack, HOST) is None


@pytest.mark.parametrize("field", Made._fields)
def test_another_compiler_interpreter_or_system_is_refused(pack, field):
    host = HOST._replace(made=MADE._replace(**{field: "other"}))
    assert refusal_of(pack, host) == f"it is for {field} {getattr(MADE, field)}, and here is other"


@pytest.mark.parametrize("features", [{}, {"avx2": False, "fma": True}, {"fma": True}])
def test_a_processor_that_lacks_something_is_refused(pack, features):
    assert refusal_of(pack, HOST._replace(features=features)) == "this processor has no avx2"


def test_who_asks_for_other_code_gets_it(pack, monkeypatch):
    assert refusal_of(pack, HOST._replace(settings=("NUMBA_OPT",))) == "NUMBA_OPT is set"
    for name in ("FIRSTCONTACT_COMPILE", *_shipped_pack.SETTINGS):
        monkeypatch.delenv(name, raising=False)
    assert host_of("0", "1").settings == ()
    monkeypatch.setenv("FIRSTCONTACT_COMPILE", "1")
    assert host_of("0", "1").settings == ("FIRSTCONTACT_COMPILE",)


def test_the_host_is_told_by_what_it_has():
    made = host_of("0.1.2", "2.3.4").made
    assert (made.numba, made.numpy) == ("0.1.2", "2")
    assert made.python.startswith(".")


@pytest.mark.parametrize(
    ("triple", "system"),
    [
        ("x86_64-unknown-linux-gnu", "x86_64-unknown-linux-gnu"),
        ("arm64-apple-darwin23.1.0", "arm64-apple-darwin"),
    ],
)
def test_a_release_of_macos_does_not_matter(triple, system):
    assert system_of(triple) == system


def test_other_sources_are_noticed():
    sources = digest_of(PACKAGE / "scalar" / "vec3.py")
    entry = Entry("firstcontact.scalar.vec3", "add", sources, "", 0, 0, "")
    assert is_current(entry)
    assert not is_current(entry._replace(sources="0"))
    assert not is_current(entry._replace(module="firstcontact.scalar.gone"))


def test_packs_that_cannot_be_read_are_told_of(tmp_path, monkeypatch):
    (tmp_path / "a.pack").write_text("nothing of the kind")
    (tmp_path / "b.pack").mkdir()
    monkeypatch.setattr(_shipped_pack, "FOLDER", tmp_path)
    told = _shipped_pack.packs.__wrapped__()
    assert told[0] == "a.pack cannot be used: it is damaged, or of another release"
    assert told[1].startswith("b.pack cannot be used: ")
