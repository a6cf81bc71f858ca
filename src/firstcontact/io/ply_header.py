"""The header of a PLY file: what its elements are, and how many there are of each."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from firstcontact.io.numerals import shown, wholes

_NAMES = {
    "i1": ("char", "int8"),
    "u1": ("uchar", "uint8"),
    "i2": ("short", "int16"),
    "u2": ("ushort", "uint16"),
    "i4": ("int", "int32"),
    "u4": ("uint", "uint32"),
    "f4": ("float", "float32"),
    "f8": ("double", "float64"),
}
_TYPES = {name: kind for kind, names in _NAMES.items() for name in names}
_ORDERS = {"ascii": "", "binary_little_endian": "<", "binary_big_endian": ">"}

_START = re.compile(rb"ply[ \t]*(\r\n|\n|\r)")


class Property(NamedTuple):
    """A number, or where `count_type` is not empty, a list of numbers; types as NumPy names them."""

    name: str
    type: str
    count_type: str = ""


class Element(NamedTuple):
    """A table."""

    name: str
    n_rows: int
    properties: tuple[Property, ...]


class Header(NamedTuple):
    """What is in the file: in text, or in numbers of a byte order; from which byte on."""

    order: str
    elements: tuple[Element, ...]
    size: int

    @property
    def is_text(self) -> bool:
        """Whether the numbers are written as text."""
        return not self.order


def read_header(content: bytes) -> Header:
    """Read the header; a `ValueError` says which line of it cannot be read."""
    start = _START.match(content)
    if start is None:
        raise ValueError("it must begin with a line 'ply'")
    mark = start.group(1)
    end = re.search(re.escape(mark) + rb"end_header[ \t]*" + re.escape(mark), content)
    if end is None:
        raise ValueError("its header has no line 'end_header'")
    lines = [line.split() for line in content[start.end() : end.start()].split(mark)]
    said = [(number, words) for number, words in enumerate(lines, start=2) if words]
    said = [line for line in said if line[1][0] not in (b"comment", b"obj_info")]
    if not said or said[0][1][0] != b"format":
        raise ValueError("its second line must be its format")
    return Header(_order(*said[0]), tuple(_elements(said[1:])), end.end())


def _order(number: int, words: list[bytes]) -> str:
    name = shown(words[1]) if len(words) == 3 and words[2] == b"1.0" else ""
    if name not in _ORDERS:
        rule = f"line {number} must be the format 1.0 in {', '.join(_ORDERS)}"
        raise ValueError(f"{rule}; received {shown(b' '.join(words))!r}")
    return _ORDERS[name]


def _elements(lines: list[tuple[int, list[bytes]]]) -> Iterator[Element]:
    starts = [i for i, (_, words) in enumerate(lines) if words[0] == b"element"]
    if lines and starts[:1] != [0]:
        raise ValueError(f"line {lines[0][0]} belongs to no element")
    names = set()
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        element = _element(lines[start], [_property(*line) for line in lines[start + 1 : end]])
        if element.name in names:
            raise ValueError(f"it has two elements {element.name!r}")
        names.add(element.name)
        yield element


def _element(line: tuple[int, list[bytes]], properties: list[Property]) -> Element:
    number, words = line
    try:
        _, name, count = words
        (n_rows,) = wholes([count])
        if n_rows < 0:
            raise ValueError
    except ValueError:
        raise ValueError(f"line {number} cannot be read: {shown(b' '.join(words))}") from None
    names = [kind.name for kind in properties]
    if len(set(names)) < len(names) or (n_rows and not names):
        fault = "no properties" if not names else "two properties of one name"
        raise ValueError(f"its element {shown(name)!r} has {fault}")
    return Element(shown(name), n_rows, tuple(properties))


def _property(number: int, words: list[bytes]) -> Property:
    texts = [shown(word) for word in words]
    match texts:
        case ["property", "list", count_type, kind, name] if (
            _TYPES.get(count_type, "f")[0] != "f" and kind in _TYPES
        ):
            return Property(name, _TYPES[kind], _TYPES[count_type])
        case ["property", kind, name] if kind in _TYPES:
            return Property(name, _TYPES[kind])
    raise ValueError(f"line {number} cannot be read: {shown(b' '.join(words))}")
