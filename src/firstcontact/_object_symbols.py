"""Names in an object file: those that it defines, and those that it needs from elsewhere.

A linker ends the process where a needed name is missing: who loads an object asks first.
"""

import struct
from collections.abc import Iterator
from typing import NamedTuple


class Symbols(NamedTuple):
    """Names as C has them, sorted."""

    defined: tuple[str, ...]
    needed: tuple[str, ...]


class _Symbol(NamedTuple):
    name: str
    is_needed: bool


def symbols_of(content: bytes) -> Symbols:
    """List the names of a 64-bit object file: ELF, also on Windows, where the compiler takes it, or Mach-O.

    A file of no such kind, or one that is cut short, is a `ValueError`.
    """
    try:
        found = set(_reader_of(content))
    except (struct.error, IndexError, UnicodeDecodeError) as error:
        raise ValueError(f"no whole object file: {error}") from error
    needed = {one.name for one in found if one.is_needed}
    defined = {one.name for one in found if not one.is_needed}
    return Symbols(tuple(sorted(defined)), tuple(sorted(needed - defined)))


def _reader_of(content: bytes) -> Iterator[_Symbol]:
    if content[:6] == b"\x7fELF\x02\x01":
        return _elf(content)
    if content[:4] == b"\xcf\xfa\xed\xfe":
        return _mach_o(content)
    raise ValueError("no object file of a kind that is known here")


def _elf(content: bytes) -> Iterator[_Symbol]:
    """Read the symbol tables; a symbol in no section is needed, one that is common defines itself."""
    (sections,) = struct.unpack_from("<Q", content, 40)
    size, count = struct.unpack_from("<HH", content, 58)
    headers = [struct.unpack_from("<IIQQQQIIQQ", content, sections + size * i) for i in range(count)]
    for _, kind, _, _, start, length, link, _, _, row in headers:
        if kind == 2:  # a symbol table, whose names are in the section that it links to
            strings = headers[link][4]
            for at in range(start, start + length, row):
                name, info, _, section = struct.unpack_from("<IBBH", content, at)
                if name and info >> 4:  # not local
                    yield _Symbol(_text(content, strings + name), section == 0)


def _mach_o(content: bytes) -> Iterator[_Symbol]:
    """Read the symbol table; a C name has an underscore before it there."""
    (n_commands,) = struct.unpack_from("<I", content, 16)
    at = 32
    for _ in range(n_commands):
        command, length = struct.unpack_from("<II", content, at)
        if command == 2:  # where the symbol table is
            table, count, strings, _ = struct.unpack_from("<IIII", content, at + 8)
            for row in range(table, table + 16 * count, 16):
                name, kind, _, _, value = struct.unpack_from("<IBBHQ", content, row)
                if kind & 1 and not kind & 0xE0:  # external, and nothing for debuggers
                    is_needed = kind & 0x0E == 0 and value == 0  # a common one has its size as its value
                    yield _Symbol(_text(content, strings + name).removeprefix("_"), is_needed)
        at += length


def _text(content: bytes, start: int) -> str:
    end = content.find(b"\0", start)
    if not 0 <= start < end:
        raise ValueError("no whole object file: a name has no end")
    return content[start:end].decode()
