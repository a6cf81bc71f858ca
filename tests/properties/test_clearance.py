"""Brackets of least distances over random motions of all pairs of kinds, against samples and symmetries."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc
from samples import sample

N = sample(24, 1000)
N_TIMES = 257
SHAPES = {
    "sphere": fc.Sphere(0.7),
    "box": fc.Box([1, 2, 0.5]),
    "capsule": fc.Capsule(0.3, 1.5),
    "cylinder": fc.Cylinder(0.5, 1),
    "ellipsoid": fc.Ellipsoid([0.3, 0.6, 1.0]),
    "hull": fc.ConvexHull(np.random.default_rng(5).normal(size=(20, 3)) * 0.5),
    "box mesh": fc.Box([1, 0.7, 0.5]).mesh,
    "soup": fc.Mesh(np.random.default_rng(6).normal(size=(12, 3)), np.arange(12).reshape(4, 3)),
}
PAIRS = [("sphere", "box"), ("hull", "ellipsoid"), ("capsule", "cylinder"), ("box", "hull")]
PAIRS += [("box mesh", "capsule"), ("ellipsoid", "soup"), ("box mesh", "soup")]
HERE = np.eye(4)
MOTIONS = ("straight", "turning", "thrown", "pieces", "resting", "spline", "formula")


def moved(shape, kind, rng, n):
    """A batch of motions of a kind."""
    poses = np.tile(np.eye(4), (n, 1, 1))
    poses[:, :3, :3] = Rotation.random(n, random_state=rng.integers(1 << 30)).as_matrix()
    poses[:, :3, 3] = rng.normal(size=(n, 3)) * 2.5
    velocity, turn = rng.normal(size=(n, 3)) * 4, rng.normal(size=(n, 3)) * 4
    if kind == "resting":
        return shape.at(poses)
    if kind == "pieces":
        return shape.along(poses[:5], [0, 0.3, 0.5, 0.51, 1])  # one path for all
    if kind == "spline":
        ways = poses[:, np.newaxis].repeat(4, axis=1)
        ways[..., :3, 3] += np.cumsum(rng.normal(size=(n, 4, 3)), axis=1)
        ways[..., :3, :3] = Rotation.from_rotvec(rng.normal(size=(4 * n, 3))).as_matrix().reshape(n, 4, 3, 3)
        return shape.along(fc.Spline([0, 0.2, 0.7, 1], ways))
    if kind == "formula":
        places = poses[:, :3, 3].tolist()
        return shape.along(
            fc.motion(
                lambda t: (
                    [[2 * np.sin(x * t), y * t, z] for x, y, z in places],
                    [[x - 2 * x * t * t, y + np.cos(9 * t), z * np.exp(-2 * t)] for x, y, z in places],
                )
            )
        )
    more = {"straight": {}, "turning": {"angular_velocity": turn}, "thrown": {"angular_velocity": turn}}[kind]
    if kind == "thrown":
        more["acceleration"] = rng.normal(size=(n, 3)) * 8
    return shape.moving(poses, velocity=velocity, **more)


def cases():
    rng = np.random.default_rng(4)
    for a, b in PAIRS:
        for kind in MOTIONS:
            yield pytest.param(a, b, kind, str(rng.choice(MOTIONS)), id=f"{a}-{b}-{kind}")


@pytest.mark.parametrize(("a", "b", "kind_a", "kind_b"), list(cases()))
def test_no_sample_is_nearer_than_the_lower_end(a, b, kind_a, kind_b):
    rng = np.random.default_rng(len(a) * 7 + len(b))
    one, other = moved(SHAPES[a], kind_a, rng, N), moved(SHAPES[b], kind_b, rng, N)
    found = fc.clearance(one, other)
    least = np.atleast_2d(found.profile(N_TIMES).distances).min(axis=1)
    assert (least >= found.distance_lower - 1e-12).all()
    assert (found.distance - found.distance_lower <= np.maximum(0.0101 * found.distance, 1e-5)).all()
    assert (found.distance <= least + np.maximum(0.0101 * least, 1e-5)).all()
    # What is proven apart is free, and what touches is not.
    is_free = np.atleast_1d(fc.is_free(one, other))
    assert is_free[np.atleast_1d(found.distance_lower > 1e-5)].all()
    assert not is_free[np.atleast_1d(found.distance == 0)].any()


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_symmetries(a, b):
    """The bracket holds for the same motions told in another way: swapped, moved, scaled, backwards."""
    rng = np.random.default_rng(9)
    start, velocity, turn = (
        rng.normal(size=(N, 3)) * 2.5,
        rng.normal(size=(N, 3)) * 4,
        rng.normal(size=(N, 3)) * 3,
    )
    turns = Rotation.random(N, random_state=3)
    one, other = SHAPES[a], SHAPES[b]

    def asked(poses, velocity, turn, pose=HERE):
        return fc.clearance(one.moving(poses, velocity=velocity, angular_velocity=turn), other.at(pose))

    poses = turns.as_matrix(), start
    found = asked(poses, velocity, turn)
    swapped = fc.clearance(other, one.moving(poses, velocity=velocity, angular_velocity=turn))
    all_moved, shift = Rotation.from_rotvec([1, 2, 3]), np.array([5.0, -7.0, 11.0])
    elsewhere = asked(
        ((all_moved * turns).as_matrix(), all_moved.apply(start) + shift),
        all_moved.apply(velocity),
        all_moved.apply(turn),
        (all_moved.as_matrix(), shift),
    )
    forth = one.moving(poses, velocity=velocity, angular_velocity=turn)
    back = asked(forth.pose(1.0), -velocity, -turn)
    for same in (swapped, elsewhere, back):
        assert (same.distance_lower <= found.distance + 1e-9).all()
        assert (found.distance_lower <= same.distance + 1e-9).all()


def test_dense_samples_by_another_library():
    fcl = pytest.importorskip("fcl")
    rng, n = np.random.default_rng(2), sample(10, 300)
    moving = moved(SHAPES["box"], "turning", rng, n)
    found = fc.clearance(moving, fc.Cylinder(0.5, 1))
    box, cylinder = fcl.Box(1, 2, 0.5), fcl.CollisionObject(fcl.Cylinder(0.5, 1), fcl.Transform())
    for t in np.linspace(0, 1, 101):
        for k, pose in enumerate(moving.pose(t)):
            thing = fcl.CollisionObject(box, fcl.Transform(pose[:3, :3], pose[:3, 3]))
            far = fcl.distance(thing, cylinder, fcl.DistanceRequest(), fcl.DistanceResult())
            assert max(far, 0) >= found.distance_lower[k] - 1e-5
