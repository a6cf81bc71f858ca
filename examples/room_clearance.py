"""How wide is the way through a furnished room? A map of clearance, from a distance field.

Shows `DistanceField` of many parts at once, asked a million times: the least distance over all heights of a
round robot says where it can stand. Then `plot` draws a slice of the field as it is.
"""

import argparse
from pathlib import Path
from time import perf_counter

import numpy as np
from scipy import ndimage

import firstcontact as fc

ROOM = 5.0, 4.0  # metres
RADIUS, HEIGHT = 0.17, 0.09  # of a robot that cleans the floor
TOLERANCE = 0.02


def box(low, high):
    """A box between two corners, as vertices and faces."""
    low, high = np.array(low, float), np.array(high, float)
    mesh = fc.Box(high - low).mesh
    return mesh.vertices + (low + high) / 2, mesh.faces


def on_legs(x, y, width, depth, top, thickness=0.05, leg=0.05):
    """A top on four legs, a hair above them: parts may not touch."""
    parts = [box([x, y, top - thickness], [x + width, y + depth, top])]
    for i in (0, 1):
        for j in (0, 1):
            a, b = x + i * (width - leg), y + j * (depth - leg)
            parts.append(box([a, b, 0.0], [a + leg, b + leg, top - thickness - 0.01]))
    return parts


def furniture():
    """All that stands in the room, and its walls, as one mesh."""
    w, d = ROOM
    parts = [
        box([-0.2, -0.2, -0.1], [w + 0.2, -0.01, 0.6]),
        box([-0.2, d + 0.01, -0.1], [w + 0.2, d + 0.2, 0.6]),
        box([-0.2, 0.0, -0.1], [-0.01, d, 0.6]),
        box([w + 0.01, 0.0, -0.1], [w + 0.2, d, 0.6]),
        box([0.05, 2.5, 0.0], [0.55, 3.9, 0.6]),  # a shelf
        box([3.4, 3.1, 0.12], [4.9, 3.95, 0.55]),  # a sofa, on feet
        *(box([x, y, 0.0], [x + 0.06, y + 0.06, 0.11]) for x in (3.45, 4.79) for y in (3.15, 3.84)),
        box([0.3, 0.25, 0.0], [1.5, 0.85, 0.5]),  # a chest
        *on_legs(2.3, 1.1, 1.4, 0.9, 0.58),  # a table, and its chairs
        *on_legs(2.45, 0.35, 0.4, 0.42, 0.42),
        *on_legs(3.1, 0.3, 0.4, 0.42, 0.42),
        *on_legs(2.75, 2.15, 0.4, 0.42, 0.42),
        *on_legs(1.75, 1.3, 0.4, 0.42, 0.42),
    ]
    starts = np.cumsum([0] + [len(vertices) for vertices, _ in parts])
    faces = [faces + start for (_, faces), start in zip(parts, starts, strict=False)]
    return fc.Mesh(np.concatenate([vertices for vertices, _ in parts]), np.concatenate(faces))


def clearance(field, x, y):
    """Least distance to anything at the heights of the robot, at each place."""
    places = np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1).reshape(-1, 2)
    heights = np.arange(0.01, HEIGHT, 0.01)
    least = np.full(len(places), np.inf)
    for z in heights:
        least = np.minimum(least, field(np.insert(places, 2, z, axis=1)))
    return least.reshape(len(x), len(y)), len(heights) * len(places)


def draw(field, x, y, least, reached, path):
    """Write the map, and a slice of the field at the height of a chair's seat."""
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(11.5, 4.2), layout="constrained")
    fc.plot(field, plane="z=0.4", ax=axes[0], title="distances at the height of a seat")
    axes[0].set(xlim=(0, ROOM[0]), ylim=(0, ROOM[1]))
    colors = axes[1].contourf(x, y, least.T, np.linspace(0, 0.6, 13), cmap="YlGnBu", extend="max")
    axes[1].contourf(x, y, (least < 0).T, [0.5, 1.5], colors="0.25")
    axes[1].contour(x, y, reached.T, [0.5], colors="#d1495b", linewidths=1.8)
    axes[1].set(xlim=(0, ROOM[0]), ylim=(0, ROOM[1]), aspect="equal")
    axes[1].set_title("room around the robot; red: where its middle can get to", fontsize="medium")
    figure.colorbar(colors, ax=axes[1], label="metres", shrink=0.85)
    figure.savefig(path, dpi=95)


def main():
    """Draw the map, and tell where the robot gets to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--picture", type=Path, metavar="PNG", help="write a picture; needs matplotlib")
    options = parser.parse_args()
    room = furniture()
    fc.DistanceField.of(fc.Box([1, 1, 1]).mesh, tolerance=0.2)  # compiles, before the clock starts
    began = perf_counter()
    field = fc.DistanceField.of(room, tolerance=TOLERANCE, margin=0.01)
    print(f"{field.n_cells:,} cells of {room.n_faces} triangles in {perf_counter() - began:.1f} s")

    x, y = np.linspace(0, ROOM[0], 501), np.linspace(0, ROOM[1], 401)
    began = perf_counter()
    least, n = clearance(field, x, y)
    print(f"{n:,} distances in {perf_counter() - began:.2f} s, each within {TOLERANCE} m")

    # What the field calls wide enough is so, with the tolerance taken off; heights in between are no farther
    # than half a step away.
    fits = least - TOLERANCE - 0.005 >= RADIUS
    parts, n_parts = ndimage.label(fits)
    dock = parts[np.searchsorted(x, 4.6), np.searchsorted(y, 0.4)]
    reached = parts == dock
    floor = (least > 0).mean()
    print(f"{floor:.0%} of the floor is free; it fits at {fits.mean():.0%} of it, in {n_parts} parts")
    print(f"from its dock it gets to {reached.mean():.0%}")
    assert dock > 0

    # The proof of one place: the robot itself, in the middle of the widest spot that it gets to.
    i, j = np.unravel_index(np.argmax(np.where(reached, least, -1)), least.shape)
    robot = fc.Cylinder(RADIUS, HEIGHT).at((np.eye(3), [x[i], y[j], HEIGHT / 2]))
    gap = fc.distance(robot, room).distance
    print(f"most room, {least[i, j]:.2f} m, is at [{x[i]:.2f} {y[j]:.2f}]; the robot has {gap:.2f} m there")
    assert gap >= least[i, j] - RADIUS - TOLERANCE - 0.005
    if options.picture:
        draw(field, x, y, least, reached, options.picture)


if __name__ == "__main__":
    main()
