"""The numbers of a glTF file: buffers, views of them, and accessors, which say what their bytes mean."""

import base64
import binascii
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

Document = dict[str, Any]

_TYPES = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_INDEX_TYPES = (5121, 5123, 5125)
_POSITION_TYPES = (5120, 5121, 5122, 5123, 5126)
# What may be said of things without changing the surface.
_HARMLESS = frozenset(
    {
        *("KHR_lights_punctual", "KHR_materials_variants", "KHR_xmp", "KHR_xmp_json_ld", "MSFT_lod"),
        *("EXT_mesh_features", "EXT_structural_metadata", "EXT_instance_features", "MSFT_screencoverage"),
    }
)


class GltfData:
    """The arrays of a document; each is checked against the bytes that are there before it is made."""

    def __init__(self, document: Document, path: Path, chunk: bytes | None) -> None:
        self._document, self._folder, self._chunk = document, path.parent, chunk
        self._buffers: dict[int, bytes] = {}

    @property
    def n_bytes(self) -> int:
        """How many bytes of buffers were read."""
        return sum(map(len, self._buffers.values()))

    def positions(self, number: int) -> NDArray[np.float64]:
        """Read places in space, (n, 3); integers that stand for parts of 1 become these."""
        accessor, raw = self._accessed(number, "VEC3", _POSITION_TYPES)
        values = raw.astype(np.float64)
        if not accessor.get("normalized", False):
            return values
        if raw.dtype.kind == "f":
            raise ValueError(f"accessor {number} is normalized, which numbers of floating point cannot be")
        return np.maximum(values / np.iinfo(raw.dtype).max, -1.0)

    def indices(self, number: int) -> NDArray[np.int64]:
        """Read rows of vertices, (n,)."""
        return self._accessed(number, "SCALAR", _INDEX_TYPES)[1][:, 0].astype(np.int64)

    def _accessed(self, number: int, shape: str, types: tuple[int, ...]) -> tuple[Document, NDArray[Any]]:
        accessor = entry(self._document, "accessors", number)
        where = f"accessor {number}"
        check_extensions(accessor, where)
        kind, n = accessor.get("componentType"), whole(accessor, "count", where)
        if accessor.get("type") != shape or kind not in types:
            raise ValueError(
                f"{where} must be {shape} of one of {types}; it is {accessor.get('type')} of {kind}"
            )
        width = 3 if shape == "VEC3" else 1
        if "bufferView" in accessor:
            values = self._viewed(accessor, n, _TYPES[kind], width, where)
        elif "sparse" in accessor and n <= self._size_of_sparse(accessor["sparse"]):
            values = np.zeros((n, width), _TYPES[kind])
        else:
            raise ValueError(f"{where} has no data in the file, or far less than its count of {n}")
        if "sparse" in accessor:
            values = self._patched(values, accessor["sparse"], kind, where)
        return accessor, values

    def _size_of_sparse(self, sparse: Document) -> int:
        """Bound the rows of an accessor that is zero but for some: not by its word, but by the buffers."""
        for part in ("indices", "values"):
            self._view(whole(sparse[part], "bufferView", part))
        return self.n_bytes

    def _patched(self, values: NDArray[Any], sparse: Document, kind: int, where: str) -> NDArray[Any]:
        n = whole(sparse, "count", where)
        at, new = sparse["indices"], sparse["values"]
        if at.get("componentType") not in _INDEX_TYPES:
            raise ValueError(f"{where} has sparse indices of the type {at.get('componentType')}")
        rows = self._viewed(at, n, _TYPES[at["componentType"]], 1, where)[:, 0].astype(np.int64)
        if n and ((np.diff(rows) <= 0).any() or rows[-1] >= len(values)):
            raise ValueError(
                f"{where} has sparse indices that do not ascend below its count of {len(values)}"
            )
        patched = values.copy()
        patched[rows] = self._viewed(new, n, _TYPES[kind], values.shape[1], where)
        return patched

    def _viewed(self, source: Document, n: int, kind: str, width: int, where: str) -> NDArray[Any]:
        """See n rows of numbers in a view, without a copy."""
        view, content = self._view(whole(source, "bufferView", where))
        offset, size = whole(source, "byteOffset", where, 0), np.dtype(kind).itemsize * width
        stride = whole(view, "byteStride", where, size) if "byteStride" in view else size
        if stride < size:
            raise ValueError(f"{where} has rows of {size} bytes, {stride} apart")
        if n and offset + stride * (n - 1) + size > len(content):
            raise ValueError(f"{where} says {n} rows of {size} bytes, and its view has {len(content)} bytes")
        steps = (stride, np.dtype(kind).itemsize)
        return np.ndarray((n, width), kind, content if n else None, offset if n else 0, steps if n else None)

    def _view(self, number: int) -> tuple[Document, memoryview]:
        view = entry(self._document, "bufferViews", number)
        where = f"bufferView {number}"
        check_extensions(view, where)
        content = self._buffer(whole(view, "buffer", where))
        start, size = whole(view, "byteOffset", where, 0), whole(view, "byteLength", where)
        if start + size > len(content):
            raise ValueError(f"{where} ends at byte {start + size} of a buffer that has {len(content)}")
        return view, memoryview(content)[start : start + size]

    def _buffer(self, number: int) -> bytes:
        if number not in self._buffers:
            buffer = entry(self._document, "buffers", number)
            where = f"buffer {number}"
            check_extensions(buffer, where)
            size = whole(buffer, "byteLength", where)
            content = self._content(buffer, number, size)
            if len(content) < size:
                raise ValueError(f"{where} says {size} bytes, and has {len(content)}")
            self._buffers[number] = content[:size]
        return self._buffers[number]

    def _content(self, buffer: Document, number: int, size: int) -> bytes:
        uri = buffer.get("uri")
        if uri is None and number == 0 and self._chunk is not None:
            return self._chunk
        if not isinstance(uri, str):
            raise ValueError(f"buffer {number} has no data in the file")
        if uri.startswith("data:"):
            head, _, text = uri.partition(",")
            if not head.endswith(";base64"):
                raise ValueError(f"buffer {number} has data that are not in base64")
            try:
                return base64.b64decode(text, validate=True)
            except binascii.Error as error:
                raise ValueError(f"buffer {number} has data that are not in base64: {error}") from None
        return _read_beside(self._folder, uri, size)


def _read_beside(folder: Path, uri: str, size: int) -> bytes:
    """Read a buffer from its own file, which must be in the folder of the glTF file, or below."""
    name = unquote(uri)
    relative = PurePosixPath(name)
    if ":" in name.partition("/")[0] or relative.is_absolute() or ".." in relative.parts:
        raise ValueError(f"its buffer {name[:60]!r} is outside of its folder, where nothing is read")
    file = folder / relative
    if not file.is_file():
        raise ValueError(f"its buffer {name[:60]!r} is missing")
    with file.open("rb") as stream:
        return stream.read(min(size, file.stat().st_size))


def entry(document: Document, kind: str, number: object) -> Document:
    """Give one of the document's things by its number."""
    things = document.get(kind, [])
    if isinstance(things, list) and type(number) is int and 0 <= number < len(things):
        thing = things[number]
        if isinstance(thing, dict):
            return thing
    raise ValueError(f"its {kind} have no number {number!r:.20}")


def whole(thing: Document, key: str, where: str, default: int | None = None) -> int:
    """Give a number of a thing that counts something."""
    value = thing.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"{key} of {where} must be a whole number; received {value!r:.20}")
    return value


def check_extensions(thing: Document, where: str) -> None:
    """Refuse what would change the surface in ways that are not known here."""
    for name in thing.get("extensions", {}):
        if name not in _HARMLESS:
            raise ValueError(f"{where} has the extension {name!r:.60}, which is not read")
