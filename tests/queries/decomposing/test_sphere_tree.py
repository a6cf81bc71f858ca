"""Spheres that cover shapes: they hold their points at every level, and have none that is too far away."""

import pickle

import numpy as np
import pytest
import trimesh

import firstcontact as fc
from firstcontact.queries.decomposing import covering_cells
from firstcontact.queries.decomposing.sphere_tree import METHODS, MOST_LEVELS
from oracles.corner_beam import corner_beam

HERE = np.eye(3)
BEAM = corner_beam()
LEAF = fc.Mesh([[-1, 0, 0], [0.3, 0.2, 0.9], [0.5, -0.6, -0.1]], [[0, 1, 2]])
SHAPES = {
    "beam": BEAM,
    "far beam": fc.Mesh(1e3 * BEAM.vertices + [5e4, 0, -7e4], BEAM.faces[:, ::-1]),
    "bowl": fc.Mesh(fc.Sphere(1).mesh.vertices, fc.Sphere(1).mesh.faces[::2]),
    "leaf": LEAF,
    "flat": fc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 1]]),
    "line": fc.Mesh([[0, 0, 0], [1, 0, 0]], [[0, 1, 1]]),
    "point": fc.Mesh([[1, 2, 3]], [[0, 0, 0]]),
    "cone": fc.Cone(0.5, 1.0),
    "strands": fc.Strands([[0, 0, 0], [0.7, -0.3, 0.2]], [2], 0.1),
    "voxels": fc.Voxels([[0, 0, 0], [1, 1, 0], [1, 0, 0]], 0.45),
    "compound": fc.Compound([fc.Box([0.5, 0.4, 0.3]), LEAF.at((HERE, [0.6, 0, 0]))]),
}


def points_of(shape, rng):
    """Points of a shape: corners, middles of faces, and what is inside."""
    if isinstance(shape, fc.Compound):
        return np.concatenate(
            [points_of(part.shape, rng) @ part.pose[:3, :3].T + part.pose[:3, 3] for part in shape.parts]
        )
    if not isinstance(shape, fc.Mesh):
        inside = rng.uniform(*shape.bounds, (400, 3))
        return inside[fc.contains(shape, inside)]
    weights = rng.dirichlet(np.full(3, 0.5), (20, shape.n_faces))
    surface = np.einsum("ijk,jkl->ijl", weights, shape.vertices[shape.faces]).reshape(-1, 3)
    if shape.is_cloud:
        return surface
    is_open = trimesh.Trimesh(shape.vertices, shape.faces, process=False).is_watertight is False
    inside = rng.uniform(*shape.bounds, (0 if is_open else 400, 3))
    return np.concatenate([surface, shape.vertices, inside[fc.contains(shape, inside)]])


def holds(tree, points):
    """Which spheres (n,) hold which points: (n, m)."""
    away = np.linalg.norm(tree.centers[:, np.newaxis] - points, axis=2)
    return away <= tree.radii[:, np.newaxis]


def points_in(cloud, rng):
    """Points of all balls: on their surfaces, inside, and their centers."""
    units = rng.normal(size=(150, 3))
    units /= np.linalg.norm(units, axis=1)[:, np.newaxis]
    units[100:] *= rng.uniform(0, 1, (50, 1))
    units[-1] = 0.0
    return (cloud.positions[:, np.newaxis] + cloud.radius[:, np.newaxis, np.newaxis] * units).reshape(-1, 3)


def distances(name, points):
    """How far points are from a shape, as a solid or as a surface."""
    spots = fc.Points([[0, 0, 0]]).at((np.tile(HERE, (len(points), 1, 1)), points))
    away = fc.distance(spots, SHAPES[name]).distance
    is_solid_mesh = name in ("beam", "far beam", "voxels")  # whose distance is that of the surface
    return np.where(fc.contains(SHAPES[name], points), 0.0, away) if is_solid_mesh else away


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", SHAPES)
def test_the_shape_is_held_and_the_spheres_are_near(name, method):
    rng, shape = np.random.default_rng(1), SHAPES[name]
    tree, points = shape.sphere_tree(3, method=method), points_of(shape, rng)
    assert len(points) > 10
    held = holds(tree, points)
    assert held[0].all()
    for level in range(3):
        rows = tree.rows(level)
        if level > 0:  # by a child of a sphere that holds it
            held[rows] &= held[tree.parents[rows]]
            assert held[rows].any(axis=0).all()
        away = distances(name, points_in(tree.as_points(level), rng)).max()
        assert away <= tree.deviation[level] * (1 + 1e-9) + 1e-12
        assert tree.deviation[level] <= 1.4 * away + 1e-6 * shape.largest  # and that is not much more
    assert (np.bincount(tree.parents[1:]) <= 8).all()
    assert tree.parents[0] == -1


def test_the_surface_of_an_open_mesh_and_the_inside_of_a_closed_one():
    ball = fc.Sphere(1).mesh
    bowl = fc.Mesh(ball.vertices, ball.faces[:-1])
    assert fc.contains(ball.sphere_tree(4).as_points(), [0, 0, 0])
    assert not fc.contains(bowl.sphere_tree(4).as_points(), [0, 0, 0])


def test_a_hole_counts_as_far_as_it_is_wide():
    """From the center of a ring, where the shape is near, the sphere's pole is not as far as it is large."""
    ring = trimesh.creation.torus(1.0, 0.3, major_sections=24, minor_sections=12)
    tree = fc.Mesh(ring.vertices, ring.faces).sphere_tree(1)
    pole = np.array([[0, 0, tree.radii[0]]])
    truth = -trimesh.proximity.signed_distance(ring, pole + tree.centers)[0]
    assert truth <= tree.deviation[0] <= 1.25 * truth < tree.radii[0] + 0.7


@pytest.mark.parametrize("method", METHODS)
def test_finer_levels_stick_out_less(method):
    deviation = LEAF.sphere_tree(4, method=method).deviation
    assert deviation[3] < 0.25 * deviation[0]


def test_what_comes_back_is_plain():
    tree = BEAM.sphere_tree(2, method="grid")
    assert pickle.loads(pickle.dumps(tree)) == tree
    assert tree == BEAM.sphere_tree(2, method="grid")
    assert tree != BEAM.sphere_tree(2)
    assert (tree.n_levels, tree.method, tree.starts.tolist()) == (2, "grid", [0, 1, 1 + tree.counts[1]])
    assert repr(tree).startswith(f"SphereTree(2 levels, {tree.counts[1]} spheres in the last, deviation 0.")
    assert tree.as_points(0).n_vertices == 1
    assert tree.as_points().n_vertices == tree.counts[-1]
    for level in (2, -3, 0.5, True, "last"):
        with pytest.raises(ValueError, match=r"^level must be an integer from -2 to 1; received"):
            tree.as_points(level)


def test_nothing_is_covered_by_nothing():
    for shape in (fc.Mesh([], []), fc.Compound([]), fc.Voxels(np.zeros((1, 1, 1), bool), 1)):
        tree = shape.sphere_tree(2)
        assert tree.counts.tolist() == [0, 0]
        assert tree.deviation.tolist() == [0.0, 0.0]
        assert tree.as_points().n_vertices == 0


def test_a_search_with_the_spheres_is_never_late():
    thing, ball = (
        BEAM.moving((HERE, [-5, 0, 0]), velocity=[8, 0.5, 0]),
        fc.Sphere(0.3).at((HERE, [3, 1, 0.5])),
    )
    tree = BEAM.sphere_tree(3)
    spheres = tree.as_points().moving((HERE, [-5, 0, 0]), velocity=[8, 0.5, 0])
    truth = fc.first_contact(thing, ball, solid=True)
    found = fc.first_contact(spheres, ball).time
    assert truth.time - 2.0 * tree.deviation[-1] / 8 <= found <= truth.time_upper


def test_a_bar_is_shown_where_it_is_wanted(capsys):
    LEAF.sphere_tree(2, progress=True)
    assert "covering" in capsys.readouterr().err


def test_what_has_no_spheres_is_refused(monkeypatch):
    for shape, rest in (
        (fc.HalfSpace([0, 0, 1], 0), "HalfSpace has no end"),
        (fc.DistanceField.of(fc.Sphere(1), 0.2), "DistanceField stands for another: ask the one it is of"),
    ):
        with pytest.raises(TypeError, match=f"^sphere_tree covers shapes with bounds; a {rest}$"):
            shape.sphere_tree(2)
    for levels in (0, -1, 1.5, "two", True):
        with pytest.raises(ValueError, match=r"^levels must be an integer in \[1, "):
            BEAM.sphere_tree(levels)
    with pytest.raises(ValueError, match=rf"^levels must be {MOST_LEVELS} or fewer; received 21$"):
        BEAM.sphere_tree(21)
    monkeypatch.setattr(covering_cells, "MOST_CELLS", 1000)
    with pytest.raises(ValueError, match=r"^levels must be 4 or fewer for this shape; received 12$"):
        BEAM.sphere_tree(12)
    assert BEAM.sphere_tree(4).n_levels == 4
    with pytest.raises(ValueError, match=r"^method must be 'octree' or 'grid' or 'medial' or 'least-sq"):
        BEAM.sphere_tree(2, method="merge")
    with pytest.raises(TypeError, match=r"^progress must be True or False; received 1$"):
        BEAM.sphere_tree(2, progress=1)
