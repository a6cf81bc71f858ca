"""A hammer is thrown over a wall: does it clear it, by how much, and where does it come down?

Shows a motion under constant acceleration that spins as it flies, proven free over the wall, the least
distance on the way, many throws at once, and what samples of the flight miss.
"""

import argparse
from pathlib import Path

import numpy as np
import trimesh

import firstcontact as fc

HERE = np.eye(3)
SECONDS = 1.2  # of the flight: t = 1 is then
GRAVITY = np.array([0, 0, -9.81])
SPIN = np.array([0, 2.5, 0])  # turns a second, about y


def hammer():
    """Handle along x, head at its end."""
    handle = trimesh.creation.cylinder(0.03, segment=[[-0.5, 0, 0], [0.45, 0, 0]])
    head = trimesh.creation.box([0.12, 0.12, 0.4])
    head.apply_translation([0.5, 0, 0])
    return fc.Mesh.from_trimesh(trimesh.util.concatenate([handle, head]))


def thrown(tool, velocity):
    """Throw it from the origin: lengths in metres, rates in whole flights."""
    return tool.moving(
        np.eye(4),
        velocity=np.asarray(velocity) * SECONDS,
        angular_velocity=2 * np.pi * SPIN * SECONDS,
        acceleration=GRAVITY * SECONDS**2,
    )


def draw(flight, world, hit, path):
    """Write a picture: the hammer all along its flight."""
    from matplotlib import pyplot as plt

    figure = plt.figure(figsize=(10.5, 4.4))
    axes = figure.add_axes((-0.25, -0.65, 1.5, 2.1), projection="3d", elev=7, azim=-90, proj_type="ortho")
    shape = flight.shape
    moments = np.linspace(0, hit.time, 13)
    along = {f"{t:.2f}": shape.at(flight.pose(t)) for t in moments}
    fc.plot(along | world, ax=axes, title="", ghosts=False)
    if axes.get_legend():
        axes.get_legend().remove()
    axes.set_axis_off()
    figure.savefig(path, dpi=100)


def main():
    """Throw one hammer, and then a thousand."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--picture", type=Path, metavar="PNG", help="write a picture; needs matplotlib")
    options = parser.parse_args()
    tool = hammer()
    wall = fc.Box([0.2, 2, 1.2]).at((HERE, [2.5, 0, 0]))
    ground = fc.Box([7, 2, 0.2]).at((HERE, [2.5, 0, -1.2]))

    flight = thrown(tool, [4.2, 0, 5.0])
    assert fc.is_free(flight, wall)
    near = fc.clearance(flight, wall)
    print(f"over the wall, never nearer than {near.distance_lower:.3f} m, at {near.time * SECONDS:.3f} s")

    hit = fc.first_contact(flight, ground)
    print(f"on the ground after {hit.time * SECONDS:.6f} s, {hit.points[0, 0]:.2f} m away")
    gap = fc.distance(tool.at(flight.pose(hit.time)), ground).distance
    assert gap < 2e-6

    # A lower throw just clips the wall with its head. Samples of the flight, 15 a second, miss some.
    speeds = np.stack([np.full(1000, 4.2), np.zeros(1000), np.linspace(4.0, 5.0, 1000)], axis=1)
    found = fc.first_contacts(thrown(tool, speeds), wall)
    frames = np.linspace(0, 1, int(15 * SECONDS) + 1)
    flights = thrown(tool, speeds)
    seen = np.any([fc.intersects(tool.at(flights.pose(t)), wall) for t in frames], axis=0)
    print(
        f"{found.hit.sum()} of 1000 throws hit the wall, {np.sum(found.hit & ~seen)} of them unseen at 15 Hz"
    )
    assert not np.any(seen & ~found.hit)

    if options.picture:
        draw(flight, {"wall": wall, "ground": ground}, hit, options.picture)


if __name__ == "__main__":
    main()
