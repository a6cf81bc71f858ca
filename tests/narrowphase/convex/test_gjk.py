"""Distance of convex shapes: bounds that meet, and answers known beforehand."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from firstcontact import Box, Capsule, ConvexHull, Cylinder, Ellipsoid, Sphere
from firstcontact.narrowphase.convex.gjk import (
    EXACT,
    MAX_STEPS,
    Precision,
    RelativePose,
    closest_convex_convex,
    surface_points,
)
from firstcontact.shapes.convex import convex_at
from firstcontact.shapes.cores import support

SHAPES = {
    "sphere": Sphere(0.5),
    "ellipsoid": Ellipsoid([0.3, 0.5, 1.2]),
    "capsule": Capsule(0.3, 1),
    "cylinder": Cylinder(0.4, 1),
    "box": Box([1, 0.5, 0.7]),
    "small hull": ConvexHull(np.random.default_rng(1).standard_normal((8, 3)) * 0.5),
    "large hull": ConvexHull(np.random.default_rng(2).standard_normal((300, 3)) * 0.3),
    "flat hull": ConvexHull(np.random.default_rng(3).standard_normal((9, 3)) * [0.5, 0.5, 0], flat=True),
    "point": ConvexHull([[0, 0, 0]], flat=True),
}


def random_rotations(rng, n):
    return Rotation.random(n, rng=rng).as_matrix()


def closest(a, b, rotation, offset, guess=(0.0, 0.0, 0.0), precision=EXACT):
    frame = RelativePose(tuple(np.asarray(rotation, float).ravel()), tuple(np.asarray(offset, float)))
    shapes = convex_at(a.table.records, 0), convex_at(b.table.records, 0)
    return closest_convex_convex(*shapes, a.table.pool, b.table.pool, frame, guess, precision)


@pytest.mark.parametrize("a", SHAPES.values(), ids=SHAPES.keys())
@pytest.mark.parametrize("b", SHAPES.values(), ids=SHAPES.keys())
def test_bounds_meet_and_points_belong_to_the_shapes(a, b):
    rng = np.random.default_rng(0)
    shape_a, shape_b = convex_at(a.table.records, 0), convex_at(b.table.records, 0)
    for rotation in random_rotations(rng, 12):
        offset = rng.standard_normal(3) * rng.choice([0.1, 1, 3])
        found = closest(a, b, rotation, offset)
        assert found.steps < MAX_STEPS
        n = np.array(found.direction)
        p, q = np.array(found.point_a), np.array(found.point_b)
        assert abs(n @ n - 1) < 1e-14
        if found.distance <= 0:
            np.testing.assert_allclose(p, q, atol=1e-12)  # a common point
            continue
        assert found.distance - found.gap <= 1e-12 * found.distance + 1e-14
        assert np.linalg.norm(q - p) == pytest.approx(found.distance, rel=1e-10, abs=1e-14)
        # The gap is that of the two shadows, and the points are at their ends.
        end_a = rotation @ np.array(support(shape_a, a.table.pool, tuple(rotation.T @ n))) + offset
        end_b = np.array(support(shape_b, b.table.pool, tuple(-n)))
        assert n @ (end_b - end_a) == pytest.approx(found.gap, abs=1e-14)
        assert n @ p <= n @ end_a + 1e-10
        assert n @ q >= n @ end_b - 1e-10


@pytest.mark.parametrize("gap", [0.0, 1e-14, 1e-10, 1e-5, 0.5])
def test_boxes_face_to_face_are_as_far_apart_as_they_were_put(gap):
    a, b = Box([1, 2, 3]), Box([2, 1, 1])
    found = closest(a, b, np.eye(3), [-1.5 - gap, 0.1, 0.2])
    assert max(found.distance, 0) == pytest.approx(gap, abs=1e-15)
    if gap > 1e-13:
        assert found.gap == pytest.approx(gap, abs=1e-15)
        np.testing.assert_allclose(found.direction, [1, 0, 0], atol=1e-12)


@pytest.mark.parametrize("gap", [1e-12, 1e-9, 1e-6])
def test_the_direction_proves_the_gap_of_large_faces_close_together(gap):
    rng = np.random.default_rng(4)
    for rotation in random_rotations(rng, 20):
        box = ConvexHull(Box([1, 1, 1]).mesh.vertices @ rotation.T)
        normal = rotation[:, 2]
        found = closest(box, box, np.eye(3), -(1 + gap) * normal + 0.3 * rotation[:, 0])
        assert found.gap == pytest.approx(gap, abs=2e-15)


def test_nested_and_coincident_shapes_overlap():
    for a in SHAPES.values():
        found = closest(a, Box([9, 9, 9]), np.eye(3), [0.1, 0.2, 0.3])
        assert found.distance <= 0
        assert closest(a, a, np.eye(3), [0, 0, 0]).distance <= 1e-15


def test_a_certain_overlap_is_one():
    found = closest(Box([2, 2, 2]), Box([2, 2, 2]), np.eye(3), [0.3, 0.2, 0.1])
    assert -1.7 <= found.distance < 0


def test_less_precision_takes_fewer_steps_and_proves_less():
    rng = np.random.default_rng(6)
    a, b = SHAPES["ellipsoid"], SHAPES["cylinder"]
    for rotation in random_rotations(rng, 20):
        offset = 2.5 * rng.standard_normal(3)
        exact, coarse = (
            closest(a, b, rotation, offset),
            closest(a, b, rotation, offset, precision=Precision(0.1, 0.0, 0.0)),
        )
        if exact.distance > 0:
            assert coarse.steps <= exact.steps
            assert coarse.gap <= exact.distance <= coarse.distance * (1 + 1e-14)
            assert coarse.distance - coarse.gap <= 0.1 * coarse.gap + 1e-12


def test_any_guess_leads_there():
    a, b = SHAPES["box"], SHAPES["large hull"]
    offset = [2.0, 0.5, -1.0]
    first = closest(a, b, np.eye(3), offset).distance
    for guess in [(1.0, 0.0, 0.0), (-1e-300, 0.0, 0.0), (1e100, 1e100, 0.0), (0.0, -1.0, 1e-9)]:
        assert closest(a, b, np.eye(3), offset, guess).distance == pytest.approx(first, rel=1e-13)


def test_compiled_and_plain_code_agree():
    rng = np.random.default_rng(8)
    for a, b in [("box", "small hull"), ("cylinder", "ellipsoid"), ("capsule", "large hull")]:
        x, y = SHAPES[a], SHAPES[b]
        frame = RelativePose(tuple(random_rotations(rng, 1)[0].ravel()), tuple(2.0 * rng.standard_normal(3)))
        args = convex_at(x.table.records, 0), convex_at(y.table.records, 0), x.table.pool, y.table.pool, frame
        compiled = closest_convex_convex(*args, (1.0, 0.0, 0.0), EXACT)
        plain = closest_convex_convex.py_func(*args, (1.0, 0.0, 0.0), EXACT)
        assert compiled.distance == pytest.approx(plain.distance, rel=1e-13)


@pytest.mark.parametrize(
    ("radius_a", "radius_b"), [(0.1, 0.2), (0.0, 1.0), (1.0, 0.0), (0.3, 3.0), (5.0, 5.0)]
)
def test_points_of_rounded_shapes_belong_to_both_where_they_overlap(radius_a, radius_b):
    a, b = SHAPES["box"], SHAPES["small hull"]
    rng = np.random.default_rng(9)
    for rotation in random_rotations(rng, 20):
        found = closest(a, b, rotation, 1.5 * rng.standard_normal(3))
        p, q = surface_points(found, radius_a, radius_b)
        from_a = np.linalg.norm(np.array(p) - found.point_a)
        from_b = np.linalg.norm(np.array(q) - found.point_b)
        assert from_a <= radius_a + 1e-14
        assert from_b <= radius_b + 1e-14
        between = np.linalg.norm(np.array(p) - q)
        assert between == pytest.approx(max(max(found.distance, 0) - radius_a - radius_b, 0), abs=1e-12)
