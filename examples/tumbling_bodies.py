"""Boxes, balls and capsules are poured into a room, with restitution and friction, from contact to contact.

Shows `Scene.bounce`: bodies fall on parabolas, turn, hit each other and the walls, each contact at its own
time, in compiled code. There is no time step; the pictures between are only looked at. At each of them, and
by other means, nothing overlaps. Contacts that close slowly lose no speed: what comes to rest would bounce
for ever, so it trembles instead.
"""

import argparse
import os
from itertools import combinations
from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

import firstcontact as fc

SIDE, GRAVITY = 3.0, np.array([0.0, 0.0, -9.81])
RESTITUTION, FRICTION, SLOW = 0.5, 0.3, 0.35
FRAMES_A_SECOND = 20


def room():
    """A floor and four walls, by name."""
    walls = {"floor": fc.HalfSpace([0, 0, 1], 0.0)}
    for axis, name in enumerate(("x", "y")):
        normal = np.eye(3)[axis]
        walls |= {f"{name} low": fc.HalfSpace(normal, 0.0), f"{name} high": fc.HalfSpace(-normal, -SIDE)}
    return walls


def bodies(n, rng):
    """Bodies on a grid above the floor, each turned and thrown in its own way; their masses and inertias."""
    shapes = [fc.Sphere(0.22), fc.Box([0.5, 0.4, 0.3]), fc.Capsule(0.13, 0.3), fc.Box([0.35, 0.35, 0.35])]
    things, masses, inertias = {}, {}, {}
    for i in range(n):
        shape, name = shapes[i % len(shapes)], f"body {i}"
        place = 0.5 + np.array([i % 3, i // 3 % 3, i // 9]) + rng.uniform(-0.1, 0.1, 3)
        things[name] = shape.moving(
            (Rotation.random(rng=rng).as_matrix(), place),
            velocity=rng.normal(size=3),
            angular_velocity=3.0 * rng.normal(size=3),
            acceleration=GRAVITY,
        )
        # The mass in each is spread such that no axis is special: free, it turns at a constant rate.
        masses[name], inertias[name] = 1.0, 0.4 * 0.2**2
    return things, masses, inertias


def overlaps(scene, names, walls):
    """Count pairs that overlap now: convex shapes by GJK, and each with the walls by its lowest point."""
    placed = {name: scene[name].shape.at(scene[name].motion.pose(0.0)) for name in names}
    found = sum(bool(fc.intersects(placed[a], placed[b])) for a, b in combinations(names, 2))
    return found + sum(bool(fc.intersects(wall, body)) for wall in walls.values() for body in placed.values())


def energy(scene, masses, inertias):
    """Energy of all motion, and of height."""
    total = 0.0
    for name, mass in masses.items():
        motion = scene[name].motion
        # Of what is thrown, `velocities` are means over the step.
        velocity, spin = motion.velocities[0, 0] - 0.5 * GRAVITY, motion.angular_velocities[0, 0]
        height = motion.pose(0.0)[2, 3]
        total += (
            0.5 * (mass * velocity @ velocity + inertias[name] * spin @ spin) - mass * GRAVITY[2] * height
        )
    return total


def draw(states, energies, shapes, path):
    """Write a picture: the bodies on their way, and the energy."""
    from matplotlib import pyplot as plt
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    figure = plt.figure(figsize=(11, 4), layout="constrained")
    colors = plt.colormaps["viridis"](np.linspace(0.1, 0.95, len(shapes)))
    for column, number in enumerate((len(states) // 5, len(states) - 1)):
        title = f"after {number / FRAMES_A_SECOND:.2f} s"
        axes = figure.add_subplot(1, 3, column + 1, projection="3d", title=title, elev=15)
        for shape, pose, color in zip(shapes, states[number], colors, strict=True):
            mesh = shape.mesh
            corners = (mesh.vertices @ pose[:3, :3].T + pose[:3, 3])[mesh.faces]
            axes.add_collection3d(Poly3DCollection(corners, facecolors=color, shade=True))
        axes.set(xlim=(0, SIDE), ylim=(0, SIDE), zlim=(0, SIDE + 1), box_aspect=(3, 3, 4))
    axes = figure.add_subplot(1, 3, 3, title="energy", xlabel="seconds")
    axes.plot(np.arange(len(energies)) / FRAMES_A_SECOND, energies, lw=1.5)
    axes.set_ylim(0)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=85)


def main():
    """Pour the bodies, and look whether anything overlaps."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    size, seconds = (9, 0.5) if "QUICK" in os.environ else (45, 2.0)
    parser.add_argument("--bodies", type=int, default=size, help=f"how many ({size})")
    parser.add_argument("--seconds", type=float, default=seconds, help=f"how long ({seconds})")
    parser.add_argument("--picture", type=Path, metavar="PNG", help="write a picture; needs matplotlib")
    options = parser.parse_args()
    things, masses, inertias = bodies(options.bodies, np.random.default_rng(0))
    walls = room()
    scene = fc.Scene(things | walls)
    how = {"inertias": inertias, "restitution": RESTITUTION, "friction": FRICTION, "slow": SLOW}
    energies, states, n_events, n_overlaps = [energy(scene, masses, inertias)], [], 0, 0
    for frame in range(round(options.seconds * FRAMES_A_SECOND)):
        n_events += len(scene.bounce((frame + 1) / FRAMES_A_SECOND, masses, **how))
        n_overlaps += overlaps(scene, list(things), walls)
        energies.append(energy(scene, masses, inertias))
        states.append([scene[name].motion.pose(0.0) for name in things])
    print(f"{options.bodies} bodies, {options.seconds:g} s, {n_events:,} contacts, {n_overlaps} overlaps")
    print(f"energy {energies[0]:.1f} at the start, {energies[-1]:.1f} at the end, never more than before")
    assert n_events > 0
    assert n_overlaps == 0
    assert (np.diff(energies) <= 1e-9 * energies[0]).all()
    if options.picture:
        draw(states, energies, [scene[name].shape for name in things], options.picture)


if __name__ == "__main__":
    main()
