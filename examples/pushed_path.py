"""A path is pushed away from obstacles by gradients, until it keeps its distance, which is proven.

Shows the gradient of a distance with respect to a pose, an optimiser of SciPy that follows it, and a
clearance that proves what the optimiser only sampled.
"""

import argparse
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

import firstcontact as fc

PART = fc.Box([0.5, 0.2, 0.1])
ROCKS = [((0.9, 0.15, 0.0), 0.3), ((1.9, -0.25, 0.1), 0.35), ((2.6, 0.35, 0.0), 0.25)]
START, END = np.array([0.0, 0.0, 0.0]), np.array([3.5, 0.0, 0.0])
N_POINTS, WANTED = 16, 0.1


def obstacles():
    """A few balls in the way."""
    return [fc.Sphere(radius).at((np.eye(3), place)) for place, radius in ROCKS]


def path_of(x):
    """Waypoints from the start to the end, (n + 2, 3)."""
    return np.concatenate([[START], x.reshape(-1, 3), [END]])


def poses(points):
    """The part, unturned, at each waypoint and halfway between."""
    middles = 0.5 * (points[1:] + points[:-1])
    return np.concatenate([points, middles])


def cost(x):
    """How bent the path is, and how much it lacks of the distance wanted; and the gradient of both."""
    points = path_of(x)
    bends = np.diff(points, 2, axis=0)
    value, slope = 20 * np.sum(bends**2), np.zeros_like(points)
    slope[:-2] += 40 * bends
    slope[1:-1] -= 80 * bends
    slope[2:] += 40 * bends
    places = poses(points)
    for rock in obstacles():
        near = fc.distance(PART.at((np.tile(np.eye(3), (len(places), 1, 1)), places)), rock)
        lack = np.maximum(1.5 * WANTED - near.distance, 0.0)
        # Where they touch there is no gradient: away from the middle of the rock.
        away = places - np.array(rock.pose(0)[:3, 3])
        away /= np.linalg.norm(away, axis=1, keepdims=True)
        push = np.where(near.distance[:, None] > 0, near.gradient[:, 0, :3], away)
        lack = np.where(near.distance > 0, lack, 1.5 * WANTED + 0.1)
        value += 50 * np.sum(lack**2)
        force = -100 * lack[:, None] * push
        slope += force[: len(points)]
        slope[1:] += 0.5 * force[len(points) :]
        slope[:-1] += 0.5 * force[len(points) :]
    return value, slope[1:-1].ravel()


def draw(before, after, path):
    """Write a picture: both paths among the rocks, and how far the part is from them on the way."""
    from matplotlib import pyplot as plt

    figure = plt.figure(figsize=(10.5, 4.8), layout="constrained")
    top = figure.add_subplot(1, 2, 1, projection="3d", elev=35, azim=-70)
    rocks = {f"rock {k}": rock for k, rock in enumerate(obstacles())}
    fc.plot(rocks | {"part": PART.at((np.eye(3), after[0][6]))}, ax=top, title="")
    below = figure.add_subplot(1, 2, 2, title="distance to the nearest rock", xlabel="time")
    for label, (points, clearances) in {"straight": before, "pushed": after}.items():
        top.plot(*points.T, "o-", markersize=3, zorder=10)
        profiles = [found.profile(201) for found in clearances]
        below.plot(profiles[0].times, np.min([one.distances for one in profiles], axis=0), label=label)
    below.axhline(WANTED, color="0.5", linestyle="--", linewidth=1)
    below.set(xlim=(0, 1), ylim=(0, None))
    below.spines[["top", "right"]].set_visible(False)
    below.legend(frameon=False)
    figure.savefig(path, dpi=100)


def clearances_of(points):
    """Clearances from all rocks of the part on its way."""
    moving = PART.along((np.tile(np.eye(3), (len(points), 1, 1)), points))
    return [fc.clearance(moving, rock) for rock in obstacles()]


def main():
    """Push a straight path away from the rocks, and prove what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--picture", type=Path, metavar="PNG", help="write a picture; needs matplotlib")
    options = parser.parse_args()
    straight = np.linspace(START, END, N_POINTS + 2)
    before = straight, clearances_of(straight)
    n_hit = sum(one.distance == 0 for one in before[1])
    print(f"straight on, the part touches {n_hit} of {len(ROCKS)} rocks")
    found = minimize(cost, straight[1:-1].ravel(), jac=True, method="L-BFGS-B", options={"maxiter": 300})
    pushed = path_of(found.x)
    after = pushed, clearances_of(pushed)
    least = min(one.distance_lower for one in after[1])
    print(f"pushed in {found.nit} steps, it keeps {least:.4f} from all of them at all times: that is proven")
    assert least > WANTED
    if options.picture:
        draw(before, after, options.picture)


if __name__ == "__main__":
    main()
