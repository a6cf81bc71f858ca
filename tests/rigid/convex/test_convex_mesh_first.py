"""First contacts of convex shapes and meshes, against all triangles in extended precision."""

import numba
import numpy as np
import pytest

import firstcontact as fc
from firstcontact.bodies.mesh_body import body_of
from firstcontact.motions.relative_motion import relative_motion, rounding_error
from firstcontact.proximity.touching.near_pairs import FLOOR
from firstcontact.rigid.convex.convex_mesh_first import batch_of, convex_mesh_first_times
from firstcontact.rigid.convex.convex_mesh_proof import convex_mesh_proven_times
from firstcontact.shapes.convex import ORIGIN, RADIUS, REACH
from firstcontact.status import Status
from oracles.convex_cores import Core, core_of, placed
from oracles.convex_first_contact import distances_at, scan
from properties.convex_families import KINDS, shape
from properties.rigid_claims import KEPT, options
from properties.rigid_families import (
    aimed,
    degenerate_soup,
    orientation,
    pieces,
    row,
    soup,
    unit,
)
from samples import sample

ZERO = np.zeros(3)
AT_REST = pieces([row(np.eye(3), ZERO, ZERO)])
FIELD = fc.HeightField(np.zeros((5, 5)))
TOLERANCE = 1e-6

every_kind = pytest.mark.parametrize("kind", KINDS)


def ask(thing, mesh, rows_a, rows_b=AT_REST, **asked):
    """What is found, with times at which it is certain."""
    batch, asked = (
        batch_of(thing.table, body_of(mesh), rows_a, rows_b),
        options(**{"tolerance": TOLERANCE} | asked),
    )
    found = convex_mesh_first_times(batch, asked)
    return found, convex_mesh_proven_times(batch, found, asked)


def thrown(rng, rate=0.0, center=ZERO):
    place, velocity = aimed(rng)
    return row(orientation(rng), center, place, velocity, rate * unit(rng))


def roundings(thing, mesh, rows_a, rows_b):
    """What rounding may hide in each motion in one piece."""
    record, body = thing.table.records[0], body_of(mesh)
    hidden = []
    for row_a, row_b in zip(rows_a[:, 0], rows_b[:, 0], strict=True):
        motion = relative_motion.py_func(row_a, row_b, tuple(record[ORIGIN:]), body.origin)
        hidden.append(
            rounding_error.py_func(motion, record[REACH] + record[RADIUS], body.reach, row_a, row_b)
        )
    return np.array(hidden)


def check(thing, mesh, rows_a, rows_b, separation=0.0):
    """Hold what is found for motions in one piece against all triangles."""
    n, m = len(rows_a), mesh.n_faces
    found, upper = ask(thing, mesh, rows_a, rows_b, min_separation=separation)
    a = placed([core_of(thing)] * (n * m), np.eye(3), ZERO)
    corners = np.tile(mesh.vertices[mesh.faces], (n, 1, 1))
    b = placed([Core(triangle, ZERO, 0.0) for triangle in corners], np.eye(3), ZERO)
    rows = np.repeat(rows_a, m, axis=0), np.repeat(rows_b, m, axis=0)
    hidden = roundings(thing, mesh, rows_a, rows_b)
    is_hit = np.isin(found.status, [Status.CONTACT, Status.CONTACT_AT_START])
    assert np.all(is_hit | (found.status == Status.SEPARATED))
    until = np.where(is_hit, found.time, 1.0)
    kept = np.repeat(separation + KEPT * hidden, m)
    truth = scan(a, b, rows, separation, kept, np.repeat(until, m)).witness.reshape(n, m).min(axis=1)
    assert np.all(~(truth <= until) | (until == 0.0)), "late or missed"
    near = distances_at(a, b, rows, np.repeat(until, m)).lower.reshape(n, m)
    allowed = separation + np.maximum(TOLERANCE, FLOOR * hidden)
    assert np.all(~is_hit | (near.min(axis=1) <= allowed)), "too early"
    faces = body_of(mesh).order[found.triangles[:, 1]]
    assert np.all(~is_hit | (near[np.arange(n), faces] <= allowed)), "the wrong face"
    assert np.all((found.status == Status.CONTACT_AT_START) == (is_hit & (found.time == 0.0)))
    is_proven = np.isfinite(upper)
    assert np.all(is_hit[is_proven])
    assert np.all(upper[is_proven] >= found.time[is_proven])
    assert np.all(upper[is_proven] <= 1.0)
    at = (
        distances_at(a, b, rows, np.repeat(np.where(is_proven, upper, 0.0), m))
        .upper.reshape(n, m)
        .min(axis=1)
    )
    assert np.all(~is_proven | (at <= separation)), "proven, and apart"
    check_geometry(found, is_hit, separation, allowed)
    return is_hit, is_proven


def check_geometry(found, is_hit, separation, allowed):
    """Points and normals belong together, unless the two overlap from the start."""
    gaps = found.points[:, 1] - found.points[:, 0]
    assert np.isnan(gaps[~is_hit]).all()
    assert np.isnan(found.normals[~is_hit]).all()
    is_met = found.status == Status.CONTACT
    assert np.linalg.norm(found.normals[is_hit], axis=1) == pytest.approx(1.0)
    assert np.all(np.linalg.norm(gaps[is_met], axis=1) <= 1.001 * allowed[is_met])


@every_kind
@pytest.mark.parametrize("rate", [0.0, 1.0, 9.0])
def test_what_is_found_is_the_first_contact(kind, rate):
    rng = np.random.default_rng(11)
    hits = []
    for i in (3, 2, 1, 0)[: sample(2, of=4)]:  # degenerate; with a separation; and others
        thing, mesh = shape(rng, 0.6, kind), degenerate_soup(rng) if i == 3 else soup(rng)
        n = sample(4, of=6)
        rows_a = pieces([thrown(rng, rate) for _ in range(n)])
        rows_b = pieces(
            [row(orientation(rng), ZERO, ZERO, turn=(i % 2) * rate * unit(rng)) for _ in range(n)]
        )
        hits.append(check(thing, mesh, rows_a, rows_b, separation=0.1 * (i == 2)))
    is_hit, is_proven = np.concatenate(hits, axis=1)
    assert 1 / 6 < is_hit.mean() < 1
    assert is_proven.sum() > 0.5 * is_hit.sum()


@every_kind
def test_shapes_turn_about_any_point(kind):
    rng = np.random.default_rng(12)
    thing, mesh = shape(rng, 0.6, kind), soup(rng)
    center = 2.0 * unit(rng)
    rows_a = pieces([thrown(rng, 2.0, center) for _ in range(8)])
    rows_b = pieces([row(orientation(rng), unit(rng), unit(rng), turn=unit(rng)) for _ in range(8)])
    check(thing, mesh, rows_a, rows_b)


def falling(height, speed, turn=ZERO):
    return row(np.eye(3), ZERO, [1.65, 1.6, height], [0.0, 0.0, -speed], turn)


@pytest.mark.parametrize(
    ("thing", "height"),
    [
        (fc.Sphere(0.5), 0.5),
        (fc.Box([1, 1, 1]), 0.5),
        (fc.Cylinder(0.3, 2), 1.0),
        (fc.Capsule(0.25, 1.0), 0.75),
        (fc.Ellipsoid([1, 0.25, 0.5]), 0.5),
        (fc.ConvexHull([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]), 0.0),
    ],
)
def test_falls_onto_a_height_field(thing, height):
    rows = pieces([falling(height + 1.0, 4.0), falling(height + 1.0, 0.5), falling(height, 1.0)])
    found, upper = ask(thing, FIELD, rows, tolerance=1e-9)
    assert found.status.tolist() == [Status.CONTACT, Status.SEPARATED, Status.CONTACT_AT_START]
    assert found.time[0] == pytest.approx(0.25, abs=1e-9)
    assert found.time[0] <= 0.25 <= upper[0] <= 0.25 + 1e-9
    assert found.normals[0] == pytest.approx([0.0, 0.0, -1.0], abs=1e-6)
    assert found.points[0, :, 2] == pytest.approx([0.0, 0.0], abs=2e-9)
    apart, _ = ask(thing, FIELD, rows, tolerance=1e-9, min_separation=0.5)
    assert apart.time[0] == pytest.approx(0.125, abs=1e-9)
    assert apart.time[0] <= 0.125


def test_what_rests_on_a_face_or_slides_along_it_is_in_contact():
    rows = pieces(
        [falling(0.5, 0.0), row(np.eye(3), ZERO, [1.65, 1.6, 0.5], [1, 0, 0], [0, 2, 0]), falling(0.51, 0.0)]
    )
    found, _ = ask(fc.Sphere(0.5), FIELD, rows)
    assert found.status.tolist() == [Status.CONTACT_AT_START] * 2 + [Status.SEPARATED]


def test_a_ball_takes_few_looks_at_a_triangle():
    """The time of the first is in closed form; the second sees the contact, to rounding."""
    floor = fc.Mesh([[-9, -9, 0], [9, -9, 0], [0, 9, 0]], [[0, 1, 2]])
    ways = np.array([[0.0, 0.0, -9.0], [3.0, 1.0, -9.0], [9.0, -9.0, -9.0]])
    rows = pieces([row(np.eye(3), ZERO, [0, 0, 5], way, [1.0, 2.0, 3.0]) for way in ways])
    assert np.all(ask(fc.Sphere(1), floor, rows)[0].counts[:, 0] <= 3)
    rows = pieces([row(np.eye(3), ZERO, [0, 0, 5], way) for way in ways])
    found, _ = ask(fc.Ellipsoid([1, 2, 3]), floor, rows)
    assert np.all(found.counts[:, 0] <= 3)
    assert found.time == pytest.approx(2 / 9, abs=1e-6)


def test_pieces_follow_each_other():
    up = row(np.eye(3), ZERO, [1.65, 1.6, 2.0], [0, 0, 1.0], span=(0.0, 0.5))
    down = row(np.eye(3), ZERO, [1.65, 1.6, 2.5], [0, 0, -8.0], span=(0.5, 1.0))
    for thing in (fc.Sphere(0.5), fc.Box([1, 1, 1])):
        found, upper = ask(thing, FIELD, np.array([[up, down]]))
        assert found.time[0] == pytest.approx(0.75, abs=1e-6)
        assert found.time[0] <= 0.75 <= upper[0]


@every_kind
def test_batches_and_threads_change_nothing(kind):
    rng = np.random.default_rng(14)
    thing, mesh = shape(rng, 0.5, kind), soup(rng, 40)
    rows = pieces([thrown(rng, 1.0) for _ in range(150)])
    whole, upper = ask(thing, mesh, rows)
    before = numba.get_num_threads()
    try:
        numba.set_num_threads(1)
        alone, alone_upper = ask(thing, mesh, rows)
    finally:
        numba.set_num_threads(before)
    assert all(x.tobytes() == y.tobytes() for x, y in zip(whole, alone, strict=True))
    assert upper.tobytes() == alone_upper.tobytes()
    for k in range(0, 150, 50):
        single, single_upper = ask(thing, mesh, rows[[k]])
        assert all(x[k].tobytes() == y[0].tobytes() for x, y in zip(whole, single, strict=True))
        assert upper[k] == single_upper[0]


def test_nothing_to_meet_and_nobody_to_meet_it():
    ball, empty = fc.Sphere(1), fc.Mesh([], [])
    found, upper = ask(ball, empty, pieces([falling(1.0, 1.0)] * 2))
    assert found.status.tolist() == [Status.SEPARATED] * 2
    assert upper.tolist() == [np.inf] * 2
    found, upper = ask(ball, FIELD, np.empty((0, 1, 26)))
    assert len(found.time) == len(upper) == 0


def test_few_iterations_give_a_time_that_is_safe():
    rng = np.random.default_rng(15)
    thing, mesh = fc.Box([0.5, 0.6, 0.7]), soup(rng, 40)
    rows = pieces([thrown(rng, 1.0) for _ in range(20)])
    true, _ = ask(thing, mesh, rows)
    for limit in (1, 5, 20):
        found, _ = ask(thing, mesh, rows, max_iterations=limit)
        is_open = found.status == Status.MAX_ITERATIONS
        assert np.all(found.time[is_open] <= true.time[is_open])
        assert np.all(found.time[~is_open] == true.time[~is_open])
    assert is_open.any()
