"""glTF: numbers in all their forms, in all places."""

import json

import numpy as np
import pytest

from oracles.gltf_file import FACES, POINTS, ROWS, Gltf


@pytest.mark.parametrize("rows", [ROWS, ROWS.astype(np.uint8), ROWS.astype(np.uint32)])
def test_a_square(loaded, rows):
    for name, content in (("a.glb", Gltf(rows=rows).glb()), ("a.gltf", Gltf(rows=rows).gltf())):
        mesh = loaded(name, content)
        np.testing.assert_array_equal(mesh.vertices, POINTS)
        assert mesh.faces.tolist() == FACES


def test_without_indices(loaded):
    mesh = loaded("a.glb", Gltf(POINTS[ROWS], None).glb())
    np.testing.assert_array_equal(mesh.vertices, POINTS[ROWS])
    assert mesh.faces.tolist() == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize(
    ("mode", "rows", "faces"),
    [
        (5, [0, 1, 3, 2], [[0, 1, 3], [3, 1, 2]]),
        (5, [0, 1, 2, 2, 3, 3, 0, 1], [[0, 1, 2], [0, 3, 1]]),
        (6, [0, 1, 2, 3], FACES),
        (6, [0, 1, 2, 2, 3], FACES),
    ],
)
def test_strips_and_fans(loaded, mode, rows, faces):
    mesh = loaded("a.glb", Gltf(rows=np.array(rows, dtype=np.uint8), mode=mode).glb())
    assert mesh.faces.tolist() == faces


@pytest.mark.parametrize("mode", [0, 1, 2, 3])
def test_points_and_lines_are_no_surface(loaded, refused, mode):
    assert refused("a.glb", Gltf(mode=mode).glb()) == "has no faces"
    both = Gltf()
    both.document["meshes"][0]["primitives"].insert(0, {**both.part, "mode": mode})
    assert loaded("a.glb", both.glb()).faces.tolist() == FACES


@pytest.mark.parametrize("kind", ["b", "B", "h", "H"])
@pytest.mark.parametrize("is_normalized", [False, True])
def test_integers_as_positions(loaded, kind, is_normalized):
    limits = np.iinfo(kind)
    raw = np.array([[limits.min, 0, limits.max], [1, 2, 3], [limits.max, 7, 0]], dtype=kind)
    gltf = Gltf(raw, None)
    gltf.document["accessors"][0]["normalized"] = is_normalized
    gltf.document["extensionsRequired"] = ["KHR_mesh_quantization"]
    expected = raw.astype(float)
    if is_normalized:  # as the specification has it for each type
        expected = np.maximum(expected / {"b": 127, "B": 255, "h": 32767, "H": 65535}[kind], -1)
    np.testing.assert_array_equal(loaded("a.glb", gltf.glb()).vertices, expected)


@pytest.mark.parametrize("has_base", [True, False])
@pytest.mark.parametrize("is_normalized", [True, False])
def test_sparse_accessors(loaded, has_base, is_normalized):
    points = np.array([[0, 0, 0], [255, 0, 0], [0, 255, 0]], dtype=np.uint8)
    gltf = Gltf(points, None)
    changed = np.array([[51, 102, 255], [0, 0, 255]], dtype=np.uint8)
    rows = gltf.view(np.array([0, 2], dtype=np.uint16).tobytes())
    values = gltf.view(changed.tobytes())
    accessor = gltf.document["accessors"][0]
    accessor["normalized"] = is_normalized
    sparse = {"indices": {"bufferView": rows, "componentType": 5123}, "values": {"bufferView": values}}
    accessor["sparse"] = {"count": 2, **sparse}
    if not has_base:
        del accessor["bufferView"]
    expected = np.array([changed[0], points[1] if has_base else [0, 0, 0], changed[1]])
    expected = expected / 255 if is_normalized else expected
    np.testing.assert_array_equal(loaded("a.glb", gltf.glb()).vertices, expected)


@pytest.mark.parametrize(
    ("rows", "count"), [([2, 0], 2), ([0, 4], 2), ([0, 1], 3), ([1, 1], 2), ([0, 1], 10**9)]
)
def test_sparse_accessors_that_are_damaged(refused, rows, count):
    gltf = Gltf()
    indices = {"bufferView": gltf.view(np.array(rows, dtype=np.uint32).tobytes()), "componentType": 5125}
    values = {"bufferView": gltf.view(POINTS[:2].tobytes())}
    gltf.document["accessors"][0]["sparse"] = {"count": count, "indices": indices, "values": values}
    assert "accessor 0" in refused("a.glb", gltf.glb())


def test_rows_that_stand_apart(loaded):
    rows = np.zeros((4, 7), dtype=np.float32)
    rows[:, 2:5] = POINTS
    gltf = Gltf(POINTS)
    view = gltf.view(rows.tobytes()[:-8], byteStride=28)
    gltf.document["accessors"][0].update(bufferView=view, byteOffset=8)
    np.testing.assert_array_equal(loaded("a.glb", gltf.glb()).vertices, POINTS)


QUARTER = [0, 0, 0.5**0.5, 0.5**0.5]  # of a turn about z
PLACES = [
    ({"translation": [5, 6, 7]}, [[6, 6, 7], [5, 7, 7], [5, 6, 8], [5, 6, 7]]),
    ({"scale": [2, 3, 4]}, [[2, 0, 0], [0, 3, 0], [0, 0, 4], [0, 0, 0]]),
    ({"rotation": QUARTER}, [[0, 1, 0], [-1, 0, 0], [0, 0, 1], [0, 0, 0]]),
    (
        {"matrix": [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1]},
        [[5, 7, 7], [4, 6, 7], [5, 6, 8], [5, 6, 7]],
    ),
    (
        {"translation": [5, 6, 7], "rotation": QUARTER, "scale": [2, 3, 4]},
        [[5, 8, 7], [2, 6, 7], [5, 6, 11], [5, 6, 7]],
    ),
]


@pytest.mark.parametrize(("node", "ends"), PLACES)
def test_nodes_place_their_meshes(loaded, node, ends):
    """The ends of the axes, and the origin, are where each kind of place takes them."""
    gltf = Gltf(np.eye(4, 3, dtype=np.float32))
    gltf.document["nodes"][0].update(node)
    mesh = loaded("a.glb", gltf.glb())
    np.testing.assert_allclose(mesh.vertices, ends, atol=1e-12)
    assert mesh.faces.tolist() == FACES


def test_a_mirror_keeps_the_outer_side_outside(loaded):
    gltf = Gltf()
    gltf.document["nodes"][0]["scale"] = [-1, 1, 1]
    mesh = loaded("a.glb", gltf.glb())
    np.testing.assert_array_equal(mesh.vertices, POINTS * [-1, 1, 1])
    assert mesh.faces.tolist() == [face[::-1] for face in FACES]


def test_branches_and_what_is_in_no_scene(loaded):
    gltf = Gltf()
    shift = [
        {"children": [1, 2], "translation": [10, 0, 0]},
        {"mesh": 0},
        {"mesh": 0, "translation": [0, 0, 5]},
    ]
    gltf.document["nodes"] = [*shift, {"mesh": 0, "translation": [99, 99, 99]}]
    gltf.document["scenes"] = [{"nodes": [3]}, {"nodes": [0]}]
    gltf.document["scene"] = 1
    mesh = loaded("a.glb", gltf.glb())
    np.testing.assert_array_equal(mesh.vertices, [*np.add(POINTS, [10, 0, 0]), *np.add(POINTS, [10, 0, 5])])
    del gltf.document["scene"]
    gltf.document["scenes"].pop(0)
    assert loaded("a.glb", gltf.glb()).n_faces == 4


def test_a_long_chain_of_nodes(loaded):
    gltf = Gltf()
    chain = [{"children": [i + 1], "translation": [1, 0, 0]} for i in range(3000)]
    gltf.document["nodes"] = [*chain, {"mesh": 0}]
    np.testing.assert_array_equal(loaded("a.glb", gltf.glb()).vertices, np.add(POINTS, [3000, 0, 0]))


def test_a_mesh_with_draco_beside_plain_data_is_read(loaded, refused):
    gltf = Gltf()
    gltf.part["extensions"] = {"KHR_draco_mesh_compression": {"bufferView": 0, "attributes": {}}}
    assert loaded("a.glb", gltf.glb()).faces.tolist() == FACES
    del gltf.document["accessors"][0]["bufferView"]
    assert "has no data in the file" in refused("a.glb", gltf.glb())


def test_shapes_that_are_not_mixed_in_are_left_out(loaded):
    gltf = Gltf()
    gltf.part["targets"] = [{"POSITION": 0}]
    gltf.document["meshes"][0]["weights"] = [0, 0.0]
    np.testing.assert_array_equal(loaded("a.glb", gltf.glb()).vertices, POINTS)


def test_a_buffer_in_a_file_of_its_own(tmp_path, loaded, refused):
    gltf = Gltf()
    gltf.document["buffers"][0]["uri"] = "parts/a%20b.bin"
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "a b.bin").write_bytes(gltf.buffer)
    assert loaded("a.gltf", json.dumps(gltf.document)).faces.tolist() == FACES
    (tmp_path / "parts" / "a b.bin").write_bytes(gltf.buffer[:-1])
    assert refused("a.gltf", json.dumps(gltf.document)) == "buffer 0 says 60 bytes, and has 59"
