"""Bodies bounce in a room, and the steps are those of a textbook: back to just before contact, by bisection.

Shows the constrained simulation of the course (Hoff, Zaferakis, Lin, Manocha): a step to the end; where two
bodies overlap then, bisection between the last free state and that one finds the state just before contact,
for all bodies; then those that touch bounce. Looked at are single instants only, and what is thin is passed
between two of them. So a free end counts only if `Scene.safe_step` proves that the way to it is free, too.
"""

import argparse
import os
from itertools import combinations
from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

import firstcontact as fc

SIDE, STEP, NEAR = 4.0, 0.05, 1e-3
GAP = 1e-5  # nothing comes nearer than this, so that what parts is free
THICK = 5e-3  # what is nearer than this, at the end of a part of a step, bounces
MOST_PARTS = 40  # of a step
INERTIA = 0.05  # for a mass of 1
SHAPES = [fc.Box([0.9, 0.6, 0.08]), fc.Capsule(0.1, 0.9), fc.Sphere(0.25), fc.Box([0.5, 0.5, 0.5])]


class State:
    """Where all bodies are, and how they go on."""

    def __init__(self, n, rng):
        self.shapes = [SHAPES[i % len(SHAPES)] for i in range(n)]
        places = np.stack([np.arange(n) % 3, np.arange(n) // 3 % 3, np.arange(n) // 9], axis=1)
        self.places = 0.7 + 1.3 * places + rng.uniform(-0.05, 0.05, (n, 3))
        self.turns = Rotation.random(n, rng=rng)
        self.velocities, self.spins = 4.0 * rng.normal(size=(n, 3)), 5.0 * rng.normal(size=(n, 3))

    def at(self, time):
        """All bodies after a time, each as it goes on."""
        turns = (Rotation.from_rotvec(time * self.spins) * self.turns).as_matrix()
        return [
            shape.at((turn, place))
            for shape, turn, place in zip(
                self.shapes, turns, self.places + time * self.velocities, strict=True
            )
        ]

    def go_on(self, time):
        """Let a time pass."""
        self.places = self.places + time * self.velocities
        self.turns = Rotation.from_rotvec(time * self.spins) * self.turns

    def moving(self, time):
        """All bodies by name, on their way through a time."""
        turns = self.turns.as_matrix()
        each = zip(self.shapes, turns, self.places, time * self.velocities, time * self.spins, strict=True)
        return {
            str(i): shape.moving((turn, place), velocity=v, angular_velocity=w)
            for i, (shape, turn, place, v, w) in enumerate(each)
        }


def room():
    """Six walls, by name."""
    walls = {}
    for axis, normal in enumerate(np.eye(3)):
        walls |= {f"low {axis}": fc.HalfSpace(normal), f"high {axis}": fc.HalfSpace(-normal, -SIDE)}
    return walls


def pairs(bodies):
    """All pairs of bodies, and of bodies and walls."""
    return [*combinations(bodies, 2), *((wall, body) for wall in room().values() for body in bodies)]


def is_free(state, time):
    """Is nothing too near to anything after a time? Looked at is that instant alone."""
    return not any(fc.intersects(a, b, within=GAP) for a, b in pairs(state.at(time)))


def is_passed(state, time):
    """Does anything touch on the way through a time, whatever its end is like?"""
    return time > 0.0 and fc.Scene(state.moving(time) | room()).safe_step(tolerance=0.1 * GAP) < 1.0


def just_before(state, step):
    """How long to go on: to the end of a step or just before contact; and how many ends were free in vain."""
    free, touching, in_vain = 0.0, step, 0
    if is_free(state, step):
        if not is_passed(state, step):
            return step, 0
        in_vain = 1
    while touching - free > NEAR * STEP:
        middle = 0.5 * (free + touching)
        free, touching = (middle, touching) if is_free(state, middle) else (free, middle)
        if free == middle and is_passed(state, free):
            free, touching, in_vain = 0.0, free, in_vain + 1
    return free, in_vain


def bounce(state):
    """Let all pairs that are near, and come nearer, bounce; count them."""
    bodies, n_contacts = state.at(0.0), 0
    for i, j in combinations(range(len(bodies)), 2):
        gap = fc.distance(bodies[i], bodies[j])
        n_contacts += gap.distance < THICK and push(state, i, j, gap)
    for wall in room().values():
        for i, body in enumerate(bodies):
            gap = fc.distance(body, wall)
            n_contacts += gap.distance < THICK and push(state, i, None, gap)
    return n_contacts


def push(state, i, j, gap):
    """Push two bodies, or one off a wall, apart, without loss; do they come nearer?"""
    normal, ease, closing = (gap.points_b - gap.points_a) / gap.distance, 0.0, 0.0
    both = [(i, 1.0, gap.points_a)] + ([] if j is None else [(j, -1.0, gap.points_b)])
    for k, sign, point in both:
        arm = point - state.places[k]
        closing += sign * (state.velocities[k] + np.cross(state.spins[k], arm)) @ normal
        ease += 1.0 + np.cross(arm, normal) @ np.cross(arm, normal) / INERTIA
    if closing <= 0.0:
        return False
    for k, sign, point in both:
        impulse = -sign * 2.0 * closing / ease * normal
        state.velocities[k] += impulse
        state.spins[k] += np.cross(point - state.places[k], impulse) / INERTIA
    return True


def simulate(n, steps):
    """Take steps; give the state at the end, and after each step how many contacts, overlaps and saves."""
    state, counts, history, nearest = State(n, np.random.default_rng(4)), np.zeros(3, int), [], np.inf
    for _ in range(steps):
        left = STEP
        for _ in range(MOST_PARTS):
            time, in_vain = just_before(state, left)
            state.go_on(time)
            nearest = min(nearest, *(fc.distance(a, b).distance for a, b in pairs(state.at(0.0))))
            counts += bounce(state), nearest <= 0.0, in_vain
            left -= time
            if left <= NEAR * STEP:
                break
        history.append(counts.copy())
    return state, np.array(history), nearest


def draw(state, history, path):
    """Write a picture: the bodies at the end, and what was found on the way."""
    from matplotlib import pyplot as plt
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    figure = plt.figure(figsize=(9, 3.8), layout="constrained")
    axes = figure.add_subplot(1, 2, 1, projection="3d", title="just before contact", elev=18)
    colors = plt.colormaps["viridis"](np.linspace(0.1, 0.95, len(state.shapes)))
    for body, color in zip(state.at(0.0), colors, strict=True):
        mesh, pose = body.shape.mesh, body.pose(0.0)
        corners = (mesh.vertices @ pose[:3, :3].T + pose[:3, 3])[mesh.faces]
        axes.add_collection3d(Poly3DCollection(corners, facecolors=color, shade=True))
    axes.set(xlim=(0, SIDE), ylim=(0, SIDE), zlim=(0, SIDE))
    axes = figure.add_subplot(1, 2, 2, xlabel="step")
    axes.plot(1 + np.arange(len(history)), history[:, 0], lw=1.5, label="contacts")
    axes.plot(1 + np.arange(len(history)), history[:, 2], lw=1.5, label="free ends beyond a contact")
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=85)


def main():
    """Simulate, and look whether anything overlaps."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    n_bodies, n_steps = (6, 4) if "QUICK" in os.environ else (9, 40)
    parser.add_argument("--bodies", type=int, default=n_bodies, help=f"how many ({n_bodies})")
    parser.add_argument("--steps", type=int, default=n_steps, help=f"how many ({n_steps})")
    parser.add_argument("--picture", type=Path, metavar="PNG", help="write a picture; needs matplotlib")
    options = parser.parse_args()
    state, history, nearest = simulate(options.bodies, options.steps)
    n_contacts, n_overlaps, n_in_vain = history[-1]
    print(f"{options.bodies} bodies, {options.steps} steps: {n_contacts:,} contacts, {n_overlaps} overlaps")
    print(f"{n_in_vain} times an end was free beyond a contact; never nearer than {nearest:.1e}")
    assert n_overlaps == 0
    assert nearest > 0.5 * GAP
    if options.picture:
        draw(state, history, options.picture)


if __name__ == "__main__":
    main()
