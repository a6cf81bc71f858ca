"""glTF 2.0: a scene as JSON, with its numbers beside it or, in a GLB file, behind it."""

import json
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from firstcontact.io.gltf_data import Document, GltfData, check_extensions, entry
from firstcontact.io.gltf_scene import placements
from firstcontact.io.strips import fan_triangles, strip_triangles

_MAGIC, _JSON, _BINARY = b"glTF", b"JSON", b"BIN\0"
_POINTS_AND_LINES, _TRIANGLES, _STRIP, _FAN = (0, 1, 2, 3), 4, 5, 6
_DRACO = "KHR_draco_mesh_compression"

# Extensions that a file may need without anything in them being needed here: looks, or what is read anyway.
_MAY_NEED = (
    "KHR_materials_",
    "KHR_texture_",
    "EXT_texture_",
    "MSFT_texture_",
    "KHR_lights_",
    "KHR_mesh_quantization",
)

# A mesh may stand in many places, but not in so many that a small file fills the memory.
_MOST, _MOST_A_BYTE = 5_000_000, 20


def read_glb(path: Path) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Read the scene of a GLB file, as `read_gltf` does."""
    content = path.read_bytes()
    magic, version, size = struct.unpack("<4sII", content[:12].ljust(12, b"\0"))
    if magic != _MAGIC or version != 2:
        fault = f"version {version}" if magic == _MAGIC else f"{content[:4]!r}"
        raise ValueError(f"it must begin with 'glTF' and the version 2; it begins with {fault}")
    if size != len(content):
        raise ValueError(f"it says that it has {size} bytes, and has {len(content)}")
    chunks, place = [], 12
    while place < size:
        length, kind = struct.unpack("<I4s", content[place : place + 8].ljust(8, b"\0"))
        if place + 8 + length > size:
            raise ValueError(f"a part of {length} bytes at byte {place} goes beyond its end")
        chunks.append((kind, content[place + 8 : place + 8 + length]))
        place += 8 + length
    if not chunks or chunks[0][0] != _JSON:
        raise ValueError("its first part must be of the kind JSON")
    has_numbers = len(chunks) > 1 and chunks[1][0] == _BINARY
    return _scene(path, chunks[0][1], chunks[1][1] if has_numbers else None, len(content))


def read_gltf(path: Path) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Read the triangles of the default scene: each mesh in each of its places, at rest.

    Triangles, strips and fans are read; points and lines are no surface, and animations are left out. A
    place that mirrors a mesh turns its faces over, so that their outer side stays outside.

    Raises
    ------
    ValueError
        The file is damaged, or needs what is not read here: it is named.
    """
    content = path.read_bytes()
    return _scene(path, content, None, len(content))


def _scene(
    path: Path, text: bytes, chunk: bytes | None, n_bytes: int
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    document = _document(text)
    data = GltfData(document, path, chunk)
    vertices: list[NDArray[np.float64]] = [np.empty((0, 3))]
    faces: list[NDArray[np.int64]] = [np.empty((0, 3), dtype=np.int64)]
    places: dict[int, list[NDArray[np.float64]]] = {}
    for mesh, pose in placements(document):
        places.setdefault(mesh, []).append(pose)
    n_vertices = n_faces = 0
    for mesh, poses in places.items():
        for points, triangles in _parts(document, data, mesh):
            n_faces += len(triangles) * len(poses)
            most = max(_MOST, _MOST_A_BYTE * (n_bytes + data.n_bytes))
            if max(n_vertices + len(points) * len(poses), n_faces) > most:
                raise ValueError(f"it places more than {most} vertices or faces, too many for its size")
            for pose in poses:
                is_mirrored = np.linalg.det(pose[:3, :3]) < 0.0
                with np.errstate(all="ignore"):  # what is not finite is told later, of vertices
                    vertices.append(points @ pose[:3, :3].T + pose[:3, 3])
                faces.append((triangles[:, ::-1] if is_mirrored else triangles) + n_vertices)
                n_vertices += len(points)
    return np.concatenate(vertices), np.concatenate(faces)


def _document(text: bytes) -> Document:
    document = json.loads(
        text.decode("utf-8-sig"), parse_constant=_no_number, object_pairs_hook=_without_twins
    )
    if not isinstance(document, dict):
        raise ValueError("its JSON must be an object")
    version = document.get("asset", {}).get("version")
    if not isinstance(version, str) or not version.startswith("2."):
        raise ValueError(f"it must be of version 2; it is of version {version!r:.20}")
    for name in document.get("extensionsRequired", []):
        if not str(name).startswith(_MAY_NEED):
            raise ValueError(f"it needs the extension {name!r:.60}, which is not read")
    return document


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no number of JSON")


def _without_twins(pairs: list[tuple[str, Any]]) -> Document:
    document: Document = {}
    for name, value in pairs:
        if name in document:
            raise ValueError(f"it says {name!r:.40} twice of the same thing")
        document[name] = value
    return document


def _parts(
    document: Document, data: GltfData, mesh: int
) -> Iterator[tuple[NDArray[np.float64], NDArray[np.int64]]]:
    """Read the vertices and triangles of a mesh, part after part."""
    for i, part in enumerate(entry(document, "meshes", mesh).get("primitives", [])):
        where = f"part {i} of mesh {mesh}"
        mode = part.get("mode", _TRIANGLES)
        if mode in _POINTS_AND_LINES:
            continue
        extensions = {name: value for name, value in part.get("extensions", {}).items() if name != _DRACO}
        check_extensions({"extensions": extensions}, where)
        if "POSITION" not in part.get("attributes", {}):
            raise ValueError(f"{where} has no POSITION")
        points = data.positions(part["attributes"]["POSITION"])
        rows = data.indices(part["indices"]) if "indices" in part else np.arange(len(points))
        if len(rows) and rows.max() >= len(points):
            raise ValueError(f"{where} has {len(points)} vertices, and names number {rows.max()}")
        yield points, _triangles(rows, mode, where)


def _triangles(rows: NDArray[np.int64], mode: object, where: str) -> NDArray[np.int64]:
    if mode == _STRIP:
        return strip_triangles(rows)
    if mode == _FAN:
        return fan_triangles(rows)
    if mode != _TRIANGLES or len(rows) % 3:
        raise ValueError(
            f"{where} has the mode {mode!r:.20} and {len(rows)} corners, which make no triangles"
        )
    return rows.reshape(-1, 3)
