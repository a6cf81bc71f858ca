"""First contacts of convex shapes and deforming meshes, against distances at many times."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.advancement.goal import Options
from firstcontact.deformable.with_rigid.convex_deforming_first import Faces, convex_deforming_first
from firstcontact.status import Status
from oracles.convex_cores import Core, core_of, moved_to, placed
from oracles.convex_distance import bracketed
from properties.convex_families import KINDS, shape
from properties.rigid_families import aimed, degenerate_soup, orientation, row, soup, unit
from samples import sample

ZERO = np.zeros(3)
TOLERANCE = 1e-6
N_SAMPLES = 60
AT_REST = row(np.eye(3), ZERO, ZERO)[np.newaxis]
FLOOR = np.array([[-9.0, -9.0, 0.0], [9.0, -9.0, 0.0], [0.0, 9.0, 0.0]])
ONE_FACE = np.array([[0, 1, 2]], np.int32)

every_kind = pytest.mark.parametrize("kind", KINDS)


def ask(thing, rows, ends, faces, separation=0.0, tolerance=TOLERANCE, max_iterations=1 << 20):
    bare, options = Faces(faces, np.zeros(len(faces))), Options(tolerance, separation, max_iterations)
    return convex_deforming_first(thing.table, rows, ends, bare, options)


def distances(thing, rows, ends, faces, times):
    """Bounds of the distances at some times: (n_times, n_faces)."""
    n, m = len(times), len(faces)
    corners = np.array([(1 - t) * ends[0][faces] + t * ends[1][faces] for t in times.astype(np.longdouble)])
    triangles = [Core(triangle, ZERO, 0.0) for triangle in corners.reshape(-1, 3, 3)]
    a = placed([core_of(thing)] * (n * m), np.eye(3), ZERO)
    a = moved_to(a, rows[np.newaxis], np.repeat(times, m).astype(np.longdouble)).cores
    found = bracketed(a, placed(triangles, np.eye(3), ZERO))
    return found.lower.reshape(n, m), found.upper.reshape(n, m)


def check(thing, rows, ends, faces, separation=0.0):
    found = ask(thing, rows, ends, faces, separation)
    is_hit = found.status in (Status.CONTACT, Status.CONTACT_AT_START)
    assert is_hit or found.status == Status.SEPARATED
    until = found.time if is_hit else 1.0
    times = until * np.linspace(0.0, 1.0, N_SAMPLES)[: -1 if is_hit else None]
    if until > 0.0:
        lower, _ = distances(thing, rows, ends, faces, times)
        assert lower.min() > separation - 1e-15, "late or missed"
    if not is_hit:
        assert (found.time, found.time_upper, found.face) == (np.inf, np.inf, -1)
        assert np.isnan(found.points).all()
        return False, False
    assert (found.status == Status.CONTACT_AT_START) == (found.time == 0.0)
    lower, _ = distances(thing, rows, ends, faces, np.array([found.time]))
    assert lower.min() <= separation + TOLERANCE, "too early"
    assert lower[0, found.face] <= separation + TOLERANCE, "the wrong face"
    assert np.linalg.norm(found.normal) == pytest.approx(1.0)
    if found.status == Status.CONTACT:
        gap = found.points[1] - found.points[0]
        assert np.linalg.norm(gap) <= separation + 1.001 * TOLERANCE
        assert gap @ found.normal == pytest.approx(separation, abs=TOLERANCE)
    is_proven = np.isfinite(found.time_upper)
    if is_proven:
        assert found.time <= found.time_upper <= 1.0
        _, upper = distances(thing, rows, ends, faces, np.array([found.time_upper]))
        assert upper.min() <= separation, "proven, and apart"
    return True, is_proven


def crumpled(rng, mesh):
    """Vertices that fly about, each its own way."""
    return mesh.vertices.copy(), mesh.vertices + 0.5 * unit(rng) + 0.3 * rng.standard_normal(
        mesh.vertices.shape
    )


@every_kind
@pytest.mark.parametrize("rate", [None, 0.0, 1.0, 9.0])
def test_what_is_found_is_the_first_contact(kind, rate):
    rng = np.random.default_rng(21)
    hits = []
    for i in (4, 2, 0, 1, 3)[: sample(2, of=5)]:  # degenerate; with a separation; and others
        thing, mesh = shape(rng, 0.6, kind), degenerate_soup(rng) if i == 4 else soup(rng, 5)
        place, velocity = aimed(rng)
        piece = row(orientation(rng), ZERO, 0.5 * place, 0.5 * velocity, (rate or 0.0) * unit(rng))
        if rate is None:
            piece = row(orientation(rng), ZERO, 0.4 * place)  # at rest
        hits.append(check(thing, piece[np.newaxis], crumpled(rng, mesh), mesh.faces, 0.1 * (i == 2)))
    is_hit, is_proven = np.array(hits).T
    assert is_proven.sum() >= 0.5 * is_hit.sum()


@every_kind
def test_pieces_and_turns_about_any_point(kind):
    rng = np.random.default_rng(22)
    thing, mesh = shape(rng, 0.6, kind), soup(rng, 5)
    for _ in range(sample(1, of=3)):
        poses = np.tile(np.eye(4), (4, 1, 1))
        for pose, reach in zip(poses, (2.5, 2.0, 1.0, 0.0), strict=True):
            pose[:3, :3], pose[:3, 3] = orientation(rng), reach * unit(rng)
        check(thing, thing.along(poses).motion.rows()[0], crumpled(rng, mesh), mesh.faces)
        piece = row(orientation(rng), 2.0 * unit(rng), 2.0 * unit(rng), unit(rng), 3.0 * unit(rng))
        check(thing, piece[np.newaxis], crumpled(rng, mesh), mesh.faces)


THINGS = [
    (fc.Sphere(0.5), 0.5),
    (fc.Box([1, 1, 1]), 0.5),
    (fc.Cylinder(0.3, 2), 1.0),
    (fc.Capsule(0.25, 1.0), 0.75),
    (fc.Ellipsoid([1, 0.25, 0.5]), 0.5),
    (fc.ConvexHull([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]), 0.0),
]


@pytest.mark.parametrize(("thing", "height"), THINGS)
def test_a_floor_rises(thing, height):
    low, high = FLOOR - [0, 0, height + 1.0], FLOOR - [0, 0, height - 3.0]
    for rows in (AT_REST, row(np.eye(3), ZERO, ZERO, turn=[0, 0, 2.0])[np.newaxis]):
        found = ask(thing, rows, (low, high), ONE_FACE, tolerance=1e-9)
        assert found.status == Status.CONTACT
        assert found.time == pytest.approx(0.25, abs=1e-9)
        assert found.time <= 0.25 <= found.time_upper <= 0.25 + 1e-9
        assert found.normal == pytest.approx([0.0, 0.0, -1.0], abs=1e-6)
        apart = ask(thing, rows, (low, high), ONE_FACE, separation=0.5, tolerance=1e-9)
        assert apart.time == pytest.approx(0.125, abs=1e-9)
        assert apart.time <= 0.125
    sinking = ask(thing, AT_REST, (low, low - 1.0), ONE_FACE)
    assert sinking.status == Status.SEPARATED
    met, above = FLOOR - [0, 0, height], FLOOR - [0, 0, height - 0.1]
    assert ask(thing, AT_REST, (met, met), ONE_FACE).status == Status.CONTACT_AT_START
    assert ask(thing, AT_REST, (above, met), ONE_FACE).status == Status.CONTACT_AT_START


def test_a_ball_and_a_floor_that_go_together_never_meet():
    start = FLOOR - [0, 0, 1.5]
    way = np.array([5.0, 6.0, 7.0])
    rows = row(np.eye(3), ZERO, ZERO, way, [3.0, 2.0, 1.0])[np.newaxis]
    found = ask(fc.Sphere(1), rows, (start, start + way), ONE_FACE)
    assert found.status == Status.SEPARATED
    assert found.triangle_tests <= 3


def test_nothing_to_meet():
    found = ask(fc.Sphere(1), AT_REST, (np.empty((0, 3)), np.empty((0, 3))), np.empty((0, 3), np.int32))
    assert found.status == Status.SEPARATED
    assert found.triangle_tests == 0


def test_few_iterations_give_a_time_that_is_safe():
    rng = np.random.default_rng(23)
    thing, mesh = fc.Box([0.5, 0.6, 0.7]), soup(rng, 30)
    rows = row(orientation(rng), ZERO, [3.0, 0, 0], [-3.0, 0, 0], [1.0, 2.0, 0])[np.newaxis]
    ends = crumpled(rng, mesh)
    true = ask(thing, rows, ends, mesh.faces)
    assert true.status == Status.CONTACT
    for limit in range(1, true.triangle_tests + 1):
        found = ask(thing, rows, ends, mesh.faces, max_iterations=limit)
        assert found.time <= true.time
        assert found.status == (Status.MAX_ITERATIONS if limit < true.triangle_tests else Status.CONTACT)


def test_threads_change_nothing(monkeypatch):
    rng = np.random.default_rng(24)
    mesh = soup(rng, 200)
    ends = crumpled(rng, mesh)
    rows = row(orientation(rng), ZERO, [3.0, 0, 0], [-3.0, 0, 0], [1.0, 2.0, 0])[np.newaxis]
    alone = ask(fc.Capsule(0.1, 0.4), rows, ends, mesh.faces)
    monkeypatch.setattr("firstcontact.deformable.with_rigid.convex_deforming_first.WORTH_A_THREAD", 1)
    many = ask(fc.Capsule(0.1, 0.4), rows, ends, mesh.faces)
    assert all(np.asarray(x).tobytes() == np.asarray(y).tobytes() for x, y in zip(alone, many, strict=True))
