"""Mesh files of all formats, sound and damaged.

A random mesh is written by the writers below, and the bytes are damaged in most cases: cut, lost, repeated,
changed, words replaced by ones that readers trip over. A file must load as exactly what it says, or be
refused by one sentence, in memory that is in proportion to its size. Referees: for a sound file the mesh
itself; for a damaged one parsers of a few lines, which take the numbers as they come, and trimesh for a GLB
file whose JSON is whole; for polygons the area that their outlines enclose.
"""

import json
import math
import re
import struct
import tempfile
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import trimesh

import firstcontact as fc

Geometry = tuple[list[list[float]], list[list[int]]]

KINDS = ("obj", "off", "ply", "ply-little", "ply-big", "stl", "stl-text", "glb", "polygon")
WORDS = (
    *(
        b"1_000",
        b"nan",
        b"inf",
        b"-1",
        b"0",
        b"1e999",
        b"1000000000",
        b"4294967295",
        b"-2147483648",
        b"99999999999",
    ),
    *(
        b"\xd9\xa1",
        b"\xef\xbb\xbf",
        b"\0",
        b"#",
        b"\\\n",
        b"\r",
        b"\n",
        b"1.5",
        b"1e-5",
        b"vertex",
        b"f",
        b"x",
    ),
)
FREE_MEMORY, MEMORY_A_BYTE = 2**26, 600


class UnsoundError(Exception):
    """A file that must not be read has been."""


def make(rng: np.random.Generator) -> dict[str, Any]:
    """Write a mesh, or an outline, and damage it."""
    kind = str(rng.choice(KINDS))
    if kind == "polygon":
        n = int(rng.integers(4, 12))
        angles = (np.arange(n) + rng.uniform(0, 0.8, n)) * 2 * math.pi / n
        radii = rng.uniform(0.05, 1.0, n)
        flat = np.stack([radii * np.cos(angles), radii * np.sin(angles)], axis=1)
        axes = np.linalg.qr(rng.normal(size=(3, 3)))[0][:2]
        return {"kind": kind, "outline": (flat @ axes).tolist()}
    n_vertices, n_faces = int(rng.integers(3, 9)), int(rng.integers(1, 9))
    vertices = rng.normal(size=(n_vertices, 3)).astype(np.float32).astype(float).tolist()
    faces = rng.integers(0, n_vertices, (n_faces, 3)).tolist()
    content = _WRITERS[kind](vertices, faces)
    n_faults = int(rng.choice([0, 1, 1, 1, 2, 3]))
    for _ in range(n_faults):
        content = _damaged(content, rng)
    sound = {"vertices": vertices, "faces": faces} if n_faults == 0 else {}
    return {"kind": kind, "content": content.hex(), **sound}


def check(case: dict[str, Any]) -> str | None:
    """Load the file and compare."""
    if case["kind"] == "polygon":
        return _check_polygon(case["outline"])
    content = bytes.fromhex(case["content"])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"a.{case['kind'].partition('-')[0]}"
        path.write_bytes(content)
        tracemalloc.start()
        try:
            mesh = fc.load(path)
        except fc.MeshFileError as error:
            if "vertices" in case:
                return f"a sound file is refused: {error}"
            return "a refusal has more than one line" if "\n" in str(error) else None
        finally:
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
        if peak > FREE_MEMORY + MEMORY_A_BYTE * len(content):
            return f"{len(content)} bytes take {peak} bytes of memory"
        try:
            expected = (
                (case["vertices"], case["faces"]) if "vertices" in case else _referee(case["kind"], path)
            )
        except UnsoundError as error:
            return f"a file is read in spite of {error}"
    if expected is None:
        return None
    return _difference(mesh, case["kind"], *expected)


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Leave out pieces of a damaged file."""
    if "content" not in case or "vertices" in case:
        return
    content = bytes.fromhex(case["content"])
    size = len(content) // 2
    while size:
        for start in range(0, len(content), size):
            yield {**case, "content": (content[:start] + content[start + size :]).hex()}
        size //= 2


def _damaged(content: bytes, rng: np.random.Generator) -> bytes:
    i, j = sorted(int(place) for place in rng.integers(0, len(content) + 1, 2))
    how = rng.choice(["cut", "lose", "repeat", "byte", "word", "word", "swap"])
    if how == "cut":
        return content[:i]
    if how == "lose":
        return content[:i] + content[min(j, i + 12) :]
    if how == "repeat":
        return content[:j] + content[i:j] + content[j:]
    if how == "byte":
        return content[:i] + bytes([int(rng.integers(256))]) + content[i + 1 :]
    words = list(re.finditer(rb"[^\s,:{}\[\]\"]+", content))
    if not words:
        return content
    word = words[int(rng.integers(len(words)))]
    other = (
        words[int(rng.integers(len(words)))].group()
        if how == "swap"
        else WORDS[int(rng.integers(len(WORDS)))]
    )
    return content[: word.start()] + other + content[word.end() :]


def _difference(mesh: fc.Mesh, kind: str, vertices: list[list[float]], faces: list[list[int]]) -> str | None:
    if kind.startswith("stl"):
        vertices = [vertices[row] for face in faces for row in face]
        faces = np.arange(3 * len(faces)).reshape(-1, 3).tolist()
    if mesh.faces.tolist() != faces:
        return f"{len(faces)} faces are read as {mesh.n_faces}, or as others"
    if mesh.vertices.tolist() != vertices:
        return f"{len(vertices)} vertices are read as {mesh.n_vertices}, or as others"
    return None


def _check_polygon(outline: list[list[float]]) -> str | None:
    text = "".join(f"v {x!r} {y!r} {z!r}\n" for x, y, z in outline)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.obj"
        path.write_text(text + "f " + " ".join(str(i + 1) for i in range(len(outline))) + "\n")
        mesh = fc.load(path)
    a, b, c = (mesh.vertices[mesh.faces[:, corner]] for corner in range(3))
    cut = np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()
    points = np.array(outline)
    whole = np.linalg.norm(np.cross(points, np.roll(points, -1, axis=0)).sum(axis=0))
    if len(mesh.faces) != len(outline) - 2 or abs(cut - whole) > 1e-9 * whole:
        return f"an outline of area {whole / 2} is cut into triangles of {cut / 2}"
    return None


def _obj(vertices: list[list[float]], faces: list[list[int]]) -> bytes:
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in vertices]
    lines += [f"f {a + 1} {b + 1}/1 {c - len(vertices)}//2" for a, b, c in faces]
    return "\n".join(["# by hand", "vn 0 0 1", *lines, ""]).encode()


def _off(vertices: list[list[float]], faces: list[list[int]]) -> bytes:
    rows = [f"{x!r} {y!r} {z!r}" for x, y, z in vertices] + [f"3 {a} {b} {c}" for a, b, c in faces]
    return "\n".join(["OFF", f"{len(vertices)} {len(faces)} 0", *rows, ""]).encode()


def _ply_header(kind: str, vertices: list[list[float]], faces: list[list[int]]) -> bytes:
    return (
        f"ply\nformat {kind} 1.0\nelement vertex {len(vertices)}\nproperty double x\nproperty double y\n"
        f"property double z\nelement face {len(faces)}\nproperty list uchar int vertex_indices\nend_header\n"
    ).encode()


def _ply(vertices: list[list[float]], faces: list[list[int]]) -> bytes:
    rows = [f"{x!r} {y!r} {z!r}" for x, y, z in vertices] + [f"3 {a} {b} {c}" for a, b, c in faces]
    return _ply_header("ascii", vertices, faces) + "\n".join([*rows, ""]).encode()


def _ply_binary(order: str, vertices: list[list[float]], faces: list[list[int]]) -> bytes:
    rows = [struct.pack(f"{order}3d", *v) for v in vertices] + [
        struct.pack(f"{order}B3i", 3, *f) for f in faces
    ]
    name = "binary_little_endian" if order == "<" else "binary_big_endian"
    return _ply_header(name, vertices, faces) + b"".join(rows)


def _stl(vertices: list[list[float]], faces: list[list[int]]) -> bytes:
    rows = [struct.pack("<12fH", 0, 0, 0, *(x for i in face for x in vertices[i]), 0) for face in faces]
    return b"solid or not".ljust(80) + struct.pack("<I", len(faces)) + b"".join(rows)


def _stl_text(vertices: list[list[float]], faces: list[list[int]]) -> bytes:
    text = "solid part\n"
    for face in faces:
        corners = "".join(f"vertex {vertices[i][0]!r} {vertices[i][1]!r} {vertices[i][2]!r}\n" for i in face)
        text += f"facet normal 0 0 0\nouter loop\n{corners}endloop\nendfacet\n"
    return f"{text}endsolid part\n".encode()


def _glb(vertices: list[list[float]], faces: list[list[int]]) -> bytes:
    points, rows = np.array(vertices, "<f4").tobytes(), np.array(faces, "<u4").tobytes()
    document = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "mode": 4}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": len(vertices)},
            {"bufferView": 1, "componentType": 5125, "type": "SCALAR", "count": 3 * len(faces)},
        ],
        "bufferViews": [
            {"buffer": 0, "byteLength": len(points)},
            {"buffer": 0, "byteOffset": len(points), "byteLength": len(rows)},
        ],
        "buffers": [{"byteLength": len(points) + len(rows)}],
    }
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    parts = struct.pack("<I4s", len(text), b"JSON") + text
    parts += struct.pack("<I4s", len(points) + len(rows), b"BIN\0") + points + rows
    return struct.pack("<4sII", b"glTF", 2, 12 + len(parts)) + parts


_WRITERS = {
    "obj": _obj,
    "off": _off,
    "ply": _ply,
    "ply-little": lambda vertices, faces: _ply_binary("<", vertices, faces),
    "ply-big": lambda vertices, faces: _ply_binary(">", vertices, faces),
    "stl": _stl,
    "stl-text": _stl_text,
    "glb": _glb,
}


def _referee(kind: str, path: Path) -> Geometry | None:
    """Read a damaged file in another way; None where there is no other, or polygons came about."""
    content = path.read_bytes()
    try:
        if kind == "stl":
            n = struct.unpack_from("<I", content, 80)[0]
            corners = [struct.unpack_from("<9f", content, 84 + 50 * i + 12) for i in range(n)]
            points = [list(corner[k : k + 3]) for corner in corners for k in (0, 3, 6)]
            return points, [[3 * i, 3 * i + 1, 3 * i + 2] for i in range(n)]
        if kind == "stl-text":
            bare = re.sub(rb"(?i)solid[^\r\n]*|normal(\s+\S+){3}", b"", content)
            numbers = re.findall(rb"(?i)vertex\s+(\S+)\s+(\S+)\s+(\S+)", bare)
            rows = [list(map(_number, found)) for found in numbers]
            return rows, [[i, i + 1, i + 2] for i in range(0, len(rows), 3)]
        if kind == "obj":
            return _lines_of_obj(content)
        if kind in ("off", "ply"):
            return _rows_of_text(content, b"OFF" if kind == "off" else b"end_header")
        if kind.startswith("ply-"):
            return _rows_of_ply(content, "<" if kind == "ply-little" else ">")
        if kind == "glb":
            return _of_trimesh(path, content)
    except (ValueError, IndexError, struct.error):
        return None
    return None


def _number(word: bytes) -> float:
    if not re.fullmatch(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", word):
        raise UnsoundError(f"the number {word!r}")
    return float(word)


def _lines_of_obj(content: bytes) -> Geometry | None:
    vertices: list[list[float]] = []
    corners: list[tuple[int, list[int]]] = []
    for line in content.removeprefix(b"\xef\xbb\xbf").splitlines():
        key, *words = line.partition(b"#")[0].split() or [b""]
        if line.rstrip().endswith(b"\\"):
            return None
        if key == b"v":
            vertices.append([_number(word) for word in words[:3]])
        elif key == b"f":
            corners.append((len(vertices), [int(_number(word.split(b"/")[0])) for word in words]))
    if any(len(rows) != 3 for _, rows in corners):
        return None
    return vertices, [[row - 1 if row > 0 else n + row for row in rows] for n, rows in corners]


def _rows_of_text(content: bytes, mark: bytes) -> Geometry | None:
    """Read rows of three numbers, and rows of a 3 and three more, after a mark."""
    head, _, body = content.partition(mark)
    lines = [line.partition(b"#")[0].split() for line in body.splitlines()]
    lines = [words for words in lines if words]
    if mark == b"OFF":
        n_vertices, n_faces = int(lines[0][0]), int(lines[0][1])
        lines = lines[1:]
    else:
        n_vertices, n_faces = (int(found) for found in re.findall(rb"element\s+\S+\s+(\S+)", head))
        if re.findall(rb"property.*", head) != re.findall(rb"property.*", _ply_header("ascii", [], [])):
            return None
    if len(lines) != n_vertices + n_faces:
        raise UnsoundError(f"{len(lines)} lines for {n_vertices} vertices and {n_faces} faces")
    faces = [[int(_number(word)) for word in words] for words in lines[n_vertices:]]
    if any(len(face) != 4 or face[0] != 3 for face in faces):
        return None
    return [[_number(word) for word in words[:3]] for words in lines[:n_vertices]], [
        face[1:] for face in faces
    ]


def _rows_of_ply(content: bytes, order: str) -> Geometry | None:
    """Read binary rows after a header that is the one that was written."""
    head, mark, body = content.partition(b"end_header\n")
    n_vertices, n_faces = (int(found) for found in re.findall(rb"element\s+\S+\s+(\S+)", head))
    name = "binary_little_endian" if order == "<" else "binary_big_endian"
    if head + mark != _ply_header(name, [[]] * n_vertices, [[]] * n_faces):
        return None
    if len(body.rstrip()) > 24 * n_vertices + 13 * n_faces or len(body) < 24 * n_vertices + 13 * n_faces:
        raise UnsoundError(f"{len(body)} bytes for {n_vertices} vertices and {n_faces} triangles")
    vertices = [list(struct.unpack_from(f"{order}3d", body, 24 * i)) for i in range(n_vertices)]
    rows = [struct.unpack_from(f"{order}B3i", body, 24 * n_vertices + 13 * i) for i in range(n_faces)]
    return (vertices, [list(row[1:]) for row in rows]) if all(row[0] == 3 for row in rows) else None


def _of_trimesh(path: Path, content: bytes) -> Geometry | None:
    """Ask trimesh where the JSON is the one that was written: of another it may read a part only."""
    document = json.loads(content[20 : 20 + struct.unpack_from("<I", content, 12)[0]])
    n_vertices, n_corners = (accessor["count"] for accessor in document["accessors"])
    written = _glb([[0.0] * 3] * n_vertices, [[0] * 3] * (n_corners // 3))
    if document != json.loads(written[20 : 20 + struct.unpack_from("<I", written, 12)[0]]):
        return None
    (part,) = trimesh.load_scene(path, process=False).geometry.values()
    return part.vertices.tolist(), part.faces.tolist()
