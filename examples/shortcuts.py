"""A path that wanders is made short by shortcuts, each proven to be free from end to end, many in one call.

Shows `is_free` of a batch of straight lines between any two places of a path, and the certificate of what is
left in the end. Samples along a shortcut would miss the thin plate.
"""

import argparse
from pathlib import Path

import numpy as np

import firstcontact as fc

HERE = np.eye(3)
BENCH = {
    "bench": fc.Box([0.6, 1.6, 0.06]).at((HERE, [0.75, 0, -0.03])),
    "plate": fc.Box([0.5, 0.004, 0.35]).at((HERE, [0.75, -0.25, 0.175])),
    "lamp": fc.Capsule(0.03, 0.5).at((HERE, [0.72, 0.4, 0.28])),
}
START, END = [-1.1, 1.2, 0.9], [1.1, 1.2, 0.9]
TRIES, ROUNDS = 64, 40


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


def wandering(robot, rng):
    """A free path from start to end, by a stretched arm: as a planner may find it, with many detours."""
    path = [np.array(START)]
    for goal in np.linspace([START[0], 0, 0.3], [END[0], 0, 0.3], 30):
        step = goal + 0.3 * rng.normal(size=3)
        if fc.is_free(robot.moving(path[-1], step), BENCH):
            path.append(step)
    assert fc.is_free(robot.moving(path[-1], END), BENCH)
    return np.array([*path, END])


def length(path):
    """How far all joints go, in radians."""
    return np.linalg.norm(np.diff(path, axis=0), axis=1).sum()


def place(path, s):
    """The configuration at a part of the path's length, and the number of the segment that it is on."""
    passed = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1))])
    at = s * passed[-1]
    k = min(int(np.searchsorted(passed, at, side="right")) - 1, len(path) - 2)
    return path[k] + (at - passed[k]) / (passed[k + 1] - passed[k]) * (path[k + 1] - path[k]), k


def shortened(robot, path, rng):
    """The path with the best of many shortcuts, again and again; and the length after each round."""
    lengths = [length(path)]
    for _ in range(ROUNDS):
        ends = [[place(path, s) for s in np.sort(pair)] for pair in rng.random((TRIES, 2))]
        lines = np.array([[q for q, _ in pair] for pair in ends])
        found = [
            np.concatenate([path[: first + 1], line, path[last + 1 :]])
            for line, ((_, first), (_, last)) in zip(lines, ends, strict=True)
        ]
        is_free = fc.is_free(robot.moving(lines[:, 0], lines[:, 1]), BENCH)
        path = min([path, *(one for one, free in zip(found, is_free, strict=True) if free)], key=length)
        lengths.append(length(path))
    return path, lengths


def draw(robot, ways, lengths, file):
    """Write a picture: the tip along both paths, and the length round by round."""
    from matplotlib import pyplot as plt

    figure = plt.figure(figsize=(10.5, 4.8), layout="constrained")
    view = figure.add_subplot(1, 2, 1, projection="3d", elev=30, azim=-50)
    standing = robot.compound(ways["shortened"][len(ways["shortened"]) // 2]).at(np.eye(4))
    fc.plot(BENCH | {"arm": standing}, ax=view, title="")
    view.get_legend().remove()
    for (name, way), color in zip(ways.items(), ("0.5", "tab:red"), strict=True):
        q = np.array([place(way, s)[0] for s in np.linspace(0, 1, 200)])
        tips = robot.link_poses(q)["lower"] @ [0, 0, 0.4, 1]
        view.plot(*tips.T[:3], zorder=10, color=color, label=name)
    axes = figure.add_subplot(1, 2, 2, xlabel="round", ylabel="length in radians", title="length of the path")
    axes.plot(lengths, color="tab:red")
    axes.set(xlim=(0, None), yscale="log", yticks=[2, 5, 10, 20], yticklabels=["2", "5", "10", "20"])
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(file, dpi=100)


def main():
    """Wander, shorten, prove."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--picture", type=Path, metavar="PNG", help="write a picture; needs matplotlib")
    options = parser.parse_args()
    robot, rng = arm(), np.random.default_rng(3)
    found = fc.first_contact(robot.moving(START, END), BENCH)
    print(f"straight on, {found.a} meets {found.b} at t = {found.time:.3f}")
    path = wandering(robot, rng)
    way, lengths = shortened(robot, path, rng)
    for name, one in (("wandering", path), ("shortened", way)):
        print(f"{name}: {len(one)} waypoints, {length(one):.2f} rad")
    proof = fc.first_contact(robot.along(way), BENCH).certificate
    print(f"certificate: {len(proof)} intervals, verified: {bool(proof.verify())}")
    if options.picture:
        draw(robot, {"wandering": path, "shortened": way}, lengths, options.picture)


if __name__ == "__main__":
    main()
