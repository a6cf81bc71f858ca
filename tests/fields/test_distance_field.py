"""Fields keep their tolerance: everywhere, of all shapes, against slow distances."""

import pickle

import numba
import numpy as np
import pytest

import firstcontact as fc
from oracles.point_meshes import distances_to_faces, winding_numbers
from samples import sample

N_POINTS = sample(3000, 200_000)

SHAPES = [
    fc.Sphere(0.7),
    fc.Box([1.0, 0.4, 2.0]),
    fc.Capsule(0.3, 1.0),
    fc.Cylinder(0.5, 1.5),
    fc.Ellipsoid([0.4, 0.7, 1.1]),
]


def exact_of(shape, points):
    """Signed distances of convex shapes, by what they are: in NumPy, the ellipsoid by many tangent planes."""
    x, y, z = points.T
    if isinstance(shape, fc.Sphere):
        return np.sqrt(x * x + y * y + z * z) - shape.radius
    if isinstance(shape, fc.Box):
        q = np.abs(points) - shape.extents / 2
        return np.linalg.norm(np.maximum(q, 0), axis=1) + np.minimum(q.max(axis=1), 0)
    if isinstance(shape, fc.Capsule):
        return np.sqrt(x * x + y * y + (np.abs(z) - shape.length / 2).clip(0) ** 2) - shape.radius
    if isinstance(shape, fc.Cylinder):
        q = np.stack([np.hypot(x, y) - shape.radius, np.abs(z) - shape.length / 2])
        return np.linalg.norm(np.maximum(q, 0), axis=0) + np.minimum(q.max(axis=0), 0)
    axes = np.asarray(shape.radii)
    n = 4000
    heights = 1 - 2 * (np.arange(n) + 0.5) / n
    turns = np.arange(n) * 2.399963229728653
    across = np.sqrt(1 - heights**2)
    normals = np.stack([across * np.cos(turns), across * np.sin(turns), heights], axis=1)
    reach = np.linalg.norm(normals * axes, axis=1)
    return np.concatenate([(some @ normals.T - reach).max(axis=1) for some in np.array_split(points, 16)])


def points_in(field, n, seed=0):
    """Points of the box of a field: at random, on its corners and edges, and on borders of cells."""
    rng = np.random.default_rng(seed)
    lower, upper = field.box
    inside = rng.uniform(lower, upper, (n, 3))
    on_grid = lower + np.round((inside[: n // 4] - lower) / (upper - lower) * 64) / 64 * (upper - lower)
    on_border = np.where(rng.random((n // 8, 3)) < 0.5, lower, upper)
    return np.concatenate([inside, on_grid, on_border])


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: type(shape).__name__)
def test_convex_shapes_keep_the_tolerance(shape):
    field = fc.DistanceField.of(shape, 0.02)
    points = points_in(field, min(N_POINTS, 20_000))
    slack = 2e-3 if isinstance(shape, fc.Ellipsoid) else 0.0  # of the slow truth, which is too small there
    worst = np.abs(field(points) - exact_of(shape, points)).max()
    assert worst <= 0.02 + slack
    assert worst > 0.005


def slow_distances(mesh, points):
    unsigned = np.concatenate(
        [
            distances_to_faces(some, mesh.vertices, mesh.faces).min(axis=1)
            for some in np.array_split(points, 8)
        ]
    ).astype(float)
    inside = np.abs(winding_numbers(points, mesh.vertices, mesh.faces)) > 0.5
    return np.where(inside, -unsigned, unsigned)


def star(rng):
    """A closed mesh around the origin, spikes and hollows all over."""
    mesh = fc.Sphere(1.0).mesh
    return fc.Mesh(mesh.vertices * rng.uniform(0.4, 1.0, (mesh.n_vertices, 1)), mesh.faces)


def thin_shell():
    """A ball of a hollow ball: two spheres with little between them."""
    mesh = fc.Sphere(1.0).mesh
    n = mesh.n_vertices
    return fc.Mesh(
        np.vstack([mesh.vertices, 0.97 * mesh.vertices]), np.vstack([mesh.faces, mesh.faces[:, ::-1] + n])
    )


CUBE = fc.Box([1, 1, 1]).mesh

MESHES = {
    "box": fc.Box([1.0, 2.0, 0.5]).mesh,
    "plate": fc.Box([1.0, 1.0, 0.02]).mesh,
    "hull": fc.ConvexHull(np.random.default_rng(3).normal(size=(12, 3))).mesh,
    "shell": thin_shell(),
    "star": star(np.random.default_rng(1)),
    "two": fc.Mesh(
        np.vstack(
            [fc.Box([1, 1, 1]).mesh.vertices, fc.Box([1, 1, 1]).mesh.vertices + np.array([1.3, 0.2, 0])]
        ),
        np.vstack([fc.Box([1, 1, 1]).mesh.faces, fc.Box([1, 1, 1]).mesh.faces + 8]),
    ),
}


@pytest.mark.parametrize("name", MESHES)
def test_closed_meshes_keep_the_tolerance(name):
    mesh = MESHES[name]
    tolerance = 0.1 if mesh.n_faces > 500 else 0.06
    field = fc.DistanceField.of(mesh, tolerance)
    n = min(N_POINTS, 20_000) // (8 if mesh.n_faces > 500 else 1)
    around = mesh.vertices[np.random.default_rng(0).integers(0, mesh.n_vertices, n // 2)]
    points = np.vstack([points_in(field, n), around + np.random.default_rng(1).normal(0, 0.05, around.shape)])
    assert np.abs(field(points) - slow_distances(mesh, points)).max() <= tolerance


def test_open_meshes_have_distances_without_a_sign():
    sheet = fc.Mesh([[0, 0, 0], [1, 0, 0], [1, 1, 0.3], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]])
    field = fc.DistanceField.of(sheet, 0.05)
    points = points_in(field, 2000)
    truth = distances_to_faces(points, sheet.vertices, sheet.faces).min(axis=1)
    assert not field.is_signed
    assert np.abs(field(points) - truth).max() <= 0.05


@pytest.mark.parametrize("size", [1e-6, 1e6])
@pytest.mark.parametrize("place", [0.0, 1e3])
def test_scale_and_place_do_not_matter(size, place):
    mesh = fc.Mesh(size * (fc.Box([1, 1, 1]).mesh.vertices + place), fc.Box([1, 1, 1]).mesh.faces)
    field = fc.DistanceField.of(mesh, 0.05 * size)
    points = points_in(field, 500)
    truth = exact_of(fc.Box([1, 1, 1]), points / size - place) * size
    assert np.abs(field(points) - truth).max() <= 0.05 * size + 1e-9 * size


def test_outside_the_box_the_field_is_a_bound():
    ball = fc.Sphere(1.0)
    field = fc.DistanceField.of(ball, 0.01, margin=0.1)
    points = np.random.default_rng(0).normal(size=(2000, 3)) * 10
    truth = exact_of(ball, points)
    assert (field(points) - 0.01 <= truth).all()
    assert (truth <= np.sqrt(2) * field(points) + 0.01).all()


def test_gradients_are_derivatives():
    field = fc.DistanceField.of(fc.Cylinder(0.5, 1.5), 0.02)
    points, step = np.random.default_rng(0).normal(size=(400, 3)), 1e-7
    measured = [
        (field(points + step * axis) - field(points - step * axis)) / (2 * step) for axis in np.eye(3)
    ]
    off = np.abs(np.stack(measured, axis=1) - field.gradient(points)).max(axis=1)
    assert np.quantile(off, 0.98) < 1e-6  # the others have a border of cells between the two
    assert field.gradient([2, 0, 0]).shape == (3,)


def test_one_point_gives_a_number_and_none_gives_none():
    field = fc.DistanceField.of(fc.Sphere(1.0), 0.05)
    assert isinstance(field([0, 0, 2]), float)
    assert field(np.empty((0, 3))).shape == (0,)
    with pytest.raises(ValueError, match="points must be finite"):
        field([np.nan, 0, 0])


def test_threads_and_copies_give_the_same_bytes():
    field = fc.DistanceField.of(MESHES["box"], 0.06)
    try:
        numba.set_num_threads(1)
        again = fc.DistanceField.of(MESHES["box"], 0.06)
    finally:
        numba.set_num_threads(numba.config.NUMBA_NUM_THREADS)
    assert field == again
    copy = pickle.loads(pickle.dumps(field))
    assert copy == field
    points = points_in(field, 100)
    assert np.array_equal(copy(points), field(points))
    assert not copy.octree.values.flags.writeable


def test_bad_input_gets_a_sentence():
    ball = fc.Sphere(1.0)
    with pytest.raises(ValueError, match="tolerance must be positive"):
        fc.DistanceField.of(ball, 0)
    with pytest.raises(ValueError, match=r"tolerance must be at least .*received 1e-09"):
        fc.DistanceField.of(ball, 1e-9)
    with pytest.raises(ValueError, match="max_cells=100 cells: allow more, or a larger tolerance"):
        fc.DistanceField.of(ball, 0.01, max_cells=100)
    with pytest.raises(TypeError, match="move the field itself"):
        fc.DistanceField.of(ball.at(np.eye(4)), 0.1)
    with pytest.raises(ValueError, match="without faces"):
        fc.DistanceField.of(fc.Mesh([[0, 0, 0]], []), 0.1)
    with pytest.raises(TypeError, match=r"a mesh must be a firstcontact.Mesh"):
        fc.DistanceField.of([1, 2, 3], 0.1)


@pytest.mark.parametrize("shift", [[0.5, 0.5, 0.5], [0.5, 0.0, 0.0], [0, 0, 0], [1 - 1e-6, 0.1, 0.2]])
@pytest.mark.parametrize("turn", [1, -1])
def test_what_passes_through_itself_has_what_it_winds_around_inside(shift, turn):
    faces = np.vstack([CUBE.faces, CUBE.faces[:, ::turn] + 8])
    mesh = fc.Mesh(np.vstack([CUBE.vertices, CUBE.vertices + np.array(shift)]), faces)
    field = fc.DistanceField.of(mesh, 0.06)
    points = points_in(field, 1500)
    assert field.is_signed
    assert np.abs(field(points) - slow_distances(mesh, points)).max() <= 0.06


def test_a_mesh_with_a_hole_has_no_inside():
    field = fc.DistanceField.of(fc.Mesh(CUBE.vertices, CUBE.faces[1:]), 0.1)
    assert not field.is_signed
    assert field([0, 0, 0]) > 0.4


def test_places_far_away_keep_the_tolerance():
    mesh = fc.Mesh(CUBE.vertices + 2.0**30, CUBE.faces)
    field = fc.DistanceField.of(mesh, 0.05)
    points = points_in(field, 500)
    truth = exact_of(fc.Box([1, 1, 1]), points - 2.0**30)
    assert np.abs(field(points) - truth).max() <= 0.05


def test_it_does_not_matter_which_way_faces_look():
    inside_out = fc.Mesh(CUBE.vertices, CUBE.faces[:, ::-1])
    field = fc.DistanceField.of(inside_out, 0.1)
    points = points_in(field, 500)
    assert np.abs(field(points) - exact_of(fc.Box([1, 1, 1]), points)).max() <= 0.1


def test_a_point_is_a_shape():
    dot = fc.Mesh([[1, 2, 3]], [[0, 0, 0]])
    field = fc.DistanceField.of(dot, 0.1)
    points = points_in(field, 500)
    assert np.abs(field(points) - np.linalg.norm(points - [1, 2, 3], axis=1)).max() <= 0.1


def test_progress_is_shown(capsys):
    fc.DistanceField.of(fc.Sphere(1.0), 0.1, progress=True)
    assert "cubes" in capsys.readouterr().err


def test_repr_says_how_large_it_is():
    field = fc.DistanceField.of(fc.Sphere(1.0), 0.1)
    assert repr(field).startswith(f"DistanceField({field.n_cells} cells, within 0.1, from [-1.5,")
    assert field.nbytes == field.octree.links.nbytes + field.octree.values.nbytes


@pytest.mark.parametrize("shape", [fc.Sphere(1e42), fc.Box([1e39, 1e39, 1e39]).mesh])
def test_what_single_precision_cannot_hold_is_refused(shape):
    with pytest.raises(ValueError, match=r"the field's box must be no longer than 4\.25e\+37"):
        fc.DistanceField.of(shape, 1e38)


@pytest.mark.parametrize("place", [[1e14, 1e14, 1e14], [1e15, 0, 0]])
def test_what_is_too_far_away_for_its_size_is_refused(place):
    box = fc.Box([1, 1, 1]).mesh
    with pytest.raises(ValueError, match="it is too thin, or too far from the origin"):
        fc.DistanceField.of(fc.Mesh(box.vertices + place, box.faces), 0.1)


def test_cubes_count_as_cells_before_there_is_memory_for_them():
    box = fc.Box([1, 1, 1]).mesh
    with pytest.raises(ValueError, match="more than max_cells=8000000 cells"):
        fc.DistanceField.of(fc.Mesh(box.vertices + 3e12, box.faces), 0.1)
