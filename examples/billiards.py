"""A break at billiards, from event to event: no time step is too large, and no contact is missed.

Shows a simulation that jumps. `Scene.next_contact` tells who touches next, when and where, on a queue that is
kept; `advance` lets all go on up to there, the two exchange their speeds along the normal by `set`, and the
question is asked again. Steps are as long as nothing happens, and the energy stays as it was.
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


def play(scene, names, cushions):
    """Go from contact to contact; return where all balls are at each, and when, who touched."""
    states, events = [places_of(scene, names)], []
    while event := scene.next_contact(until=SECONDS):
        scene.advance(event.time)
        (one, other), normal = event.velocities, event.normal
        closing = ((one - other) @ normal) * normal
        if event.b in cushions:
            scene.set(event.a, velocity=one - 2 * closing)
        else:  # two balls exchange their speeds along the normal
            scene.set([event.a, event.b], velocity=[one - closing, other + closing])
        events.append((event.time, event.a, event.b))
        states.append(places_of(scene, names))
    scene.advance(SECONDS)
    return [*states, places_of(scene, names)], events


def places_of(scene, names):
    """Where the balls are now."""
    return np.array([scene[name].motion.pose(0.0)[:3, 3] for name in names])


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
    cushions, names = table(), [f"ball {i}" for i in range(16)]
    balls = {
        name: fc.Sphere(RADIUS).at((np.eye(3), place)) for name, place in zip(names, rack(), strict=True)
    }
    scene = fc.Scene(balls | cushions)
    scene.ignore_group(*cushions)
    scene.set(names[0], velocity=[7.0, 0.0, 0.0])

    states, events = play(scene, names, cushions)
    energy = sum(np.sum(scene[name].motion.velocities ** 2) for name in names) / 7.0**2
    for time, a, b in events[:3]:
        print(f"{time:.6f} s: {a} and {b}")
    among = [time for time, _, b in events if b not in cushions]
    waits = np.diff([time for time, _, _ in events])
    print(f"{len(events)} contacts in {SECONDS:g} s, {len(among)} of two balls")
    print(f"between two contacts: {1e3 * waits.min():.4f} to {1e3 * waits.max():.1f} ms")
    print(f"energy at the end, over that of the start: 1 {energy - 1:+.0e}")
    assert abs(energy - 1) < 1e-12

    # By other means: at no event do two balls overlap.
    for at in states:
        gaps = np.linalg.norm(at[:, None] - at, axis=2) + np.diag(np.full(len(at), np.inf)) - 2 * RADIUS
        assert gaps.min() > 0
    if options.picture:
        draw(states, options.picture)


if __name__ == "__main__":
    main()
