"""Lines against shapes in closed form, compared with the same in higher precision and with what they mean."""

import numpy as np
import pytest

from firstcontact.narrowphase.convex.ray_shapes import Solid, normal_solid, span_ball, span_slab, span_solid
from firstcontact.shapes.convex import BOX, CONE, CYLINDER, ELLIPSOID, POINT, SEGMENT

SOLIDS = {
    "ball": Solid(POINT, (0.0, 0.0, 0.0), 0.7),
    "capsule": Solid(SEGMENT, (0.0, 0.0, 0.6), 0.3),
    "long capsule": Solid(SEGMENT, (0.0, 0.0, 0.875), 2.0**-10),
    "box": Solid(BOX, (0.3, 0.5, 0.8), 0.0),
    "plate": Solid(BOX, (0.8, 0.7, 1e-9), 0.0),
    "cylinder": Solid(CYLINDER, (0.6, 0.6, 0.4), 0.0),
    "disc": Solid(CYLINDER, (0.9, 0.9, 1e-9), 0.0),
    "cone": Solid(CONE, (0.6, 0.6, 0.4), 0.0),
    "spike": Solid(CONE, (0.2, 0.2, 0.9), 0.0),
    "lid": Solid(CONE, (0.9, 0.9, 0.05), 0.0),
    "ellipsoid": Solid(ELLIPSOID, (0.3, 0.5, 0.8), 0.0),
    "needle": Solid(ELLIPSOID, (1e-4, 1e-4, 0.9), 0.0),
}


def excess(solid, p):
    """How far outside a shape points are, negative inside; of an ellipsoid, in its own stretched space."""
    kind, half, radius = solid
    half = np.array(half, dtype=p.dtype)
    if kind == POINT:
        return np.sqrt((p**2).sum(axis=-1)) - radius
    if kind == ELLIPSOID:
        return np.sqrt(((p / half) ** 2).sum(axis=-1)) - 1
    if kind == BOX:
        return (np.abs(p) - half).max(axis=-1)
    around = np.sqrt((p[..., :2] ** 2).sum(axis=-1))
    if kind == CYLINDER:
        return np.maximum(around - half[0], np.abs(p[..., 2]) - half[2])
    if kind == CONE:
        slant = np.sqrt(half[0] ** 2 + 4 * half[2] ** 2)
        side = (around * 2 * half[2] + (p[..., 2] - half[2]) * half[0]) / slant
        return np.maximum(side, -half[2] - p[..., 2])
    rest = np.abs(p[..., 2]) - np.minimum(np.abs(p[..., 2]), half[2])
    return np.sqrt(around**2 + rest**2) - radius


def lines(rng, n, distance=2.0):
    directions = rng.standard_normal((n, 3))
    directions /= np.abs(directions).max(axis=1)[:, np.newaxis]
    return rng.uniform(-0.8, 0.8, (n, 3)) - distance * directions, directions


def vec(array):
    return tuple(float(x) for x in array)


def bisected(solid, o, d, inside, outside):
    """Depth of the surface between one that is inside and one that is not."""
    o, d = o.astype(np.longdouble), d.astype(np.longdouble)
    inside, outside = np.longdouble(inside), np.longdouble(outside)
    for _ in range(70):
        middle = (inside + outside) / 2
        if excess(solid, o + middle * d) <= 0:
            inside = middle
        else:
            outside = middle
    return float(inside)


@pytest.mark.parametrize("name", SOLIDS)
def test_a_line_is_inside_from_entering_to_leaving(name):
    solid = SOLIDS[name]
    rng = np.random.default_rng(1)
    depths = np.linspace(-1.0, 5.0, 2001)
    n_inside = 0
    for o, d in zip(*lines(rng, 200), strict=True):
        span = span_solid(solid, vec(o), vec(d))
        is_inside = excess(solid, o + depths[:, np.newaxis] * d) < 0
        assert np.all((span.enter <= depths[is_inside]) & (depths[is_inside] <= span.leave))
        n_inside += is_inside.any()
        if span.enter > span.leave:
            continue
        middle = 0.5 * (span.enter + span.leave)
        if excess(solid, (o + middle * d).astype(np.longdouble)) < -1e-6 and name != "needle":
            # A slanted surface is met where its own place, right to rounding, says.
            assert span.enter == pytest.approx(bisected(solid, o, d, middle, -9.0), abs=1e-12)
            assert span.leave == pytest.approx(bisected(solid, o, d, middle, 9.0), abs=1e-12)
    assert n_inside > 20 or name in ("plate", "disc", "needle", "long capsule")


@pytest.mark.parametrize("name", SOLIDS)
def test_a_line_from_inside_enters_before_and_leaves_behind(name):
    solid = SOLIDS[name]
    rng = np.random.default_rng(2)
    size = np.array([max(solid.radius, x) for x in solid.half])
    points = rng.uniform(-1.0, 1.0, (20_000, 3)) * size
    for o in points[excess(solid, points) < 0][:300]:
        d = rng.standard_normal(3)
        span = span_solid(solid, vec(o), vec(d / np.abs(d).max()))
        assert span.enter <= 0.0 <= span.leave


def points_on(solid, rng, n):
    """Points of the surface, to rounding, at the ends of lines."""
    while n > 0:
        (o,), (d,) = lines(rng, 1)
        span = span_solid(solid, vec(o), vec(d))
        if span.enter < span.leave:
            n -= 1
            yield o, d, span


@pytest.mark.parametrize("name", ["ball", "capsule", "box", "cylinder", "ellipsoid", "plate", "cone", "lid"])
def test_normals_point_out_of_the_surface(name):
    solid = SOLIDS[name]
    rng = np.random.default_rng(3)
    for o, d, span in points_on(solid, rng, 100):
        for depth, outwards in ((span.enter, -1.0), (span.leave, 1.0)):
            p = o + depth * d
            normal = np.array(normal_solid(solid, vec(p), vec(d), outwards))
            assert np.linalg.norm(normal) == pytest.approx(1.0)
            assert normal @ d * outwards > -1e-6
            # Along the normal the way out is straight.
            step = 1e-6 * min(x for x in (*solid.half, solid.radius) if x > 0.0)
            assert excess(solid, p + step * normal) > 0.5 * step
            assert excess(solid, p - step * normal) < 0.0


def test_thin_shapes_have_the_normal_of_the_side_that_is_met():
    for kind in (BOX, CYLINDER):
        thin = Solid(kind, (1.0, 1.0, 1e-30), 0.0)
        for z, d in ((5.0, (0.03, 0.1, -1.0)), (-5.0, (0.03, 0.1, 1.0))):
            o = (0.123, 0.2, z)
            span = span_solid(thin, o, d)
            p = vec(np.array(o) + span.enter * np.array(d))
            assert normal_solid(thin, p, d, -1.0) == (0.0, 0.0, np.sign(z))
            assert normal_solid(thin, p, d, 1.0) == (0.0, 0.0, -np.sign(z))


def test_cones_by_hand():
    cone = Solid(CONE, (0.5, 0.5, 0.5), 0.0)  # a height of 1: at 0, half as wide
    assert span_solid(cone, (0.0, 0.0, 5.0), (0.0, 0.0, -1.0)) == (4.5, 5.5)
    assert span_solid(cone, (0.25, 0.0, -5.0), (0.0, 0.0, 1.0)) == (4.5, 5.0)
    assert span_solid(cone, (-2.0, 0.0, 0.0), (1.0, 0.0, 0.0)) == (1.75, 2.25)
    for o, d in (
        ((-2.0, 0.0, 0.75), (1.0, 0.0, 0.0)),
        ((0.6, 0.0, 5.0), (0.0, 0.0, -1.0)),
        ((0, 0, 1.5), (0.4, 0, 1)),
    ):
        span = span_solid(cone, vec(o), vec(d))
        assert span.enter > span.leave
    # Along the side itself, and beside it.
    assert span_solid(cone, (-0.5, 0.0, 1.5), (0.5, 0.0, -1.0)) == (1.0, 2.0)
    low = span_solid(cone, (-0.25, 0.0, 0.5), (0.5, 0.0, -1.0))
    assert low.enter == pytest.approx(0.25)
    assert low.leave == pytest.approx(1.0)
    assert normal_solid(cone, (0.0, 0.0, 0.5), (0.0, 0.0, -1.0), -1.0) == (0.0, 0.0, 1.0)


@pytest.mark.parametrize("name", [name for name, solid in SOLIDS.items() if solid.kind != CONE])
def test_lines_along_axes(name):
    solid = SOLIDS[name]
    size = [solid.half[k] + solid.radius for k in range(3)]
    for axis in range(3):
        d = [0.0, 0.0, 0.0]
        d[axis] = 1.0
        span = span_solid(solid, (0.0, 0.0, 0.0), vec(d))
        assert span.leave == pytest.approx(size[axis])
        assert span.enter == -span.leave
        beside = [0.0, 0.0, 0.0]
        beside[(axis + 1) % 3] = 1.0001 * size[(axis + 1) % 3]
        span = span_solid(solid, vec(beside), vec(d))
        assert span.enter > span.leave
        beside[(axis + 1) % 3] = size[(axis + 1) % 3]
        span = span_solid(solid, vec(beside), vec(d))
        assert span.enter <= span.leave


def test_a_start_on_the_surface_is_at_zero_exactly():
    assert span_ball((0.0, 0.0, 1.0), (0.3, 0.2, -1.0), 1.0).enter == 0.0
    assert span_ball((0.0, 0.0, 1.0), (0.3, 0.2, 1.0), 1.0).leave == 0.0
    assert span_ball((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), 1.0) == (0.0, 0.0)
    assert span_slab(1.0, -1.0, 1.0).enter == 0.0


def test_far_starts_keep_their_digits():
    span = span_ball((-1e9, 0.0, 0.6), (1.0, 0.0, 0.0), 1.0)
    assert span.enter == pytest.approx(1e9 - 0.8, rel=1e-15)
    assert span.leave == pytest.approx(1e9 + 0.8, rel=1e-15)
