"""Names of object files as the compiler's own back end writes them, for each system."""

import pytest
from llvmlite import binding

from firstcontact._object_symbols import symbols_of

CODE = """
@shared = common global i64 0
declare double @elsewhere(double)
define double @own(double %x) {
  %1 = load i64, ptr @shared
  %y = call double @elsewhere(double %x)
  ret double %y
}
define weak void @weak() { ret void }
define internal void @hidden() { ret void }
"""

TRIPLES = ["x86_64-unknown-linux-gnu", "x86_64-apple-darwin", "x86_64-pc-windows-msvc-elf"]
TRIPLES += ["aarch64-unknown-linux-gnu", "arm64-apple-darwin"]


def object_of(triple):
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    try:
        machine = binding.Target.from_triple(triple).create_target_machine()
    except RuntimeError:
        pytest.skip(f"this compiler has no {triple}")
    module = binding.parse_assembly(f'target triple = "{triple}"\n{CODE}')
    return machine.emit_object(module)


@pytest.mark.parametrize("triple", TRIPLES)
def test_names_are_those_of_the_code(triple):
    found = symbols_of(object_of(triple))
    assert {"own", "shared", "weak"} <= set(found.defined)
    assert "elsewhere" in found.needed
    assert not {"own", "shared", "weak", "hidden"} & set(found.needed)
    assert "hidden" not in found.defined


def test_what_is_no_object_file_is_refused():
    for content in (b"", b"x", b"some text", b"PK\x03\x04", b"\x7fELF\x01\x01"):
        with pytest.raises(ValueError, match="object file"):
            symbols_of(content)


@pytest.mark.parametrize("triple", TRIPLES[:2])
def test_a_file_that_is_cut_short_is_refused(triple):
    whole = object_of(triple)
    for length in (8, 40, 64, len(whole) // 2):
        with pytest.raises(ValueError, match="object file"):
            symbols_of(whole[:length])
