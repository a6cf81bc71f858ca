"""An arm follows a smooth path over a bench: how near does it come, and when does it touch?

Shows a spline of configurations, the clearance of the whole path with both ends proven, the times at which
the arm touches something and is free again, and the way on which it does not.
"""

import argparse
from pathlib import Path

import numpy as np
from scipy.interpolate import CubicSpline

import firstcontact as fc

HERE = np.eye(3)
TIMES = [0.0, 0.35, 0.7, 1.0]
LOW = np.array([[-1.4, 0.9, 0.9], [-0.45, 1.3, 0.8], [0.6, 1.05, 0.6], [1.4, 0.8, 1.1]])
BENCH = {
    "bench": fc.Box([0.6, 1.6, 0.06]).at((HERE, [0.75, 0, -0.03])),
    "vise": fc.Box([0.16, 0.12, 0.14]).at((HERE, [0.7, -0.3, 0.07])),
    "lamp": fc.Capsule(0.03, 0.5).at((HERE, [0.72, 0.4, 0.28])),
}


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
        name="arm",
    )


def path(robot, lift):
    """A spline through waypoints, those in between with the shoulder and the elbow lifted."""
    points = LOW - np.outer([0, 1, 1, 0], [0, lift, 0.5 * lift])
    return robot.along(CubicSpline(TIMES, points, bc_type="clamped"))


def draw(low, spans, high, file):
    """Write a picture: the arm where it touches first, and the distance along both ways."""
    from matplotlib import pyplot as plt

    figure = plt.figure(figsize=(10.5, 4.8), layout="constrained")
    axes = figure.add_subplot(1, 2, 1, projection="3d", elev=25, azim=-50)
    touch, what = float(spans.touch[0, 0]), f"{spans.a[0]} and {spans.b[0]}"
    fc.plot(low.things, ax=axes, time=touch, title=f"{what} touch at t = {touch:.3f}", ghosts=False)
    axes = figure.add_subplot(1, 2, 2)
    axes.plot(*low.profile(201), label="the low way")
    axes.plot(*high.profile(201), label="the high way")
    axes.axhline(high.distance_lower, color="C1", linestyle=":", label="proven of the high way")
    for touch, part in zip(spans.touch[:, 0], spans.part[:, 1], strict=True):
        axes.axvspan(touch, part, color="C3", alpha=0.2)
    axes.set(xlabel="t", ylabel="distance", title="distance along both ways; contacts are shaded")
    axes.legend()
    figure.savefig(file, dpi=100)


def main():
    """Ask about a low way, and then lift it until it keeps a distance."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--picture", type=Path, metavar="PNG", help="write a picture; needs matplotlib")
    options = parser.parse_args()
    robot = arm()
    low = fc.clearance(path(robot, 0.0), BENCH)
    spans = fc.contact_intervals(path(robot, 0.0), BENCH, tolerance=1e-5)
    for (touch, _), (_, part), a, b in zip(spans.touch, spans.part, spans.a, spans.b, strict=True):
        print(f"{a} touches {b} from t = {touch:.4f} on, and is free again by {part:.4f}")
    print(f"contact is proven within each: {spans.is_proven.all()}")
    lift, high = 0.0, low
    while high.distance_lower < 0.05:
        lift += 0.05
        high = fc.clearance(path(robot, lift), BENCH)
    print(
        f"lifted by {lift:.2f} rad, nothing is ever nearer than {high.distance_lower:.4f} m: that is proven"
    )
    print(f"the {high.a} comes nearest to the {high.b}, at t = {high.time:.3f}: {high.distance:.4f} m")
    if options.picture:
        draw(low, spans, high, options.picture)


if __name__ == "__main__":
    main()
