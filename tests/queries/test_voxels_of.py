"""Cells that shapes touch: against all cells of the box around them, one by one."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc
from samples import sample

BALL = fc.Sphere(0.8).mesh
SHAPES = {
    "sphere": fc.Sphere(0.8),
    "cone": fc.Cone(0.5, 1.0),
    "mesh": BALL,
    "leaf": fc.Mesh([[-1, 0, 0], [0.3, 0.2, 0.9], [0.5, -0.6, -0.1]], [[0, 1, 2]]),
    "points": fc.Points([[0, 0, 0], [0.7, -0.3, 0.2]], [0.35, 0.1]),
    "bare points": fc.Points([[0, 0, 0], [0.7, -0.3, 0.2]]),
    "strands": fc.Strands([[0, 0, 0], [0.7, -0.3, 0.2]], [2], 0.1),
    "compound": fc.Compound([fc.Box([0.5, 0.4, 0.3]), fc.Sphere(0.3).at((np.eye(3), [0.6, 0, 0]))]),
    "voxels": fc.Voxels([[0, 0, 0], [1, 1, 0]], 0.45),
}


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("size", [0.31, 0.25])
def test_all_cells_that_are_touched_and_no_others(name, size):
    thing = SHAPES[name].at((Rotation.from_rotvec([0.4, 0.2, 0.9]), [0.3, 0.1, -0.2]))
    found = fc.Voxels.of(thing, size, [0.01, 0, 0])
    cells = np.argwhere(np.ones((16, 16, 16), bool)) - 8
    boxes = fc.Box(np.full(3, size)).at(
        (np.broadcast_to(np.eye(3), (len(cells), 3, 3)), found.corner(cells + 0.5))
    )
    apart = fc.distance(boxes, thing).distance
    touched = {tuple(cell) for cell in found.cells.tolist()}
    assert {tuple(cell) for cell in cells[apart == 0.0].tolist()} <= touched
    assert touched <= {tuple(cell) for cell in cells[apart < 1e-9].tolist()}
    assert len(touched) >= 2


@pytest.mark.parametrize("seed", range(sample(3, of=20)))
def test_points_on_corners_touch_all_cells_around(seed):
    rng = np.random.default_rng(seed)
    points = 0.1 * rng.integers(-5, 6, (12, 3)) + rng.choice([0.0, 1e-3], (12, 3))
    quick = fc.Voxels.of(points, 0.1)
    slow = fc.Voxels.of(fc.Points(points, np.full(12, 1e-14)), 0.1)
    assert np.array_equal(quick.cells, slow.cells)
    assert quick.holds(points).all()


def test_the_inside_of_a_closed_mesh():
    shell, whole = fc.Voxels.of(BALL, 0.1), fc.Voxels.of(BALL, 0.1, solid=True)
    centers = whole.corner(np.argwhere(np.ones((20, 20, 20), bool)) - 10 + 0.5)
    is_in = fc.contains(BALL, centers)
    assert np.array_equal(whole.holds(centers), is_in | shell.holds(centers))
    assert not shell.holds(np.zeros((1, 3)))[0]
    assert np.array_equal(
        fc.Voxels.of(SHAPES["sphere"], 0.1).cells, fc.Voxels.of(SHAPES["sphere"], 0.1, solid=True).cells
    )
    ring = fc.Voxels.of(fc.Compound([BALL]), 0.1, solid=False)
    assert np.array_equal(ring.cells, shell.cells)
    with pytest.raises(ValueError, match=r"solid=True needs closed meshes"):
        fc.Voxels.of(SHAPES["leaf"], 0.1, solid=True)


@pytest.mark.parametrize(
    ("shape", "size", "told"),
    [
        (fc.HalfSpace([0, 0, 1]), 1, "rigid shapes with bounds; received what is a HalfSpace"),
        (BALL.deforming(BALL.vertices, BALL.vertices), 1, "what deforms"),
        (BALL.moving(np.eye(4), velocity=[1, 0, 0]), 1, "one pose"),
        ([[0, 0]], 1, "points must have shape"),
        ([[0, 0, np.nan]], 1, "points must be finite"),
        (BALL, 1e-9, "size is too small for a shape"),
        (BALL, -1, "size must be positive"),
    ],
)
def test_what_has_no_cells_is_refused_in_a_sentence(shape, size, told):
    with pytest.raises((TypeError, ValueError), match=told):
        fc.Voxels.of(shape, size)


def test_of_nothing_there_are_no_cells():
    assert fc.Voxels.of([], 1).n_cells == 0
    assert fc.Voxels.of(fc.Mesh([], []), 1).n_cells == 0
