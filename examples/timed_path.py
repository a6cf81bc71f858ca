"""An arm's path is timed by TOPP-RA, and checked as it is driven: a box on a belt comes by meanwhile.

Where the path goes does not say when: what stands still is met or not by any timing, and what moves is not.
TOPP-RA finds the fastest timing within the joints' limits; what it gives is a spline of SciPy's, which
`robot.along` follows, with the box as far as it gets in the same seconds. Needs `toppra`.
"""

import argparse
import importlib.util
from pathlib import Path

import numpy as np
from scipy.interpolate import CubicSpline

import firstcontact as fc

HERE = np.eye(3)
WAYPOINTS = np.array([[-1.2, 0.9, 0.9], [-0.4, 1.2, 0.8], [0.5, 1.2, 0.7], [1.2, 0.9, 1.0]])
BELT = 0.5  # metres a second
BOX, FROM = fc.Box([0.2, 0.2, 0.25]), np.array([0.75, -1.2, 0.125])
ACCELERATIONS = 6.0  # radians a second, each second


def arm():
    """Three joints: a waist, a shoulder and an elbow."""
    bone = fc.Capsule(0.05, 0.4).at((HERE, [0, 0, 0.2]))
    return fc.Robot(
        {"base": (), "turret": (), "upper": bone, "lower": bone},
        [
            fc.Joint("waist", "revolute", "base", "turret", axis=[0, 0, 1]),
            fc.Joint("shoulder", "revolute", "turret", "upper", (HERE, [0, 0, 0.3]), [0, 1, 0]),
            fc.Joint("elbow", "revolute", "upper", "lower", (HERE, [0, 0, 0.45]), [0, 1, 0]),
        ],
    )


def timed(speed):
    """The fastest way along the path with joints no quicker than that: a spline over seconds."""
    from toppra import SplineInterpolator, algorithm, constraint, setup_logging

    setup_logging("ERROR")
    path = SplineInterpolator(np.linspace(0.0, 1.0, len(WAYPOINTS)), WAYPOINTS)
    limits = np.array([[-1.0, 1.0]] * WAYPOINTS.shape[1])
    rules = [
        constraint.JointVelocityConstraint(speed * limits),
        constraint.JointAccelerationConstraint(ACCELERATIONS * limits),
    ]
    found = algorithm.TOPPRA(rules, path, parametrizer="ParametrizeSpline").compute_trajectory()
    seconds = np.linspace(0.0, found.duration, 101)
    return CubicSpline(seconds, found(seconds), bc_type="clamped")


def asked(robot, spline):
    """The arm on its way, and the belt's box over the same seconds."""
    seconds = spline.x[-1]
    box = BOX.moving((HERE, FROM), velocity=[0.0, BELT * seconds, 0.0])
    return robot.along(spline), {"box": box}


def draw(robot, ways, file):
    """Write a picture: the arm where it meets the box, and how far apart they are, by seconds."""
    from matplotlib import pyplot as plt

    figure = plt.figure(figsize=(10.5, 4.8), layout="constrained")
    view = figure.add_subplot(1, 2, 1, projection="3d", elev=25, azim=-60)
    axes = figure.add_subplot(1, 2, 2, xlabel="seconds", ylabel="metres", title="distance to the box")
    for speed, spline in ways.items():
        way, world = asked(robot, spline)
        profile = fc.clearance(way, world).profile(201)
        axes.plot(spline.x[-1] * profile.times, profile.distances, label=f"at most {speed:g} rad/s")
        found = fc.first_contact(way, world)
        if found:
            then, place = way.motion.configuration(found.time), world["box"].pose(found.time)
            shown = {"arm": robot.compound(then).at(np.eye(4)), "box": BOX.at(place)}
            fc.plot(shown, ax=view, title=f"at most {speed:g} rad/s: contact")
            view.get_legend().remove()
    axes.set(xlim=(0, None), ylim=(0, None))
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    figure.savefig(file, dpi=100)


def main():
    """Time the same path by several limits, and check each as it is driven."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--picture", type=Path, metavar="PNG", help="write a picture; needs matplotlib")
    options = parser.parse_args()
    if importlib.util.find_spec("toppra") is None:
        print("TOPP-RA is missing, which times the path: python -m pip install toppra")
        return
    robot, ways = arm(), {}
    for speed in (0.5, 1.0, 2.0, 3.0):
        spline = ways[speed] = timed(speed)
        way, world = asked(robot, spline)
        found = fc.first_contact(way, world)
        said = f"{spline.x[-1]:.2f} s, "
        if found:
            said += f"{found.a} meets the box after {found.time * spline.x[-1]:.2f} s"
        else:
            near = fc.clearance(way, world)
            said += (
                f"never nearer than {near.distance_lower:.3f} m, verified: {bool(found.certificate.verify())}"
            )
        print(f"at most {speed:g} rad/s: {said}")
    if options.picture:
        draw(robot, ways, options.picture)


if __name__ == "__main__":
    main()
