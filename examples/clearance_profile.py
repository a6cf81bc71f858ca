"""An arm swings past a shelf: how near does it come, and which link to what?

Shows the clearance of a robot's path with both ends proven, its profile over time, and which of a thousand
paths keeps the most room.
"""

import argparse
import time
from pathlib import Path

import numpy as np

import firstcontact as fc

HERE = np.eye(3)
MIDDLE = [0.0, 0.1, 1.3, 0.9]
START, END = np.array([-1.2, 0.9, 1.0, 0.4]), np.array([1.2, 0.7, 1.2, 0.2])


def arm():
    """Four joints: a waist, a shoulder, an elbow and a wrist."""
    bone = fc.Capsule(0.05, 0.35).at((HERE, [0, 0, 0.2]))
    links = {"base": fc.Cylinder(0.1, 0.2).at((HERE, [0, 0, -0.1])), "turret": ()}
    links |= {
        "upper arm": bone,
        "lower arm": bone,
        "hand": fc.Box([0.08, 0.08, 0.16]).at((HERE, [0, 0, 0.08])),
    }
    return fc.Robot(
        links,
        [
            fc.Joint("waist", "revolute", "base", "turret", axis=[0, 0, 1]),
            fc.Joint("shoulder", "revolute", "turret", "upper arm", (HERE, [0, 0, 0.1]), [0, 1, 0]),
            fc.Joint("elbow", "revolute", "upper arm", "lower arm", (HERE, [0, 0, 0.42]), [0, 1, 0]),
            fc.Joint("wrist", "revolute", "lower arm", "hand", (HERE, [0, 0, 0.42]), [0, 1, 0]),
        ],
        name="arm",
    )


SHELF = {
    "board": fc.Box([0.3, 1.2, 0.02]).at((HERE, [0.95, 0, 0.55])),
    "post": fc.Box([0.04, 0.04, 1.0]).at((HERE, [0.75, 0.25, 0.0])),
    "jar": fc.Cylinder(0.06, 0.2).mesh.at((HERE, [0.9, -0.2, 0.66])),
}


def draw(found, best, path):
    """Write a picture: where the arm is nearest, and the profiles of the first path and the best one."""
    from matplotlib import pyplot as plt

    figure = plt.figure(figsize=(10.5, 4.8), layout="constrained")
    axes = figure.add_subplot(1, 2, 1, projection="3d", elev=25, azim=-60)
    fc.plot(found.things, ax=axes, time=found.time, title=f"nearest: {found.a} and {found.b}", ghosts=False)
    axes = figure.add_subplot(1, 2, 2)
    fc.plot(found, ax=axes, title="distance along the path, and along the best of a thousand")
    axes.plot(*best.profile(201), color="C2")
    figure.savefig(path, dpi=100)


def main():
    """Ask about one path, and then about a thousand that swing around it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--picture", type=Path, metavar="PNG", help="write a picture; needs matplotlib")
    options = parser.parse_args()
    robot, rng = arm(), np.random.default_rng(0)
    found = fc.clearance(robot.along([START, MIDDLE, END]), SHELF)
    print(f"the {found.a} comes nearest to the {found.b}, at t = {found.time:.3f}: {found.distance:.4f} m")
    print(f"and nothing is ever nearer than {found.distance_lower:.4f} m: that is proven")

    # A thousand ways from the first waypoint to the last, through one in between that is drawn at random.
    began = time.perf_counter()
    ways = [
        robot.along([START, middle, END]) for middle in rng.uniform(-0.5, 1.5, (1000, 4)) * [0.5, 1, 1, 1]
    ]
    least = np.array([fc.clearance(way, SHELF).distance_lower for way in ways])
    best = fc.clearance(ways[int(least.argmax())], SHELF)
    print(f"the best of 1,000 ways keeps {best.distance_lower:.4f} m; {np.sum(least > 0)} are free")
    print(f"1,000 clearances in {time.perf_counter() - began:.2f} s")
    if options.picture:
        draw(found, best, options.picture)


if __name__ == "__main__":
    main()
