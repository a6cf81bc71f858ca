"""glTF: what is refused by name."""

import struct

import numpy as np
import pytest

from oracles.gltf_file import Gltf


def at(gltf: Gltf, *path):
    """Find a thing in the document."""
    thing = gltf.document
    for key in path:
        thing = thing[key]
    return thing


REFUSED = [
    (
        (),
        {"extensionsRequired": ["KHR_draco_mesh_compression"]},
        "it needs the extension 'KHR_draco_mesh_compression', which is not read",
    ),
    (
        (),
        {"extensionsRequired": ["KHR_mesh_quantization", "EXT_meshopt_compression"]},
        "it needs the extension 'EXT_meshopt_compression', which is not read",
    ),
    (
        (),
        {"extensionsRequired": ["ACME_unheard_of"]},
        "it needs the extension 'ACME_unheard_of', which is not read",
    ),
    (
        ("nodes", 0),
        {"extensions": {"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": 0}}}},
        "node 0 has the extension 'EXT_mesh_gpu_instancing', which is not read",
    ),
    (
        ("bufferViews", 0),
        {"extensions": {"EXT_meshopt_compression": {}}},
        "bufferView 0 has the extension 'EXT_meshopt_compression', which is not read",
    ),
    (
        ("meshes", 0, "primitives", 0),
        {"extensions": {"ACME_x": {}}},
        "part 0 of mesh 0 has the extension 'ACME_x', which is not read",
    ),
    (("nodes", 0), {"skin": 0}, "node 0 has a skin: a shape that follows bones is not read"),
    (
        ("nodes", 0),
        {"weights": [0, 0.5]},
        "node 0 mixes shapes by weights (morph targets), which is not read",
    ),
    (("nodes", 0), {"children": [0]}, "node 0 is in two places, or in itself: nodes must make trees"),
    ((), {"scene": ..., "scenes": [{}, {}]}, "it has 2 scenes, and does not say which of them is meant"),
    ((), {"scene": 7}, "its scenes have no number 7"),
    (("scenes", 0), {"nodes": ["a"]}, "its nodes have no number 'a'"),
    (("nodes", 0), {"mesh": -1}, "its meshes have no number -1"),
    (("meshes", 0, "primitives", 0), {"indices": 9}, "its accessors have no number 9"),
    (("asset",), {"version": "1.0"}, "it must be of version 2; it is of version '1.0'"),
    (("meshes", 0, "primitives", 0), {"attributes": {"NORMAL": 0}}, "part 0 of mesh 0 has no POSITION"),
    (
        ("meshes", 0, "primitives", 0),
        {"mode": 7},
        "part 0 of mesh 0 has the mode 7 and 6 corners, which make no triangles",
    ),
    (
        ("accessors", 1),
        {"count": 5},
        "part 0 of mesh 0 has the mode 4 and 5 corners, which make no triangles",
    ),
    (("accessors", 0), {"count": 3}, "part 0 of mesh 0 has 3 vertices, and names number 3"),
    (
        ("accessors", 0),
        {"count": 1000000000},
        "accessor 0 says 1000000000 rows of 12 bytes, and its view has 48 bytes",
    ),
    (("bufferViews", 0), {"byteLength": 47}, "accessor 0 says 4 rows of 12 bytes, and its view has 47 bytes"),
    (
        ("accessors", 1),
        {"componentType": 5125},
        "accessor 1 says 6 rows of 4 bytes, and its view has 12 bytes",
    ),
    (
        ("accessors", 0),
        {"bufferView": ...},
        "accessor 0 has no data in the file, or far less than its count of 4",
    ),
    (
        ("accessors", 0),
        {"type": "VEC2"},
        "accessor 0 must be VEC3 of one of (5120, 5121, 5122, 5123, 5126); it is VEC2 of 5126",
    ),
    (
        ("accessors", 1),
        {"componentType": 5122},
        "accessor 1 must be SCALAR of one of (5121, 5123, 5125); it is SCALAR of 5122",
    ),
    (
        ("accessors", 0),
        {"normalized": True},
        "accessor 0 is normalized, which numbers of floating point cannot be",
    ),
    (("bufferViews", 0), {"byteStride": 4}, "accessor 0 has rows of 12 bytes, 4 apart"),
    (("accessors", 0), {"count": -4}, "count of accessor 0 must be a whole number; received -4"),
    (("accessors", 0), {"count": 4.0}, "count of accessor 0 must be a whole number; received 4.0"),
    (("bufferViews", 0), {"byteLength": 1000}, "bufferView 0 ends at byte 1000 of a buffer that has 60"),
    (("buffers", 0), {"byteLength": 4000000000}, "buffer 0 says 4000000000 bytes, and has 60"),
    (
        ("buffers", 0),
        {"uri": "../a.bin"},
        "its buffer '../a.bin' is outside of its folder, where nothing is read",
    ),
    (
        ("buffers", 0),
        {"uri": "/a.bin"},
        "its buffer '/a.bin' is outside of its folder, where nothing is read",
    ),
    (
        ("buffers", 0),
        {"uri": "http://x/a.bin"},
        "its buffer 'http://x/a.bin' is outside of its folder, where nothing is read",
    ),
    (("buffers", 0), {"uri": "a%20b.bin"}, "its buffer 'a b.bin' is missing"),
    (("nodes", 0), {"scale": [1, 1]}, "scale of node 0 must be 3 finite numbers; received [1, 1]"),
    (
        ("nodes", 0),
        {"rotation": [0, 0, 0, 2]},
        "rotation of node 0 must have length 1; received [0.0, 0.0, 0.0, 2.0]",
    ),
    (
        ("nodes", 0),
        {
            "matrix": [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0],
            "scale": [1, 1, 1],
        },
        "the matrix of node 0 must stand alone and be affine; it has a scale too",
    ),
]


@pytest.mark.parametrize(("path", "changes", "sentence"), REFUSED)
def test_what_is_refused_by_name(refused, path, changes, sentence):
    gltf = Gltf()
    thing = at(gltf, *path)
    thing.update(changes)
    for key in [key for key, value in thing.items() if value is ...]:
        del thing[key]
    assert refused("a.glb", gltf.glb()) == sentence


def test_a_file_cut_short_anywhere(refused):
    content = Gltf().glb()
    for cut in range(1, len(content)):
        assert refused("a.glb", content[:-cut])


def test_containers_that_are_damaged(refused):
    content = Gltf().glb()
    assert refused("a.glb", content + b"\0\0\0\0").startswith("it says that it has ")
    assert refused("a.glb", content.replace(b"JSON", b"TEXT", 1)) == "its first part must be of the kind JSON"
    old = struct.pack("<4sII", b"glTF", 1, len(content)) + content[12:]
    assert refused("a.glb", old).endswith("it begins with version 1")
    assert "no data in the file" in refused("a.glb", content.replace(b"BIN\0", b"XYZ\0"))
    assert refused("a.gltf", content)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[]", "its JSON must be an object"),
        ('{"asset": {"version": "2.0"}, "x": NaN}', "NaN is no number of JSON"),
        (
            '{"asset": {"version": "2.0"}, "nodes": [], "nodes": []}',
            "it says 'nodes' twice of the same thing",
        ),
        ("[" * 100_000, None),
        ("nonsense", None),
    ],
)
def test_json_that_is_none(refused, text, sentence):
    assert refused("a.gltf", text) == sentence if sentence else refused("a.gltf", text)


def test_a_small_file_does_not_become_a_large_mesh(refused):
    """Thousands of parts that share one accessor of thousands of vertices."""
    gltf = Gltf(np.zeros((3000, 3), dtype=np.float32), None)
    gltf.document["meshes"][0]["primitives"] *= 2000
    assert "it places more than" in refused("a.glb", gltf.glb())
