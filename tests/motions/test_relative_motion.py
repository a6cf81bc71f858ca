"""Placements against the formula in extended precision: what rounding may hide is more than it does."""

import numpy as np
import pytest

from firstcontact.bodies.mesh_body import body_of
from firstcontact.motions.relative_motion import fastest, placement_at, relative_motion, rounding_error
from oracles.closest_triangles import Real
from oracles.rigid_first_contact import side_at
from properties.rigid_families import FAMILIES, generate, rotation_by, row, soup
from samples import sample

# What is computed here is the first part of a measured distance: it may use up half of the bound.
USED = 0.5


def matrix(m):
    return np.reshape(np.array(m, Real), (3, 3))


N_SEEDS = sample(2, of=4)


def motions(family, n_seeds=N_SEEDS):
    """Pairs of bodies and of pieces of their motions, with a time in both."""
    rng = np.random.default_rng(8)
    for seed in range(n_seeds):
        case = generate(family, 400 + seed)
        a, b = body_of(case.mesh_a), body_of(case.mesh_b)
        for rows_a, rows_b in zip(case.rows_a, case.rows_b, strict=True):
            for row_a in rows_a:
                for row_b in rows_b:
                    start, end = max(row_a[19], row_b[19]), min(row_a[23], row_b[23])
                    if start < end:
                        yield (
                            case,
                            a,
                            b,
                            row_a,
                            row_b,
                            float(rng.choice([start, rng.uniform(start, end), end])),
                        )


def orientation_at(piece, t):
    """Orientation of a body in extended precision: where the unit vectors of its frame point."""
    bare = piece.copy()
    bare[9:15] = bare[20:23] = 0.0
    return side_at(bare[np.newaxis], np.eye(3)[np.newaxis], Real(t)).corners[..., 0]


def seen_from_b(points, piece_b, origin_b, t):
    """Points of the world, (3, n), in the frame of b at a time, as seen from its origin."""
    center = np.broadcast_to(piece_b[20:23], (1, 3, 3))
    pivot = side_at(piece_b[np.newaxis], center, Real(t)).corners[:, :1, 0]
    there = orientation_at(piece_b, t)
    back = there.T @ (3 * np.eye(3) - there @ there.T) / 2  # the inverse: to rounding, a rotation is one
    lever = np.array(piece_b[20:23], Real) - np.array(origin_b, Real)
    return back @ (points - pivot) + lever[:, np.newaxis]


@pytest.mark.parametrize("family", FAMILIES)
def test_a_placement_is_that_of_the_formula_and_off_by_less_than_rounding_may_hide(family):
    for case, a, b, row_a, row_b, t in motions(family):
        motion = relative_motion(row_a, row_b, a.origin, b.origin)
        place = placement_at(motion, t)
        hidden = rounding_error(motion, a.reach, b.reach, row_a, row_b)
        triangles = case.mesh_a.vertices[case.mesh_a.faces][a.order]
        for own, triangle in zip(a.triangles[:, :9].reshape(-1, 3, 3), triangles, strict=True):
            placed = matrix(place.rotation) @ own.T.astype(Real) + np.array(place.offset, Real)[:, np.newaxis]
            world = side_at(row_a[np.newaxis], triangle[np.newaxis], Real(t)).corners[..., 0]
            error = placed - seen_from_b(world, row_b, b.origin, t)
            assert np.sqrt((error * error).sum(axis=0)).max() <= USED * hidden


@pytest.mark.parametrize("family", ["both moving", "piecewise", "screw", "many turns", "far 1e6"])
def test_velocities_are_those_of_the_formula(family):
    """Of any point of a, against the point of b at the same place, by differences in time."""
    for case, a, b, row_a, row_b, t in motions(family, 2):
        place = placement_at(relative_motion(row_a, row_b, a.origin, b.origin), t)
        own = a.triangles[0, :9].reshape(3, 3).T
        x = (matrix(place.rotation) @ own + np.array(place.offset)[:, np.newaxis]).astype(float)
        turning_a = np.cross(np.array(place.axis_a) * place.rate_a, (x.T - place.pivot_a)).T
        turning_b = np.cross(np.array(place.axis_b) * place.rate_b, (x.T - place.pivot_b)).T
        velocity = np.array(place.velocity)[:, np.newaxis] + turning_a - turning_b
        triangle = case.mesh_a.vertices[case.mesh_a.faces][a.order[0]][np.newaxis]
        h = Real(1e-7) / max(1.0, row_a[18], row_b[18])
        places = [
            seen_from_b(
                side_at(row_a[np.newaxis], triangle, t + s * h).corners[..., 0], row_b, b.origin, t + s * h
            )
            for s in (-1, 1)
        ]
        size = 1.0 + np.abs(velocity).max() + a.reach * row_a[18] + np.abs(x).max() * row_b[18]
        # In the frame of b, which turns, that is the whole velocity of a's points.
        assert np.abs((places[1] - places[0]) / (2 * h) - velocity).max() <= 1e-5 * size * max(1.0, row_b[18])


@pytest.mark.parametrize("family", ["both moving", "screw", "piecewise", "tiny", "large"])
def test_nothing_is_faster_than_the_fastest(family):
    for case, a, b, row_a, row_b, t in motions(family, 2):
        top = fastest(relative_motion(row_a, row_b, a.origin, b.origin), a.reach, b.reach)
        speeds = []
        for piece, mesh in ((row_a, case.mesh_a), (row_b, case.mesh_b)):
            triangles = mesh.vertices[mesh.faces]
            side = side_at(np.repeat(piece[np.newaxis], len(triangles), axis=0), triangles, Real(t))
            arms = (side.corners - side.pivot[:, np.newaxis]).transpose(1, 2, 0)
            speeds.append((side.velocity.T[0] + np.cross(piece[15:18] * piece[18], arms)).reshape(-1, 3))
        differences = speeds[0][:, np.newaxis] - speeds[1]
        assert np.sqrt((differences**2).sum(axis=-1)).max() <= top * (1.0 + 1e-14)


def test_at_rest_a_placement_is_exact():
    piece = row(np.eye(3), [1.0, 2.0, 3.0], [1.0, 2.0, 3.0])
    origin = (4.0, 5.0, 6.0)
    place = placement_at(relative_motion(piece, piece, origin, origin), 0.3)
    assert place.rotation == tuple(np.eye(3).ravel())
    assert place.offset == (0.0, 0.0, 0.0)
    assert (place.rate_a, place.rate_b) == (0.0, 0.0)


def test_the_hidden_is_small_near_the_origin_and_grows_with_distance():
    rng = np.random.default_rng(2)
    body = body_of(soup(rng))
    turned = rotation_by(rng.standard_normal(3))

    def hidden(distance, rate):
        pieces_ = [row(turned, np.zeros(3), [distance, 0.0, k], turn=[0.0, rate, 0.0]) for k in (0.0, 1.0)]
        motion = relative_motion(*pieces_, body.origin, body.origin)
        return rounding_error(motion, body.reach, body.reach, *pieces_)

    assert hidden(0.0, 1.0) < 1e-12 * body.reach
    assert hidden(0.0, 0.0) < hidden(0.0, 1.0) < hidden(0.0, 100.0)
    assert hidden(1e8, 1.0) < 1e-6
