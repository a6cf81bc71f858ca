"""A break at billiards, from event to event: no time step is too large, and no contact is missed.

Shows a scene in a simulation that jumps. `Scene.contacts` tells who touches, when and where; all go on up to
the first of these times, the two exchange their speeds along the normal, and the question is asked anew. The
steps are as long as nothing happens, and the energy stays as it was.
"""

import argparse
from pathlib import Path

import numpy as np

import firstcontact as fc

RADIUS, LENGTH, WIDTH = 0.0286, 2.54, 1.27  # of a ball, and of the cloth, in metres
SECONDS, RACK_GAP = 3.0, 1e-4


def table():
    """Four cushions around the cloth, by name."""
    here = np.eye(3)
    long, short = fc.Box([LENGTH + 0.4, 0.2, 0.2]), fc.Box([0.2, WIDTH, 0.2])
    return {
        "south": long.at((here, [0, -WIDTH / 2 - 0.1, 0])),
        "north": long.at((here, [0, WIDTH / 2 + 0.1, 0])),
        "west": short.at((here, [-LENGTH / 2 - 0.1, 0, 0])),
        "east": short.at((here, [LENGTH / 2 + 0.1, 0, 0])),
    }


def rack():
    """Places of sixteen balls: the white one, and the triangle of the others."""
    pitch = 2 * RADIUS + RACK_GAP
    rows = [(0.866 * pitch * row, pitch * (i - row / 2)) for row in range(5) for i in range(row + 1)]
    balls = [(-0.7, 0.02), *((LENGTH / 4 + x, y) for x, y in rows)]
    return np.insert(np.array(balls), 2, 0.0, axis=1)


def strike(velocities, i, j, normal):
    """Exchange the speeds of two along the normal, or throw a ball back; return whether they approached."""
    is_cushion = j >= len(velocities)
    closing = normal @ (velocities[i] if is_cushion else velocities[i] - velocities[j])
    if closing <= 0:
        return False
    velocities[i] -= (2 if is_cushion else 1) * closing * normal
    if not is_cushion:
        velocities[j] += closing * normal
    return True


def play(scene, places, velocities):
    """Go from contact to contact; return where all balls are at each, and when, who touched."""
    ids = np.arange(len(places))  # the balls come first in the scene, the cushions after them
    now, states, events = 0.0, [places], []
    while now < SECONDS:
        # A step of the scene goes from 0 to 1: here it stands for all the seconds that are left.
        left = SECONDS - now
        way = left * velocities
        scene.move(ids, (np.eye(3), places), velocity=way)
        found, share = scene.contacts(), 1.0
        for k, (i, j) in enumerate(found.ids):
            # Who was struck last still touches. It parts, and on straight ways it does not come back.
            if strike(velocities, i, j, found.normals[k]):
                share = found.time[k]
                events.append((now + share * left, *found.names[k]))
                break
        now, places = now + share * left, places + share * way
        states.append(places)
    return states, events


def draw(states, path):
    """Write a picture: the ways of all balls, seen from above, and where they are in the end."""
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(10, 5.4), layout="constrained")
    axes.add_patch(plt.Rectangle((-LENGTH / 2, -WIDTH / 2), LENGTH, WIDTH, fc="#2f6b4f", ec="#5b3a22", lw=12))
    ways = np.array(states)
    colors = ["white", *plt.colormaps["plasma"](np.linspace(0.35, 1, 15))]
    for i, color in enumerate(colors):
        axes.plot(*ways[:, i, :2].T, color=color, lw=1.0, alpha=0.75)
        axes.add_patch(plt.Circle(ways[0, i, :2], RADIUS, fc="none", ec=color, lw=0.8, ls=":", zorder=3))
        axes.add_patch(plt.Circle(ways[-1, i, :2], RADIUS, fc=color, ec="black", lw=0.6, zorder=4))
    axes.set(aspect="equal", xlim=(-1.36, 1.36), ylim=(-0.72, 0.72))
    axes.set_axis_off()
    axes.set_title(f"{SECONDS:g} seconds, {len(states) - 2} contacts")
    figure.savefig(path, dpi=100)


def main():
    """Break, and say what happened."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--picture", type=Path, metavar="PNG", help="write a picture; needs matplotlib")
    options = parser.parse_args()
    places = rack()
    velocities = np.zeros_like(places)
    velocities[0] = 7.0, 0.0, 0.0
    cushions = table()
    scene = fc.Scene({f"ball {i}": fc.Sphere(RADIUS) for i in range(len(places))} | cushions)
    scene.ignore_group(*cushions)
    energy = np.sum(velocities**2)

    states, events = play(scene, places, velocities)
    for time, a, b in events[:3]:
        print(f"{time:.6f} s: {a} and {b}")
    among = [time for time, _, b in events if b not in cushions]
    waits = np.diff([time for time, _, _ in events])
    print(f"{len(events)} contacts in {SECONDS:g} s, {len(among)} of two balls")
    print(f"between two contacts: {1e3 * waits.min():.4f} to {1e3 * waits.max():.1f} ms")
    print(f"energy at the end, over that of the start: 1 {np.sum(velocities**2) / energy - 1:+.0e}")
    assert abs(np.sum(velocities**2) / energy - 1) < 1e-12

    # By other means: at no event do two balls overlap.
    for at in states:
        gaps = np.linalg.norm(at[:, None] - at, axis=2) + np.diag(np.full(len(at), np.inf)) - 2 * RADIUS
        assert gaps.min() > 0
    if options.picture:
        draw(states, options.picture)


if __name__ == "__main__":
    main()
