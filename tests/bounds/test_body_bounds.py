import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import firstcontact as fc
from firstcontact.bounds.body_bounds import (
    BALL,
    LOWER,
    START,
    UPPER,
    WAY,
    bound_record,
    corridor_of_box,
    corridor_of_points,
    corridors,
    swept_boxes,
)
from firstcontact.motions.rigid_paths import motion_with
from samples import sample

RNG = np.random.default_rng(5)
CLOUD = RNG.normal(size=(40, 3)) * [3.0, 1.0, 0.2] + [0.5, -4.0, 2.0]
SHAPES = {
    "sphere": fc.Sphere(0.7),
    "ellipsoid": fc.Ellipsoid([0.2, 1.0, 3.0]),
    "box": fc.Box([0.2, 1.0, 6.0]),
    "capsule": fc.Capsule(0.3, 4.0),
    "cylinder": fc.Cylinder(1.5, 0.4),
    "cone": fc.Cone(1.5, 4.0),
    "hull": fc.ConvexHull(CLOUD),
    "rounded hull": fc.Rounded(fc.ConvexHull(CLOUD), 0.5),
    "speck": fc.Sphere(1e-40),
    "huge": fc.Box([1e40, 1.0, 1.0]),
}
sizes = st.sampled_from([0.0, 1e-9, 0.1, 1.0, 3.0, 7.0, 100.0])
vectors = st.tuples(*3 * [st.floats(-1.0, 1.0)]).map(np.array)


def record_of(shape):
    return shape.table.records


def surface_points(shape):
    """Points of the surface; those of round shapes are the corners of their meshes."""
    return shape.points if isinstance(shape, fc.ConvexHull) else shape.mesh.vertices


def places(held, s):
    """Where the box and its own point are at s."""
    middle = held[START:WAY] + s * held[WAY:LOWER]
    return middle, middle + held[LOWER:UPPER], middle + held[UPPER:BALL]


@pytest.mark.parametrize("name", SHAPES)
@given(vectors, vectors, vectors, vectors, sizes, sizes)
def test_a_corridor_holds_the_shape_at_all_times(name, place, velocity, spin, center, speed, rate):
    shape = SHAPES[name]
    size = float(np.abs(shape.bounds).max())
    motion = motion_with(
        (np.eye(3), size * place), speed * size * velocity, rate * spin, size * 3.0 * center, "constant"
    )
    held = corridors(record_of(shape), motion.rows()[:, 0])[0]
    box = swept_boxes(held[np.newaxis], np.zeros(1))[0]
    for s in np.linspace(0.0, 1.0, sample(5, of=13)):
        points = (
            motion.vertices(s, surface_points(shape))[0]
            if motion.is_batch
            else motion.vertices(s, surface_points(shape))
        )
        middle, lower, upper = places(held, s)
        # Places are computed here with rounding of their own.
        slack = 1e-13 * (1.0 + rate) * (np.abs(points).max() + np.abs(middle).max() + 4.0 * size)
        assert (points >= lower - slack).all()
        assert (points <= upper + slack).all()
        assert (np.linalg.norm(points - middle, axis=1) <= held[BALL] + slack).all()
        assert (points >= box[:3] - slack).all()
        assert (points <= box[3:] + slack).all()


@pytest.mark.parametrize("name", SHAPES)
def test_boxes_are_tight_where_nothing_turns(name):
    shape = SHAPES[name]
    size = float(np.abs(shape.bounds).max())
    motion = motion_with(
        (np.eye(3), [0, 0, 0]), size * np.array([1.0, -2.0, 0.0]), None, [0, 0, 0], "constant"
    )
    box = swept_boxes(corridors(record_of(shape), motion.rows()[:, 0]), np.zeros(1))[0]
    expected = np.concatenate([shape.bounds[0] - [0, 2 * size, 0], shape.bounds[1] + [size, 0, 0]])
    assert box == pytest.approx(expected, abs=1e-12 * size)


def test_a_small_turn_costs_little():
    shape = SHAPES["box"]
    motion = motion_with((np.eye(3), [0, 0, 0]), None, [0.2, 0.0, 0.0], [0, 0, 0], "constant")
    box = swept_boxes(corridors(record_of(shape), motion.rows()[:, 0]), np.zeros(1))[0]
    ends = [motion.vertices(s, shape.mesh.vertices) for s in (0.0, 1.0)]
    expected = np.concatenate([np.min(ends, axis=(0, 1)), np.max(ends, axis=(0, 1))])
    assert np.abs(box - expected).max() < 0.01 * 6.0


def test_margins_widen_boxes():
    held = np.repeat(corridor_of_box(np.array([0.0, 0, 0, 1, 2, 3]))[np.newaxis], 2, axis=0)
    boxes = swept_boxes(held, np.array([0.0, 0.5]))
    assert boxes[0] == pytest.approx([0, 0, 0, 1, 2, 3])
    assert boxes[1] == pytest.approx([-0.5, -0.5, -0.5, 1.5, 2.5, 3.5])
    assert (boxes[0, :3] <= 0.0).all()
    assert (boxes[0, 3:] >= [1, 2, 3]).all()


@given(st.integers(1, 9), st.sampled_from([0.0, 1e-300, 1.0, 1e40]))
def test_a_corridor_of_points_holds_them(n, size):
    start, end = size * RNG.normal(size=(2, n, 3))
    held = corridor_of_points(start, end)
    for s in np.linspace(0.0, 1.0, 7):
        middle, lower, upper = places(held, s)
        points = (1.0 - s) * start + s * end
        assert (points >= lower).all()
        assert (points <= upper).all()
        assert (np.linalg.norm((points - middle) / (size or 1.0), axis=1) <= held[BALL] / (size or 1.0)).all()


def test_a_record_of_points_has_their_box():
    record = bound_record(CLOUD)
    motion = motion_with((np.eye(3), [0, 0, 0]), None, None, [0, 0, 0], "constant")
    box = swept_boxes(corridors(record[np.newaxis], motion.rows()[:, 0]), np.zeros(1))[0]
    assert box == pytest.approx(np.concatenate([CLOUD.min(axis=0), CLOUD.max(axis=0)]), abs=1e-12)
    assert (box[:3] <= CLOUD.min(axis=0)).all()
    assert (box[3:] >= CLOUD.max(axis=0)).all()


def test_batches_equal_singles_on_any_number_of_threads():
    n = 10_000
    shapes = np.concatenate([record_of(shape) for shape in SHAPES.values()])[np.arange(n) % len(SHAPES)]
    motion = motion_with(
        (np.eye(3), RNG.normal(size=(n, 3))),
        RNG.normal(size=(n, 3)),
        3 * RNG.normal(size=(n, 3)),
        [0, 1, 0],
        "screw",
    )
    rows = np.ascontiguousarray(motion.rows()[:, 0])
    whole = corridors(shapes, rows)
    for i in range(0, n, 611):
        assert corridors(shapes[i : i + 1].copy(), rows[i : i + 1].copy())[0].tobytes() == whole[i].tobytes()
