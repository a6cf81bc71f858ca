"""A way to find contacts from the textbooks: sweep, look whether the sweep is hit, and go back in time.

Shows what is lost by that, and what is not. Capsules around the links of an arm are swept: where nothing
meets their mesh, nothing meets the arm, which `swept_volume` proves. Where something does, steps back in time
look for the contact, as the survey of Maslov (2012) tells it: a step can be over a thin thing.
`first_contact` misses none.
"""

import argparse
from pathlib import Path
from time import perf_counter

import numpy as np

import firstcontact as fc

STEPS = 24


def arm():
    """An arm with two hinges and a thin blade."""
    up = np.eye(3)
    return fc.Robot(
        {"base": (), "upper": fc.Capsule(0.06, 0.6).at((up, [0.3, 0, 0])), "blade": fc.Box([0.6, 0.02, 0.1])},
        [
            fc.Joint("shoulder", "revolute", "base", "upper", axis=[0, 0, 1]),
            fc.Joint("elbow", "revolute", "upper", "blade", (up, [0.9, 0, 0]), axis=[0, 0, 1]),
        ],
    )


def backtracked(moving, thing):
    """Time of contact by steps back from the last time at which it touches; inf where no step does."""
    robot, motion, found = moving.shape, moving.motion, np.inf
    for t in np.linspace(1.0, 0.0, STEPS + 1):
        if fc.intersects(robot.at(motion.configuration(float(t))), thing):
            found = float(t)
    return found


def draw(moving, sweep, things, times, path):
    """Write a picture: the sweep of capsules from above, the things, and the arm when it touches."""
    from matplotlib import pyplot as plt
    from matplotlib.collections import PolyCollection

    figure, axes = plt.subplots(figsize=(6.4, 4.2), layout="constrained")
    corners = sweep.mesh.vertices[sweep.mesh.faces][:, :, :2]
    axes.add_collection(PolyCollection(corners, facecolors="#cfe0f1", edgecolors="none"))
    robot = moving.shape
    for t, color in ((0.0, "#7f8fa6"), (times["wire"][1], "#c0392b"), (1.0, "#7f8fa6")):
        poses = robot.link_poses(moving.motion.configuration(t))
        for part in robot.parts:
            pose, body = poses[part.link] @ part.pose, part.shape.mesh
            placed = body.vertices @ pose[:3, :3].T + pose[:3, 3]
            axes.add_collection(
                PolyCollection(placed[body.faces][:, :, :2], facecolors=color, edgecolors="none")
            )
    for name, thing in things.items():
        x, y, _ = thing.pose(0.0)[:3, 3]
        axes.plot(x, y, "o", color="#e08e0b", markersize=4)
        axes.annotate(name, (x, y), xytext=(6, 4), textcoords="offset points")
    axes.set(
        aspect="equal", xlim=(-1.7, 1.7), ylim=(-0.6, 1.7), title="swept capsules, and the arm at the contact"
    )
    axes.set_axis_off()
    figure.savefig(path, dpi=90)


def main():
    """Ask about three things in both ways."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--picture", type=Path, metavar="PNG", help="write a picture; needs matplotlib")
    options = parser.parse_args()
    moving, here = arm().moving([0.0, 0.6], [2.8, -1.0]), np.eye(3)
    things = {
        "post": fc.Cylinder(0.08, 1.0).at((here, [0.2, 1.1, 0])),
        "wire": fc.Cylinder(0.004, 1.0).at((here, [0.97, 0.7, 0])),
        "wall": fc.Box([0.1, 0.1, 1.0]).at((here, [-1.5, -0.4, 0])),
    }
    began = perf_counter()
    sweep = fc.swept_volume(moving, 0.04, method="capsules")
    print(f"swept capsules: {len(sweep.faces):,} triangles, in {perf_counter() - began:.1f} s")
    times = {}
    for name, thing in things.items():
        is_hit = fc.intersects(sweep.mesh, thing, solid=True)
        times[name] = backtracked(moving, thing) if is_hit else np.inf, fc.first_contact(moving, thing).time
        steps, truth = times[name]
        told = f"steps back say {steps:.3f}" if is_hit else "outside of the sweep: free"
        print(f"{name}: {told}; first_contact {truth:.4f}")
        assert truth <= steps  # never late; and what is outside of the sweep is free
    assert times["wire"][0] == np.inf > times["wire"][1]
    if options.picture:
        draw(moving, sweep, things, times, options.picture)


if __name__ == "__main__":
    main()
