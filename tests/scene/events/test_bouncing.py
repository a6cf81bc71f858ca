"""Bodies that bounce with restitution and friction: what a push must do, and what it must not."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc

WEIGHT = np.array([0.0, 0.0, -9.81])
SHAPES = [fc.Box([0.5, 0.4, 0.3]), fc.Capsule(0.15, 0.4), fc.Box([0.3, 0.3, 0.6])]


def two(rng):
    """Two bodies that turn and fly at each other, with their masses and moments of inertia."""
    a, b = (SHAPES[int(k)] for k in rng.integers(len(SHAPES), size=2))
    aim = rng.normal(size=3)
    aim *= 1.5 / np.linalg.norm(aim)
    things = {}
    for k, (name, shape) in enumerate((("a", a), ("b", b))):
        pose = Rotation.random(rng=rng).as_matrix(), k * aim
        velocity = (1 - k) * 2.0 * aim + 0.5 * rng.normal(size=3)
        things[name] = shape.moving(pose, velocity=velocity, angular_velocity=4.0 * rng.normal(size=3))
    return fc.Scene(things), dict(zip("ab", rng.uniform(0.3, 3.0, 2), strict=True))


def after(scene, name):
    """Velocity and angular velocity of a body as it goes on."""
    motion = scene[name].motion
    return motion.velocities[0, 0], motion.angular_velocities[0, 0]


def energy(masses, inertias, states):
    return sum(
        0.5 * (masses[name] * v @ v + inertias[name] * w @ w)
        for name, (v, w) in zip("ab", states, strict=True)
    )


@pytest.mark.parametrize(("restitution", "slow"), [(1.0, 0.0), (0.4, 0.0), (0.0, 0.0), (0.4, 100.0)])
@pytest.mark.parametrize("friction", [0.0, 0.3, 2.0])
def test_restitution_is_kept_under_friction_and_energy_never_grows(restitution, slow, friction):
    rng, n = np.random.default_rng(7), 0
    for _ in range(40):
        scene, masses = two(rng)
        inertias = {name: 0.02 * mass for name, mass in masses.items()}
        how = {"inertias": inertias, "restitution": restitution, "friction": friction, "slow": slow}
        event = scene.next_contact(until=2.0)
        if not event:
            continue
        found = scene.bounce(2.0, masses, max_events=1, **how)
        before = list(zip(found.velocities[0], found.angular_velocities[0], strict=True))
        states = [after(scene, name) for name in "ab"]
        arms = found.points[0] - event.centers
        slips = [
            (v1 + np.cross(w1, arms[1])) - (v0 + np.cross(w0, arms[0]))
            for (v0, w0), (v1, w1) in (before, states)
        ]
        normal = found.normals[0]
        closing, parting = -slips[0] @ normal, slips[1] @ normal
        back = 1.0 if closing < slow else restitution
        assert parting == pytest.approx(back * closing, abs=1e-12)
        gained = energy(masses, inertias, states) - energy(masses, inertias, before)
        assert gained <= 1e-12
        push = masses["b"] * (states[1][0] - before[1][0])
        rubbed = np.linalg.norm(push - (push @ normal) * normal)
        assert rubbed <= friction * (push @ normal) * (1 + 1e-9) + 1e-12
        sliding = slips[0] + closing * normal
        assert (slips[1] - parting * normal) @ sliding >= -1e-9 or rubbed <= 1e-12
        n += closing > 1e-9
    assert n > 20


def test_a_heap_of_boxes_goes_on():
    # A friction that took from the speed along the normal, too, let contacts follow each other ever closer.
    rng, things = np.random.default_rng(0), {}
    for i in range(18):
        place = 0.5 + np.array([i % 3, i // 3 % 3, i // 9]) * 0.6 + rng.uniform(-0.05, 0.05, 3)
        pose = Rotation.random(rng=rng).as_matrix(), place
        things[f"{i}"] = SHAPES[i % 3].moving(
            pose, velocity=rng.normal(size=3), angular_velocity=3.0 * rng.normal(size=3), acceleration=WEIGHT
        )
    names = list(things)
    things["floor"] = fc.HalfSpace([0, 0, 1])
    for axis in range(2):
        normal = np.eye(3)[axis]
        things |= {f"low {axis}": fc.HalfSpace(normal), f"high {axis}": fc.HalfSpace(-normal, -2.2)}
    scene = fc.Scene(things)
    masses, inertias = dict.fromkeys(names, 1.0), dict.fromkeys(names, 0.016)
    how = {"inertias": inertias, "restitution": 0.5, "friction": 0.3, "slow": 0.35}
    found = scene.bounce(1.0, masses, max_events=20_000, **how)
    assert scene.time == 1.0
    assert 300 < len(found) < 20_000
    bodies = [scene[name].shape.at(scene[name].motion.pose(0.0)) for name in names]
    assert not any(fc.intersects(a, b) for k, a in enumerate(bodies) for b in bodies[:k])
    assert not any(fc.intersects(things["floor"], body) for body in bodies)
