"""A table of pairs of a robot's links that need not be looked at, as MoveIt's assistant makes it by samples.

Of random configurations each pair touches always, sometimes or never. What always touches overlaps by design,
and may: `robot.allow`. What never did is left out by the assistant, though a sample proves nothing: here the
gradient of the distance goes down from the nearest sample, and finds such pairs in contact after all.
"""

import argparse
import os
from pathlib import Path

import numpy as np

import firstcontact as fc

HERE = np.eye(3)
N_SAMPLES, STEPS = 1000, 200
ADJACENT, ALWAYS, SOMETIMES, NEVER, FOUND = range(5)
NAMES = "adjacent", "always", "sometimes", "never", "never in samples, found by descent"


def arm():
    """An arm whose thick shoulder is in the cuff of its upper arm, and whose hand may reach far back."""
    names = ["base", "turret", "upper", "lower", "wrist", "hand"]
    shapes = [
        fc.Cylinder(0.12, 0.2).at((HERE, [0, 0, 0.1])),
        fc.Sphere(0.13),
        fc.Capsule(0.06, 0.36).at((HERE, [0, 0, 0.18])),
        fc.Capsule(0.05, 0.3).at((HERE, [0, 0, 0.15])),
        fc.Sphere(0.06),
        fc.Box([0.04, 0.14, 0.12]).at((HERE, [0, 0, 0.1])),
    ]
    joints = [
        fc.Joint(f"joint {i}", "revolute", *names[i : i + 2], (HERE, [0, 0, z]), axis, (-2.4, 2.4))
        for i, (z, axis) in enumerate(
            zip(
                (0.3, 0.0, 0.36, 0.34, 0.0),
                ([0, 0, 1], [0, 1, 0], [0, 1, 0], [0, 0, 1], [0, 1, 0]),
                strict=True,
            )
        )
    ]
    joints.append(fc.Joint("screws", "fixed", "upper", "cuff"))
    cuff = fc.Cylinder(0.08, 0.1).at((HERE, [0, 0, 0.14]))
    return fc.Robot(dict(zip(names, shapes, strict=True)) | {"cuff": cuff}, joints)


def sampled(robot, n):
    """How each pair of links is, by n samples: a table (m, m), and the nearest configuration of each pair."""
    q = robot.sample(n, seed=1)
    found = fc.near(robot.at(q), within=10.0, self_contact=True)
    links, nearest = robot.link_names, {}
    table = np.full((len(links), len(links)), ADJACENT)
    a, b = np.array(found.a), np.array(found.b)
    for one, other in robot.self_pairs:
        its = np.flatnonzero(((a == one) & (b == other)) | ((a == other) & (b == one)))
        touches = found.distance[its] <= 0.0
        kind = ALWAYS if touches.all() else SOMETIMES if touches.any() else NEVER
        i, j = links.index(one), links.index(other)
        table[i, j] = table[j, i] = kind
        nearest[one, other] = q[found.rows[its[np.argmin(found.distance[its])]]]
    return table, nearest


def lowest(robot, pair, q):
    """The least distance of a pair that gradients lead to from a configuration, within the limits."""
    low, high, least = *robot.limits.T, np.inf
    for k in range(STEPS):
        found = fc.near(robot.at(q), within=10.0, self_contact=True)
        (i,) = (i for i, names in enumerate(zip(found.a, found.b, strict=True)) if set(names) == set(pair))
        least = min(least, found.distance[i])
        if least <= 0.0:
            break
        slope = found.gradient[i]
        step = 0.1 * 0.98**k / max(np.linalg.norm(slope), 1e-9)
        q = np.clip(q - step * slope, low, high)
    return least


def draw(robot, table, file):
    """Write a picture: the robot, and the table."""
    from matplotlib import pyplot as plt
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch

    colors = ["0.85", "tab:blue", "gold", "palegreen", "tab:red"]
    figure = plt.figure(figsize=(10.5, 4.8), layout="constrained")
    view = figure.add_subplot(1, 2, 1, projection="3d", elev=20, azim=-60)
    fc.plot({"arm": robot.compound(np.array([0.4, 0.9, 1.6, 0.0, 0.6])).at(np.eye(4))}, ax=view, title="")
    view.get_legend().remove()
    axes = figure.add_subplot(1, 2, 2)
    axes.imshow(table, cmap=ListedColormap(colors), vmin=0, vmax=len(colors) - 1)
    ticks = range(len(robot.link_names))
    axes.set_xticks(ticks, robot.link_names, rotation=45)
    axes.set_yticks(ticks, robot.link_names)
    handles = [Patch(color=color, label=name) for color, name in zip(colors, NAMES, strict=True)]
    axes.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=2, frameon=False)
    figure.savefig(file, dpi=100)


def main():
    """Make the table, doubt it, and give the robot what is certain of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--picture", type=Path, metavar="PNG", help="write a picture; needs matplotlib")
    options = parser.parse_args()
    robot, n = arm(), 200 if "QUICK" in os.environ else N_SAMPLES
    links = robot.link_names
    table, nearest = sampled(robot, n)
    pairs = {pair: tuple(links.index(name) for name in pair) for pair in robot.self_pairs}
    for kind in (ALWAYS, SOMETIMES, NEVER):
        those = [" and ".join(pair) for pair, at in pairs.items() if table[at] == kind]
        print(f"{NAMES[kind]}, of {n} samples: {', '.join(those)}")
    for pair, (i, j) in pairs.items():
        if table[i, j] == NEVER:
            least = lowest(robot, pair, nearest[pair])
            if least <= 0.0:
                table[i, j] = table[j, i] = FOUND
            print(
                f"{' and '.join(pair)}: {'in contact' if least <= 0.0 else f'{least:.3f} apart'} by descent"
            )
    allowed = robot
    for pair, at in pairs.items():
        allowed = allowed.allow(*pair) if table[at] == ALWAYS else allowed
    stretched = np.zeros(robot.dof)
    before, after = (bool(fc.intersects(one.at(stretched), self_contact=True)) for one in (robot, allowed))
    print(f"the stretched arm touches itself: {before}, and with what always does allowed: {after}")
    assert allowed.allowed_pairs == robot.learn_allowed_pairs(n, seed=1).allowed_pairs
    if options.picture:
        draw(robot, table, options.picture)


if __name__ == "__main__":
    main()
