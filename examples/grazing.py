"""A bar turns over a tip and grazes it: three methods differ, and algebra decides.

Shows `path="quaternion"`, and `method=` of `first_contacts`. With a coarse tolerance no method tells a time
that is late, but each another one: it may stop as soon as the two are within the tolerance, whether they
touch later or just pass. On such a path all coordinates are fractions of polynomials, and algebra tells the
contact to the last bit, or that there is none.
"""

import argparse
from pathlib import Path

import numpy as np

import firstcontact as fc

TOLERANCE = 0.02
METHODS = "c2a", "interval", "c2a-2009"
HEIGHTS = np.linspace(0.36, 0.42, 25)
SHOWN = 0.4  # the height that is looked at closely
HERE = np.eye(3)


def turned(angle):
    """A rotation about an axis that leans a little."""
    x, y, z = np.array([0.2, 1.0, 0.1]) / np.linalg.norm([0.2, 1.0, 0.1])
    across = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return HERE + np.sin(angle) * across + (1 - np.cos(angle)) * across @ across


def bar():
    """A bar that goes to the right and turns by 149 degrees, the quaternion straight from end to end."""
    ends = (turned(0.3), [-1.5, 0.1, 1.0]), (turned(2.9), [1.5, -0.1, 1.0])
    return fc.Box([1.6, 0.3, 0.2]).mesh.moving(*ends, path="quaternion")


def tip(heights):
    """A pyramid with its tip at a height, or at each of some."""
    corners = [[0, 0, 0], [0.3, 0.2, -0.6], [-0.3, 0.2, -0.6], [0, -0.3, -0.6]]
    pyramid = fc.Mesh(corners, [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]])
    places = np.multiply.outer(heights, [0.0, 0.0, 1.0])
    return pyramid.at((HERE, places))


def draw(moving, told, truth, path):
    """Write a picture: the bar over the tip; the distance as it passes; and what is told for each height."""
    from matplotlib import pyplot as plt
    from matplotlib.patches import Polygon
    from scipy.spatial import ConvexHull

    figure, axes = plt.subplot_mosaic(
        [["side", "near"], ["side", "told"]], figsize=(10.5, 5.2), layout="constrained"
    )
    colors = dict(zip(METHODS, ("C0", "C1", "C2"), strict=True))

    side = axes["side"]
    for t in np.linspace(0, 1, 13):
        corners = moving.vertices(float(t))[:, [0, 2]]
        outline = corners[ConvexHull(corners).vertices]
        side.add_patch(Polygon(outline, facecolor="C7", edgecolor="0.35", alpha=0.25))
    side.add_patch(Polygon([[0, SHOWN], [0.3, SHOWN - 0.6], [-0.3, SHOWN - 0.6]], facecolor="#e0a458"))
    side.set(xlim=(-2.4, 2.4), ylim=(-0.3, 2.0), aspect="equal", title="the bar on its way, from the side")

    near, times = axes["near"], np.linspace(0.3, 0.42, 241)
    poses = np.array([moving.pose(float(t)) for t in times])
    near.plot(times, fc.distance(moving.shape.at(poses), tip(SHOWN)).distance, color="0.2")
    near.axhspan(0, TOLERANCE, color="0.9")
    chosen = int(np.argmin(np.abs(HEIGHTS - SHOWN)))
    for method, found in told.items():
        near.axvline(found.time[chosen], color=colors[method], label=method)
    near.axvline(truth.time[chosen], color="k", linestyle="--", label="algebraic")
    near.set(xlim=(0.3, 0.42), ylim=(0, 0.08), title=f"the tip at {SHOWN}", xlabel="time", ylabel="distance")
    near.legend(loc="upper right", fontsize=8)

    for method, found in told.items():
        axes["told"].plot(HEIGHTS, found.time, ".", color=colors[method])
    axes["told"].plot(HEIGHTS, truth.time, "k--")
    first = HEIGHTS[np.isfinite(truth.time)].min()
    axes["told"].axvspan(HEIGHTS[0], first, color="0.95")
    axes["told"].text(0.3605, 0.382, "no contact, says algebra", fontsize=9)
    axes["told"].set(
        xlim=HEIGHTS[[0, -1]], ylim=(0.315, 0.39), xlabel="height of the tip", ylabel="time told"
    )
    for one in axes.values():
        one.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=90)


def main():
    """Ask all methods about all heights, and algebra as the referee."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--picture", type=Path, metavar="PNG", help="write a picture; needs matplotlib")
    options = parser.parse_args()
    moving = bar()
    told = {m: fc.first_contacts(moving, tip(HEIGHTS), method=m, tolerance=TOLERANCE) for m in METHODS}
    truth = fc.first_contacts(moving, tip(HEIGHTS), method="algebraic")

    print("height  " + "".join(f"{method:>10}" for method in METHODS) + "   algebraic")
    for k in range(0, len(HEIGHTS), 2):
        times = "".join(f"{found.time[k]:10.4f}" for found in told.values())
        print(f"{HEIGHTS[k]:6.3f}  {times}  {truth.time[k]:.15f}")
    for method, found in told.items():
        assert (found.time <= truth.time).all()  # never late, however coarse
        n_passed = int((found.hit & ~truth.hit).sum())
        print(f"{method}: within {TOLERANCE} at {n_passed} heights at which nothing touches")
    finer = fc.first_contacts(moving, tip(HEIGHTS), tolerance=1e-9)
    assert (finer.time <= truth.time).all()
    print(f"c2a, tolerance 1e-9: {int((finer.hit & ~truth.hit).sum())} such heights")
    if options.picture:
        draw(moving, told, truth, options.picture)


if __name__ == "__main__":
    main()
