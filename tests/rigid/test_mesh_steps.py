"""Within a step nothing comes nearer than the margin: sampled in extended precision."""

import numpy as np
import pytest

from firstcontact import Box, Cylinder, first_contact
from firstcontact.bodies.mesh_body import body_of
from firstcontact.bounds.swept_sphere import Volume, volume_of
from firstcontact.motions.relative_motion import placement_at, relative_motion, rounding_error
from firstcontact.rigid.lemma_steps import lemma_step_triangles, lemma_step_volumes
from firstcontact.rigid.mesh_steps import (
    farthest_of_volume,
    step_triangles,
    step_volumes,
    volume_travel,
)
from oracles.closest_triangles import Real, closest_points, norm
from oracles.rigid_first_contact import side_at
from properties.rigid_families import generate
from samples import sample

FAMILIES = ["both moving", "spinning", "screw", "many turns", "degenerate", "sliding", "far 1e6", "unequal"]
by_triangles = pytest.mark.parametrize("step_of", [step_triangles, lemma_step_triangles])
by_volumes = pytest.mark.parametrize("step_of", [step_volumes, lemma_step_volumes])
SAMPLES = np.array([0.0, 0.25, 0.5, 0.75, 0.9, 0.99, 1.0], Real)


class Pair:
    """Two bodies in motion, at a time."""

    def __init__(self, family, seed):
        self.rng = np.random.default_rng(seed)
        case = generate(family, 700 + seed)
        self.a, self.b = body_of(case.mesh_a), body_of(case.mesh_b)
        k = self.rng.integers(len(case.rows_a))
        self.row_a, self.row_b = case.rows_a[k, 0], case.rows_b[k, 0]
        self.corners = [
            mesh.vertices[mesh.faces][body.order]
            for mesh, body in ((case.mesh_a, self.a), (case.mesh_b, self.b))
        ]
        self.t = float(self.rng.uniform(0.0, min(self.row_a[23], self.row_b[23])))
        motion = relative_motion(self.row_a, self.row_b, self.a.origin, self.b.origin)
        self.hidden = rounding_error(motion, self.a.reach, self.b.reach, self.row_a, self.row_b)
        self.place = placement_at(motion, self.t)

    def left(self, time):
        """A step, cut where the motion ends."""
        return min(time, min(self.row_a[23], self.row_b[23]) - self.t)

    def nearest(self, triangles_a, triangles_b, step):
        """Smallest distance (m,) of triangles of a and of b at samples of a step."""
        times = np.repeat(self.t + step * SAMPLES, len(triangles_a) * len(triangles_b))
        pairs = [(x, y) for x in triangles_a for y in triangles_b] * len(SAMPLES)
        sides = [
            side_at(
                np.repeat(row[np.newaxis], len(pairs), axis=0), corners[[pair[i] for pair in pairs]], times
            )
            for i, (row, corners) in enumerate(zip((self.row_a, self.row_b), self.corners, strict=True))
        ]
        p, q = closest_points(sides[0].corners, sides[1].corners)
        return norm(q - p).reshape(len(SAMPLES), -1).min(axis=1)


def placed(place, triangle):
    return tuple(map(tuple, (np.reshape(place.rotation, (3, 3)) @ triangle.T).T + place.offset))


def below(body, node):
    left, right = body.children[node].tolist()
    return [~left] if left < 0 else below(body, left) + below(body, right)


@by_triangles
@pytest.mark.parametrize("family", FAMILIES)
def test_triangles_stay_apart_for_a_step(family, step_of):
    n_steps = 0
    for seed in range(sample(6, of=12)):
        pair = Pair(family, seed)
        margin = float(pair.rng.choice([0.0, 0.01])) * min(pair.a.reach, pair.b.reach) + pair.hidden
        i, j = pair.rng.integers(len(pair.a.order)), pair.rng.integers(len(pair.b.order))
        own = pair.a.triangles[i, :9].reshape(3, 3), pair.b.triangles[j, :9].reshape(3, 3)
        step = step_of(pair.place, placed(pair.place, own[0]), tuple(map(tuple, own[1])), margin)
        apart = pair.nearest([i], [j], pair.left(step.time))
        assert abs(step.distance - apart[0]) <= 1e-7 * (pair.a.reach + pair.b.reach)
        assert step.time >= 0.0
        if step.time > 0.0:
            n_steps += 1
            assert apart.min() >= margin - pair.hidden
    assert n_steps > 4


@by_volumes
@pytest.mark.parametrize("family", FAMILIES)
def test_what_volumes_hold_stays_apart_for_a_step(family, step_of):
    n_steps = 0
    for seed in range(sample(6, of=12)):
        pair = Pair(family, seed)
        margin = float(pair.rng.choice([0.0, 0.01])) * min(pair.a.reach, pair.b.reach) + pair.hidden
        nodes = pair.rng.integers(len(pair.a.children)), pair.rng.integers(len(pair.b.children))
        volumes = volume_of(pair.a.volumes, nodes[0]), volume_of(pair.b.volumes, nodes[1])
        step = step_of(pair.place, *volumes, margin)
        apart = pair.nearest(below(pair.a, nodes[0]), below(pair.b, nodes[1]), pair.left(step.time))
        assert step.distance <= apart[0] + pair.hidden
        assert (step.time > 0.0) == (step.distance > margin)
        if step.time > 0.0:
            n_steps += 1
            assert apart.min() >= margin - pair.hidden
    assert n_steps > 0


@by_volumes
def test_a_larger_margin_makes_no_longer_step(step_of):
    for seed in range(10):
        pair = Pair("both moving", seed)
        volumes = volume_of(pair.a.volumes, 0), volume_of(pair.b.volumes, 0)
        steps = [step_of(pair.place, *volumes, margin).time for margin in (1e-12, 1e-3, 0.1, 1.0, 100.0)]
        assert steps == sorted(steps, reverse=True)
        assert steps[-1] == 0.0


@by_triangles
def test_triangles_that_cross_have_no_step(step_of):
    pair = Pair("both moving", 0)
    triangle = tuple(map(tuple, pair.b.triangles[0, :9].reshape(3, 3)))
    assert step_of(pair.place, triangle, triangle, 1e-12) == (0.0, 0.0)


@pytest.mark.parametrize("seed", range(8))
def test_a_volume_travels_as_the_fastest_of_its_points(seed):
    rng = np.random.default_rng(seed)
    frame, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    n, axis = (v / np.linalg.norm(v) for v in rng.normal(size=(2, 3)))
    center, pivot, (length, width, radius) = rng.normal(size=3), rng.normal(size=3), rng.uniform(0.1, 1.0, 3)
    reach = radius + np.hypot(length, width)
    axes = tuple(tuple(row) for row in frame.tolist())
    volume = Volume(tuple(center.tolist()), *axes, length, width, radius, reach)
    travel = volume_travel(volume, tuple(n.tolist()), tuple(axis.tolist()), 2.0, tuple(pivot.tolist()))
    c = np.cross(n, axis)
    # The point of the volume that is farthest along c: the speeds along n are 2 c . r.
    point = center + length * np.sign(c @ frame[0]) * frame[0] + width * np.sign(c @ frame[1]) * frame[1]
    point += radius * c / np.linalg.norm(c)
    assert travel.now == pytest.approx(2.0 * c @ (point - pivot), rel=1e-12)
    assert travel.most >= 2.0 * np.linalg.norm(c) * np.linalg.norm(np.cross(point - pivot, axis))
    assert travel.bend == pytest.approx(travel.most)  # half of the rate, times it


@pytest.mark.parametrize("seed", range(20))
def test_a_volume_is_as_far_from_an_axis_as_its_farthest_corner(seed):
    rng = np.random.default_rng(900 + seed)
    frame = np.linalg.qr(rng.standard_normal((3, 3)))[0]
    length, width, radius = rng.uniform(0, 2, 3) * [1, rng.integers(2), rng.integers(2)]
    center, axis = rng.standard_normal(3), frame[0] if seed % 3 == 0 else frame @ [0.6, 0.0, 0.8]
    reach = float(np.sqrt(length**2 + width**2)) + radius
    volume = Volume((0.0, 0.0, 0.0), *map(tuple, frame.tolist()), length, width, radius, reach)
    found = farthest_of_volume(volume, tuple(center.tolist()), tuple(axis.tolist()))
    signs = np.array([[x, y] for x in (-1, 1) for y in (-1, 1)])
    corners = center + signs * [length, width] @ frame[:2]
    truth = np.linalg.norm(np.cross(corners, axis), axis=1).max() + radius
    assert found == pytest.approx(min(truth, np.linalg.norm(np.cross(center, axis)) + reach))


def test_a_rod_that_spins_beside_a_plate_takes_few_steps():
    """A long rod about its own axis: what it reaches is its radius, not its length."""
    rod, plate = Cylinder(0.1, 4).mesh, Box([3, 3, 0.2]).mesh
    lying = np.array([[0.0, 0, 1, 0], [0, 1, 0, 0], [-1, 0, 0, 0.21], [0, 0, 0, 1]])
    found = first_contact(rod.moving(lying, velocity=[0, 0, -0.005], angular_velocity=[40, 0, 0]), plate)
    assert found.time == np.inf
    assert found.stats.iterations < 5000
