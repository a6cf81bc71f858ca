"""Whether polytopes touch, by separating axes, GJK and linear programming: as by default, and as is true."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc
from firstcontact.narrowphase.features.polytope_faces import polytope_faces
from firstcontact.proximity.touching.polytope_intersections import (
    BY_DEFAULT,
    METHODS,
    polytope_intersections,
)
from firstcontact.queries.kinds.resting import posed
from oracles.convex_exact import exact_hull_distance_squared, placed_exactly, root
from poses import pose
from samples import sample

RNG = np.random.default_rng(21)
N_POSES = sample(200, of=20_000)


def ball(n, sizes=(1, 1, 1)):
    points = RNG.normal(size=(n, 3))
    return fc.ConvexHull(points / np.linalg.norm(points, axis=1)[:, None] * sizes, flat=True)


def lattice(n):
    return fc.ConvexHull(RNG.integers(-2, 3, (n, 3)) / 2.0, flat=True)


SOLIDS = {
    "boxes": (fc.Box([1, 2, 1]), fc.Box([2, 1, 1.5])),
    "tetrahedra": (ball(4), ball(4)),
    "hulls": (ball(20), ball(60)),
    "lattice": (lattice(12), lattice(12)),
    "lattice and box": (lattice(20), fc.Box([1, 1, 1])),
    "needles": (ball(30, (1, 1e-3, 1e-3)), ball(30, (1, 1e-3, 1e-3))),
}
OTHERS = {
    "flat": (ball(8, (1, 1, 0)), ball(8, (1, 0, 1))),
    "thin": (ball(30, (1, 1, 1e-9)), ball(30)),
    "rounded": (fc.Rounded(ball(10), 0.2), fc.Box([1, 1, 1])),
    "ball": (fc.Sphere(0.5), fc.Capsule(0.2, 1)),
    "segment": (fc.ConvexHull([[0, 0, 0], [1, 0, 0]], flat=True), fc.Box([1, 1, 1])),
}


def many_poses(n, seed):
    """Anywhere near each other, and every fourth on a lattice, where faces and corners touch exactly."""
    rng = np.random.default_rng(seed)
    found = np.tile(np.eye(4), (n, 1, 1))
    found[:, :3, :3], found[:, :3, 3] = Rotation.random(n, rng=rng).as_matrix(), 0.9 * rng.normal(size=(n, 3))
    found[::4, :3, :3], found[::4, :3, 3] = np.eye(3), np.round(2 * found[::4, :3, 3]) / 2
    return found


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", [*SOLIDS, *OTHERS])
def test_answers_are_those_of_the_default(name, method):
    a, b = (SOLIDS | OTHERS)[name]
    poses = many_poses(N_POSES, len(name))
    truth = fc.intersects(a.at(poses), b)
    assert fc.intersects(a.at(poses), b, method=method).tolist() == truth.tolist()
    assert [fc.intersects(a.at(one), b, method=method) for one in poses[:5]] == truth[:5].tolist()
    assert fc.intersects(b, a.at(poses), method=method).tolist() == truth.tolist()


@pytest.mark.parametrize("method", ["sat", "lp"])
@pytest.mark.parametrize("name", SOLIDS)
def test_a_method_decides_by_itself(name, method):
    a, b = SOLIDS[name]
    pair = posed("intersects", a.at(many_poses(100, 3)[1::4]), b.at(np.eye(4)))
    faces = polytope_faces(a), polytope_faces(b)
    found = polytope_intersections(METHODS[method], (a.packed, b.packed), faces, (pair.a.rows, pair.b.rows))
    if name != "boxes" or method != "sat":  # whose axes are those of the default
        assert np.count_nonzero(found >= BY_DEFAULT) == 0


@pytest.mark.parametrize("name", ["tetrahedra", "lattice", "flat", "segment"])
def test_no_method_misses_a_contact_of_exact_arithmetic(name):
    a, b = (SOLIDS | OTHERS)[name]
    other = placed_exactly(b.mesh.vertices, np.eye(3), np.zeros(3))
    for here in many_poses(sample(12, of=400), 9):
        own = placed_exactly(a.mesh.vertices, here[:3, :3], here[:3, 3])
        gap = root(exact_hull_distance_squared(own, other))
        for method in METHODS:
            touches = fc.intersects(a.at(here), b, method=method)
            assert touches if gap == 0 else (not touches or gap < 1e-12)


@pytest.mark.parametrize("method", ["sat", "lp"])
def test_planes_of_slivers_claim_no_overlap(method):
    rng, n_apart = np.random.default_rng(4), 0
    for _ in range(sample(300, of=3000)):
        ends = rng.normal(size=(2, 3))
        width = 10.0 ** -rng.integers(9, 15)
        sliver = fc.ConvexHull([*ends, *(ends + width * rng.normal(size=3))], flat=True)
        other = fc.ConvexHull(rng.normal(size=(12, 3)), flat=True)
        here = (Rotation.random(rng=rng).as_matrix(), rng.normal(size=3))
        n_apart += (gap := fc.distance(sliver.at(here), other).distance) > 1e-9
        assert fc.intersects(sliver.at(here), other, method=method) == (gap <= 1e-9)
    assert n_apart > 50


@pytest.mark.parametrize("factor", [1e-6, 1e6])
def test_scale(factor):
    points = ball(12).points
    small, one = fc.ConvexHull(factor * points), fc.ConvexHull(points)
    poses = many_poses(60, 4)
    scaled = poses.copy()
    scaled[:, :3, 3] *= factor
    for method in METHODS:
        truth = fc.intersects(one.at(poses[1::4]), one, method=method)
        assert fc.intersects(small.at(scaled[1::4]), small, method=method).tolist() == truth.tolist()


def test_planes_of_a_box_come_once():
    faces = polytope_faces(fc.Box([2, 2, 2]))
    assert sorted(map(tuple, np.abs(faces.planes).tolist())) == sorted(
        2 * [(0, 0, 1, 1), (0, 1, 0, 1), (1, 0, 0, 1)]
    )
    assert len(faces.edges) == 12
    assert polytope_faces(fc.Cylinder(1, 1)).depth == 0


def test_what_cannot_be_asked_is_told():
    box, can, cube = fc.Box([1, 1, 1]), fc.Cylinder(1, 1), fc.Box([1, 1, 1]).mesh
    assert fc.intersects(can, box, method="gjk")
    for method in ("sat", "lp"):
        message = rf"^method='{method}' is for shapes with faces; a, a Cylinder, has none$"
        with pytest.raises(ValueError, match=message):
            fc.intersects(can, box, method=method)
    with pytest.raises(ValueError, match=r"^method must be 'gjk' or 'sat' or 'lp'; received 'c2a'$"):
        fc.intersects(box, box, method="c2a")
    with pytest.raises(ValueError, match=r"^method is for whether shapes touch, without within$"):
        fc.intersects(box, box, method="sat", within=1.0)
    for thing, called in (
        (cube, "a convex shape with a mesh"),
        (fc.Compound([box]), "compounds"),
        (box.mesh.deforming(cube.vertices, cube.vertices), "a convex shape with what deforms"),
    ):
        for method in ("sat", "c2a"):
            with pytest.raises(ValueError, match=rf"^method has no meaning for {called}$"):
                fc.intersects(thing, box, method=method)
    assert fc.intersects(box.at(pose((0, 0, 0.4))), fc.HalfSpace([0, 0, 1], 0), method="sat")
