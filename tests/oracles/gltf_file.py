"""A glTF file that grows: a square, to be changed by tests, with one buffer."""

import base64
import json
import struct

import numpy as np

POINTS = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], dtype=np.float32)
ROWS = np.array([0, 1, 2, 0, 2, 3], dtype=np.uint16)
FACES = [[0, 1, 2], [0, 2, 3]]
TYPES = {"b": 5120, "B": 5121, "h": 5122, "H": 5123, "I": 5125, "f": 5126}
SHAPES = {1: "SCALAR", 3: "VEC3"}


class Gltf:
    """A document, its one buffer, and the two kinds of file they become."""

    def __init__(self, points=POINTS, rows=ROWS, mode=None) -> None:
        self.buffer = b""
        part = {"attributes": {"POSITION": 0}}
        self.document = {
            "asset": {"version": "2.0"},
            "scene": 0,
            "scenes": [{"nodes": [0]}],
            "nodes": [{"mesh": 0}],
            "meshes": [{"primitives": [part]}],
            "accessors": [],
            "bufferViews": [],
            "buffers": [{"byteLength": 0}],
        }
        self.accessor(points)
        if rows is not None:
            part["indices"] = self.accessor(rows)
        if mode is not None:
            part["mode"] = mode

    @property
    def part(self) -> dict:
        return self.document["meshes"][0]["primitives"][0]

    def view(self, content: bytes, **more) -> int:
        self.buffer += b"\0" * (-len(self.buffer) % 4)
        view = {"buffer": 0, "byteOffset": len(self.buffer), "byteLength": len(content), **more}
        self.document["bufferViews"].append(view)
        self.buffer += content
        self.document["buffers"][0]["byteLength"] = len(self.buffer)
        return len(self.document["bufferViews"]) - 1

    def accessor(self, values: np.ndarray, **more) -> int:
        width = 1 if values.ndim == 1 else values.shape[1]
        accessor = {"bufferView": self.view(values.tobytes()), "count": len(values), "type": SHAPES[width]}
        self.document["accessors"].append({**accessor, "componentType": TYPES[values.dtype.char], **more})
        return len(self.document["accessors"]) - 1

    def glb(self) -> bytes:
        text = json.dumps(self.document).encode()
        text += b" " * (-len(text) % 4)
        binary = self.buffer + b"\0" * (-len(self.buffer) % 4)
        size = 12 + 8 + len(text) + 8 + len(binary)
        head = struct.pack("<4sII", b"glTF", 2, size) + struct.pack("<I4s", len(text), b"JSON")
        return head + text + struct.pack("<I4s", len(binary), b"BIN\0") + binary

    def gltf(self) -> str:
        data = base64.b64encode(self.buffer).decode()
        self.document["buffers"][0]["uri"] = f"data:application/octet-stream;base64,{data}"
        return json.dumps(self.document)
