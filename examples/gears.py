"""How near may the axes of two gears be, and how much play have they then?

Shows the plane: polygons with a hole that turn together. `clearance` of a batch tells the gap between the
teeth for many distances of the axes at once, all while a tooth goes through; `is_free` proves the one that
is chosen. What one gear can turn until it meets the other is its play: two calls of `first_contact`. And
gears that are put too near are in each other: `penetration` tells the shortest way out.
"""

import argparse
import os
from pathlib import Path

import numpy as np

import firstcontact as fc

TEETH = 18, 30
PRESSURE = np.radians(20)
NOMINAL = sum(TEETH) / 2  # distance of the axes in modules: pitch circles touch


def gear(n_teeth, n_points):
    """Involute teeth of module 1, with some points on each flank, around a bore of six corners."""
    pitch, base = n_teeth / 2, n_teeth / 2 * np.cos(PRESSURE)
    radii = np.linspace(max(base, pitch - 1.25), pitch + 1, n_points)
    unrolled = np.arccos(base / radii)
    half = np.pi / (2 * n_teeth) + np.tan(PRESSURE) - PRESSURE - np.tan(unrolled) + unrolled
    radii, half = np.append(pitch - 1.25, radii), np.append(half[0], half)  # a straight foot below
    angles, radii = np.concatenate([-half, half[::-1]]), np.concatenate([radii, radii[::-1]])
    tooth = np.arange(n_teeth)[:, np.newaxis] * 2 * np.pi / n_teeth
    outline = on_circle((tooth + angles).ravel(), np.tile(radii, n_teeth))
    return fc.Polygon(outline, [on_circle(np.arange(6) * np.pi / 3, 0.4 * pitch)])


def on_circle(angles, radii):
    """Points at angles on a circle, or on circles."""
    return np.stack([radii * np.cos(angles), radii * np.sin(angles)], axis=1)


def turning(gears, distances):
    """Both gears while one tooth goes through, for each distance of their axes."""
    one, other = gears
    pitches = [2 * np.pi / n for n in TEETH]
    places = np.stack([distances, np.zeros_like(distances)], axis=-1)
    facing = np.full(np.shape(distances), np.pi + pitches[1] / 2)  # a gap where the other has a tooth
    return (
        one.moving((0.0, [0, 0]), angular_velocity=pitches[0]),
        other.moving((facing, places), angular_velocity=-pitches[1]),
    )


def play(gears, distance):
    """Let the first gear turn either way until it meets the second, which holds still; both contacts."""
    one, other = gears
    held = turning(gears, distance)[1].pose(0)
    return [
        fc.first_contact(one.moving((0.0, [0, 0]), angular_velocity=speed), other.at(held))
        for speed in (0.1, -0.1)
    ]


def draw(hit, distances, gaps, chosen, path):
    """Write a picture: the contact at the end of the play, and gaps against the distance of the axes."""
    from matplotlib import pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained", width_ratios=(3, 2))
    names = {"a": "turns", "b": "is held"}
    fc.plot(hit, ax=left, names=names, title="where the play of the first ends", ghosts=False)
    x, y = hit.points[0]
    left.set(xlim=(x - 6, x + 8), ylim=(y - 4, y + 5))
    right.plot(distances, gaps, color="#4c78a8")
    right.axvline(chosen, color="#d1495b", linestyle="--", linewidth=1)
    right.set(xlabel="distance of the axes", ylabel="least gap while a tooth goes through", ylim=(0, None))
    figure.savefig(path, dpi=100)


def main():
    """Find how near the axes may be, the play there, and the way out of where they are too near."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--picture", type=Path, metavar="PNG", help="write a picture; needs matplotlib")
    options = parser.parse_args()
    n_points, n_distances = (3, 5) if "QUICK" in os.environ else (6, 31)
    gears = [gear(n, n_points) for n in TEETH]
    print(
        f"gears of {gears[0].n_vertices} and {gears[1].n_vertices} points, axes {NOMINAL:g} apart by the book"
    )

    distances = NOMINAL + np.linspace(-0.05, 0.25, n_distances)
    gaps = fc.clearance(*turning(gears, distances)).distance_lower
    chosen = distances[np.argmax(gaps > 0.02)]
    assert fc.is_free(*turning(gears, chosen), min_separation=0.02)
    print(f"with axes {chosen:.2f} apart, teeth keep 0.02 from each other all the way: proven")

    hits = play(gears, chosen)
    left, right = (0.1 * np.degrees(hit.time) for hit in hits)
    print(f"there the first can turn {left:.3f} degrees to the left and {right:.3f} to the right")
    assert fc.distance(gears[0], gears[1].at(turning(gears, chosen)[1].pose(0))).distance >= 0.02

    near = turning(gears, NOMINAL - 0.3)[1].pose(0)
    deep = fc.penetration(gears[0], gears[1].at(near))
    print(
        f"0.3 too near they are {deep.depth:.3f} deep in each other; out is along {deep.direction.round(2)}"
    )
    out = near.copy()
    out[:2, 2] += (deep.depth + 1e-6) * deep.direction
    assert not fc.intersects(gears[0], gears[1].at(out))
    if options.picture:
        draw(hits[0], distances, gaps, chosen, options.picture)


if __name__ == "__main__":
    main()
