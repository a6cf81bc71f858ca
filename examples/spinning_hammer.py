"""A spinning hammer strikes an anvil between two frames that both look free.

Shows what a check of the frames misses, the first contact of two rigid bodies with what touches there, many
motions at once, and how far a body may go with a distance kept.
"""

import argparse
from pathlib import Path

import numpy as np
import trimesh

import firstcontact as fc

A_TURN = 2 * np.pi


def hammer():
    """Handle along x, head at its end."""
    handle = trimesh.creation.cylinder(0.03, segment=[[-0.5, 0, 0], [0.45, 0, 0]])
    head = trimesh.creation.box([0.12, 0.12, 0.4])
    head.apply_translation([0.5, 0, 0])
    return fc.Mesh.from_trimesh(trimesh.util.concatenate([handle, head]))


def at(x, y, z):
    """Pose at a place, not turned."""
    pose = np.eye(4)
    pose[:3, 3] = x, y, z
    return pose


def main():
    """Swing the hammer, and say what it hits, when and where."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--picture", type=Path, metavar="PNG", help="write a picture; needs matplotlib")
    options = parser.parse_args()
    tool = hammer()
    anvil = fc.Mesh.from_trimesh(trimesh.creation.box([0.5, 0.3, 0.3])).at(at(0.5, -0.6, 0))

    # One turn about the end of the handle in one step: both frames are the same, and free.
    swing = tool.moving(np.eye(4), center=[-0.5, 0, 0], angular_velocity=[0, 0, -A_TURN])
    frames = [fc.intersects(tool.at(swing.pose(t)), anvil) for t in (0.0, 1.0)]
    print(f"the frames alone: contact {frames[0]} and {frames[1]}")
    assert not any(frames)

    hit = fc.first_contact(swing, anvil)
    gap = fc.distance(tool.at(swing.pose(hit.time)), anvil).distance
    print(f"over the step: contact at t = {hit.time:.6f}, at a gap of {gap:.1e}")
    for point, normal, (kind, of_a, of_b) in zip(hit.points, hit.normals, hit.features, strict=True):
        name = fc.ContactKind(kind).name
        print(f"  {name} {of_a}, {of_b} at {point.round(3)}, from a to b {normal.round(3) + 0.0}")
    assert hit.time < hit.time_upper < 0.25

    # The same swing from a thousand places: one call, all threads.
    places = np.random.default_rng(0).uniform(-1.5, 1.5, (1000, 3))
    starts = np.array([at(*place) for place in places])
    swings = tool.moving(starts, center=[-0.5, 0, 0], angular_velocity=[0, 0, -A_TURN])
    found = fc.first_contacts(swings, anvil)
    at_start = np.count_nonzero(found.status == fc.Status.CONTACT_AT_START)
    print(f"{len(found)} swings: {found.hit.sum()} hit, {at_start} of them from the start")

    careful = fc.safe_step(swing, anvil, min_separation=0.05)
    print(f"keeping 0.05 away, it may go to t = {careful:.6f}")
    assert careful < hit.time

    if options.picture:
        from matplotlib import pyplot as plt

        axes = plt.figure(figsize=(6.4, 6.4)).add_axes((0, 0, 1, 0.94), projection="3d", elev=28, azim=35)
        fc.plot(hit, ax=axes, names={"a": "hammer", "b": "anvil"})
        axes.figure.savefig(options.picture, dpi=100)


if __name__ == "__main__":
    main()
