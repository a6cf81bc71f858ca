import dataclasses

import numpy as np
import pytest
import trimesh

import firstcontact as fc
from firstcontact.motions.deformation import Deformation
from firstcontact.shapes.mesh import as_moving

MESH = fc.Mesh(np.eye(3), [[0, 1, 2]])


def test_a_deforming_mesh_owns_its_motion():
    start, end = np.zeros((3, 3)), np.ones((3, 3))
    moving = MESH.deforming(start, end)
    start[:], end[:] = 7.0, 8.0
    assert moving.shape is MESH
    assert moving.vertices(0.0).tolist() == np.zeros((3, 3)).tolist()
    assert moving.vertices(1.0).tolist() == np.ones((3, 3)).tolist()
    with pytest.raises(ValueError, match="read-only"):
        moving.motion.vertices_t0[0] = 1.0
    with pytest.raises(dataclasses.FrozenInstanceError):
        moving.shape = None


def test_positions_given_out_are_copies():
    moving = MESH.deforming(MESH.vertices, 2.0 * MESH.vertices)
    for t in (0.0, 0.5, 1.0):
        moving.vertices(t)[:] = 9.0
        assert moving.vertices(t).tolist() == ((1.0 + t) * np.eye(3)).tolist()


def test_ends_may_be_anywhere_and_of_any_numeric_type():
    moving = MESH.deforming([[1, 2, 3]] * 3, np.full((3, 3), 5, dtype=np.uint8))
    assert moving.vertices(0.5).tolist() == [[3.0, 3.5, 4.0]] * 3
    assert moving.motion.vertices_t0.dtype == moving.motion.vertices_t1.dtype == np.float64


@pytest.mark.parametrize(
    ("start", "end", "error", "message"),
    [
        (
            np.eye(3)[:2],
            np.eye(3),
            ValueError,
            "vertices_t0 must have a row for each of the mesh's 3 vertices; received 2",
        ),
        (
            np.eye(3),
            np.zeros((4, 3)),
            ValueError,
            "vertices_t1 must have a row for each of the mesh's 3 vertices; received 4",
        ),
        (
            np.eye(3),
            [],
            ValueError,
            "vertices_t1 must have a row for each of the mesh's 3 vertices; received 0",
        ),
        (np.zeros((3, 2)), np.eye(3), ValueError, r"vertices_t0 must have shape \(n, 3\); received \(3, 2\)"),
        (np.eye(3), np.eye(3) * np.nan, ValueError, "vertices_t1 must be finite; row 0 has nan"),
        (np.eye(3) - [0, 0, -np.inf], np.eye(3), ValueError, "vertices_t0 must be finite; row 0 has inf"),
        (np.eye(3) * 1e50, np.eye(3), ValueError, r"vertices_t0 must lie within .* row 0 has 1e\+50"),
        (np.eye(3), None, TypeError, "vertices_t1 must be real numbers; received object"),
        (np.eye(3).astype(str), np.eye(3), TypeError, "vertices_t0 must be real numbers; received <U"),
    ],
)
def test_bad_positions_are_told(start, end, error, message):
    with pytest.raises(error, match=f"^{message}"):
        MESH.deforming(start, end)


@pytest.mark.parametrize("t", [-0.1, 1.5, float("nan")])
def test_times_are_within_the_step(t):
    with pytest.raises(ValueError, match=r"^t must be a finite number in \[0, 1\]; received "):
        MESH.deforming(MESH.vertices, MESH.vertices).vertices(t)


def test_what_stands_still_moves_nowhere():
    moving = MESH.deforming(MESH.vertices, 2 * MESH.vertices)
    assert as_moving(moving) is moving
    for thing in (MESH, trimesh.Trimesh(np.eye(3), [[0, 1, 2]], process=False)):
        still = as_moving(thing)
        assert isinstance(still.motion, Deformation)
        np.testing.assert_array_equal(still.vertices(0.3), np.eye(3))
    with pytest.raises(TypeError, match=r"received ndarray$"):
        as_moving(np.eye(3))


def test_a_mesh_without_vertices_can_move():
    moving = fc.Mesh([], []).deforming([], [])
    assert moving.vertices(0.5).shape == (0, 3)
    assert repr(moving) == (
        "Moving(shape=Mesh(0 vertices, 0 faces), motion=Deformation(0 vertices, by up to 0))"
    )
