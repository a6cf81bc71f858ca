"""How much room has a sofa, wherever one puts it?

Shows `distance` and `penetration` of a batch of poses: one call for each piece of furniture gives the
distance of all places at once, and where they overlap the depth tells how far the sofa has to be moved. With
the depth taken as negative the two make a map: it is positive where the sofa can stand.
"""

import argparse
from pathlib import Path
from time import perf_counter

import numpy as np
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

import firstcontact as fc

SOFA = fc.Box([1.7, 0.7, 0.7])
ROOM = 6.0, 4.0


def furniture():
    """Walls, a column, a table and a piano in a room of 6 by 4 metres, seen from above."""
    upright = np.eye(3)
    rim = np.linspace(0, 2 * np.pi, 5, endpoint=False)
    table = np.stack([0.65 * np.cos(rim), 0.65 * np.sin(rim)], axis=1)
    table = np.concatenate([np.insert(table, 2, z, axis=1) for z in (-0.4, 0.4)])
    turned = Rotation.from_euler("z", 25, degrees=True)
    return {
        "column": fc.Cylinder(0.25, 3).at((upright, [2.0, 2.6, 0])),
        "table": fc.ConvexHull(table).at((upright, [4.2, 1.4, 0])),
        "piano": fc.Box([1.4, 0.6, 1.2]).at((turned, [1.2, 0.7, 0])),
        "shelf": fc.Box([0.4, 1.3, 2]).at((upright, [5.75, 3.2, 0])),
        "west wall": fc.Box([1, 6, 3]).at((upright, [-0.5, 2, 0])),
        "east wall": fc.Box([1, 6, 3]).at((upright, [6.5, 2, 0])),
        "south wall": fc.Box([8, 1, 3]).at((upright, [3, -0.5, 0])),
        "north wall": fc.Box([8, 1, 3]).at((upright, [3, 4.5, 0])),
    }


def clearance(poses, things):
    """Distance of the sofa to the nearest thing in each pose; negative where it is inside one."""
    sofa, least = SOFA.at(poses), np.full(len(poses), np.inf)
    for thing in things.values():
        gap = fc.distance(sofa, thing).distance
        overlaps = gap == 0
        gap[overlaps] = -fc.penetration(SOFA.at(poses[overlaps]), thing).depth
        least = np.minimum(least, gap)
    return least


def poses_at(places, angle):
    """The sofa at each place, turned by an angle."""
    poses = np.tile(np.eye(4), (len(places), 1, 1))
    poses[:, :3, :3] = Rotation.from_euler("z", angle).as_matrix()
    poses[:, :2, 3] = places
    return poses


def draw(x, y, maps, things, shown, path):
    """Write the maps: along one direction, and with the best turn at each place, with sofas that fit."""
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(11, 4), layout="constrained", sharey=True)
    levels = np.linspace(-0.7, 0.7, 29)
    for ax, (title, values) in zip(axes, maps.items(), strict=True):
        colors = ax.contourf(x, y, values.T, levels, cmap="RdBu", extend="both")
        ax.contour(x, y, values.T, [0.0], colors="black", linewidths=1.5)
        for thing in things.values():
            ax.fill(*outline(thing.shape, thing.pose(0)), fc="0.35", ec="white")
        for pose in shown[title]:
            ax.fill(*outline(SOFA, pose), fc="none", ec="black", lw=1.2, ls="--")
        ax.set(xlim=(0, ROOM[0]), ylim=(0, ROOM[1]), aspect="equal", title=title)
        ax.set_axis_off()
    figure.colorbar(colors, ax=axes, label="room around the sofa, metres", shrink=0.9)
    figure.savefig(path, dpi=100)


def outline(shape, pose):
    """Outline of a convex shape, seen from above: (2, n)."""
    seen = (shape.mesh.vertices @ pose[:3, :3].T + pose[:3, 3])[:, :2]
    return seen[ConvexHull(seen).vertices].T


def main():
    """Draw the maps, and tell where there is most room."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--picture", type=Path, metavar="PNG", help="write a picture; needs matplotlib")
    options = parser.parse_args()
    things = furniture()
    x, y = np.linspace(0, ROOM[0], 91), np.linspace(0, ROOM[1], 61)
    places = np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1).reshape(-1, 2)
    clearance(poses_at(places[:2], 0.0), things)  # compiles, before the clock starts

    began = perf_counter()
    angles = np.linspace(0, np.pi, 36, endpoint=False)
    rooms = np.stack([clearance(poses_at(places, angle), things) for angle in angles])
    seconds = perf_counter() - began
    print(f"{rooms.size * len(things):,} pairs of a sofa and a thing measured in {seconds:.2f} s")

    fits = rooms >= 0
    straight, turned = fits[0].mean(), fits.any(axis=0).mean()
    print(f"it fits at {straight:.0%} of the places along the room, at {turned:.0%} if it is turned")
    turn, place = np.unravel_index(np.argmax(rooms), rooms.shape)
    best = poses_at(places[[place]], angles[turn])
    print(f"most room, {rooms.max():.2f} m, is at {places[place].round(2)}")
    assert not any(fc.intersects(SOFA.at(best), thing)[0] for thing in things.values())

    # Where it does not fit, the depth and its direction, from a to b, say how to part the two.
    found = fc.penetration(SOFA.at((np.eye(3), [4.1, 2.2, 0])), things["table"])
    print(f"at [4.1 2.2] it goes {found.depth:.2f} m into the table, along {found.direction.round(2)}")
    assert found.is_overlapping
    if options.picture:
        maps = {"along the room": rooms[0], "turned as is best": rooms.max(axis=0)}
        shown = {"along the room": poses_at(places[[np.argmax(rooms[0])]], 0.0), "turned as is best": best}
        draw(x, y, {k: m.reshape(len(x), len(y)) for k, m in maps.items()}, things, shown, options.picture)


if __name__ == "__main__":
    main()
