"""Pull a path out of a table: SciPy's SLSQP moves the waypoints, and no contact between them is missed.

Every pair that comes near on any segment of the path is a constraint: its least distance over the whole
segment, with the derivatives by both ends. In the end the path is proven to be free.
"""

import argparse
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

import firstcontact as fc

HERE = np.eye(3)

# Waypoints between both ends, the distance to keep, and how near a pair has to come to matter.
N_INNER, KEPT, WITHIN = 4, 0.02, 0.15

# How often what is near is looked for anew, and the steps of each time.
ROUNDS, STEPS = 6, 20


def arm() -> fc.Robot:
    """An arm of three bones that turns about the vertical, and bends."""
    bone = fc.Capsule(0.05, 0.4).at((HERE, [0, 0, 0.2]))
    names, axes = ["base", "upper", "lower", "hand"], ([0, 0, 1], [0, 1, 0], [0, 1, 0])
    joints = [
        fc.Joint(f"joint {i}", "revolute", names[i], names[i + 1], (HERE, [0, 0, 0.4 * (i > 1)]), axis)
        for i, axis in enumerate(axes)
    ]
    return fc.Robot({"base": (), "upper": (), "lower": bone, "hand": bone}, joints)


def pulled(robot: fc.Robot, path: np.ndarray, world: dict[str, fc.Moving]) -> np.ndarray:
    """Give a short path between the same ends, all of which keeps a distance."""
    first, last = path[0], path[-1]

    def whole(x: np.ndarray) -> np.ndarray:
        return np.concatenate([[first], x.reshape(-1, robot.dof), [last]])

    def length(x: np.ndarray) -> tuple[float, np.ndarray]:
        steps = np.diff(whole(x), axis=0)
        return float((steps**2).sum()), 2.0 * (steps[:-1] - steps[1:]).reshape(-1)

    x = path[1:-1].reshape(-1)
    for _ in range(ROUNDS):
        here = whole(x)
        found = fc.near(robot.moving(here[:-1], here[1:]), world, within=WITHIN, tolerance=1e-3)
        slopes = np.zeros((len(found), len(here), robot.dof))
        rows = np.arange(len(found))
        slopes[rows, found.rows] += found.gradient[:, 0]
        slopes[rows, found.rows + 1] += found.gradient[:, 1]
        slopes = np.nan_to_num(slopes[:, 1:-1]).reshape(len(found), -1)
        gaps, at = found.distance_lower - KEPT, x.copy()
        # Half a step of a bone at the most: farther out, what is near has changed.
        reach = [(value - 0.4, value + 0.4) for value in x]
        straight = {
            "type": "ineq",
            "fun": lambda y, gaps=gaps, slopes=slopes, at=at: gaps + slopes @ (y - at),
            "jac": lambda y, slopes=slopes: slopes,
        }
        options = {"maxiter": STEPS}
        x = minimize(
            length, x, jac=True, method="SLSQP", bounds=reach, constraints=[straight], options=options
        ).x
    return whole(x)


def draw(robot: fc.Robot, ways: dict[str, np.ndarray], world: dict[str, fc.Moving], path: Path) -> None:
    """Write a picture: the arm on its way, and how far from the table it is, before and after."""
    from matplotlib import pyplot as plt

    figure = plt.figure(figsize=(10.5, 4.8), layout="constrained")
    view = figure.add_subplot(1, 2, 1, projection="3d", elev=25, azim=-30)
    below = figure.add_subplot(1, 2, 2, title="signed distance from the table", xlabel="time")
    middle = robot.compound(robot.along(ways["pulled"]).motion.configuration(0.5))
    fc.plot(world | {"arm": middle.at(np.eye(4))}, ax=view, title="")
    times = np.linspace(0.0, 1.0, 201)
    for label, way in ways.items():
        motion = robot.along(way).motion
        q = np.array([motion.configuration(t) for t in times])
        hands = robot.link_poses(q)["hand"] @ [0.0, 0.0, 0.4, 1.0]
        view.plot(*hands.T[:3], zorder=10)
        below.plot(times, fc.near(robot.at(q), world, within=9.0).least(), label=label)
    below.axhline(0.0, color="0.5", linewidth=1)
    below.spines[["top", "right"]].set_visible(False)
    below.legend(frameon=False)
    figure.savefig(path, dpi=100)


def main() -> None:
    """Pull the path, and prove it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--picture", type=Path, metavar="PNG", help="write a picture; needs matplotlib")
    options = parser.parse_args()
    robot = arm()
    world = {"table": fc.Box([0.5, 0.3, 0.5]).at((HERE, [0.55, 0, 0.1]))}
    ends = np.array([[-1.2, 1.5, 0.3], [1.2, 1.5, 0.3]])
    straight = np.linspace(ends[0], ends[1], N_INNER + 2)
    ways = {"straight": straight, "pulled": pulled(robot, straight, world)}
    for name, way in ways.items():
        found = fc.near(robot.moving(way[:-1], way[1:]), world, within=1.0, tolerance=1e-3)
        print(f"{name}: {found.distance.min():.3f} from the table where it is nearest, or deepest")
    way = robot.along(ways["pulled"])
    proof = fc.first_contact(way, world).certificate
    print(f"free: {fc.is_free(way, world)}, proven: {bool(proof.verify())}")
    if options.picture:
        draw(robot, ways, world, options.picture)


if __name__ == "__main__":
    main()
