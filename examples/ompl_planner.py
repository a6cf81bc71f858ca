"""OMPL plans the way of an arm from one compartment of a shelf to another, with every edge proven to be free.

A planner of OMPL asks two things: is this configuration valid, and is this straight line? Usually the line
is looked at in samples, and a thin board between two of them is missed. Here `fc.is_free` answers, about
all of the line. OMPL's shortcuts ask the same, so the shorter way is proven, too. Needs `ompl`.
"""

import argparse
import importlib.util
import os
from pathlib import Path

import numpy as np

import firstcontact as fc

HERE = np.eye(3)
SHOULDER, UPPER, LOWER, HAND = 0.4, 0.45, 0.4, 0.14  # heights and lengths, in metres

# What every question has in common: the arm must not touch itself.
CAREFUL = {"self_contact": True}


def arm():
    """A waist, a shoulder, an elbow, a forearm that rolls, a wrist; with all angles 0 it is stretched up."""
    names = ["base", "turret", "upper", "lower", "forearm", "hand"]
    axes = {"x": [1, 0, 0], "y": [0, 1, 0], "z": [0, 0, 1]}
    shapes = [
        fc.Cylinder(0.1, 0.2).at((HERE, [0, 0, 0.1])),
        fc.Capsule(0.07, 0.08).at((HERE, [0, 0, SHOULDER - 0.04])),
        fc.Capsule(0.05, UPPER - 0.1).at((HERE, [0, 0, UPPER / 2])),
        fc.Capsule(0.04, 0.1).at((HERE, [0, 0, 0.1])),
        fc.Capsule(0.035, LOWER - 0.24).at((HERE, [0, 0, LOWER / 2 + 0.04])),
        fc.Box([0.04, 0.12, 0.1]).at((HERE, [0, 0, HAND - 0.05])),
    ]
    joints = [
        fc.Joint(f"joint {i}", "revolute", *names[i : i + 2], (HERE, [0, 0, z]), axes[axis], (-2.8, 2.8))
        for i, (z, axis) in enumerate(zip((0, SHOULDER, UPPER, 0, LOWER), "zyyzy", strict=True))
    ]
    return fc.Robot(dict(zip(names, shapes, strict=True)), joints)


def shelf():
    """Boards and walls, a centimetre thick, and a back: two rows of two compartments."""
    board, wall = fc.Box([0.3, 0.9, 0.01]), fc.Box([0.3, 0.01, 0.6])
    parts = {f"board {i}": board.at((HERE, [0.75, 0, z])) for i, z in enumerate((0.3, 0.6, 0.9))}
    parts |= {f"wall {i}": wall.at((HERE, [0.75, y, 0.6])) for i, y in enumerate((-0.45, 0.0, 0.45))}
    return fc.Scene(parts | {"back": fc.Box([0.01, 0.9, 0.6]).at((HERE, [0.9, 0, 0.6]))})


def reaching(y, z):
    """Angles that bring the tip of the hand, level, to a place in the shelf."""
    up, out = z - SHOULDER, np.hypot(0.75, y) - HAND
    far = np.hypot(out, up)
    elbow = np.arccos((far**2 - UPPER**2 - LOWER**2) / (2 * UPPER * LOWER))
    shoulder = np.arctan2(out, up) - np.arctan2(LOWER * np.sin(elbow), UPPER + LOWER * np.cos(elbow))
    return np.array([np.arctan2(y, 0.75), shoulder, elbow, 0, np.pi / 2 - shoulder - elbow])


def planner(robot, obstacles, is_proven):
    """OMPL's setup for the arm: lines are proven to be free, or looked at in samples, as OMPL does it."""
    from ompl import base, geometric

    class Validity(base.StateValidityChecker):
        def isValid(self, state):  # noqa: N802 (OMPL's name)
            return not fc.intersects(robot.at(numbers(state, robot)), obstacles, **CAREFUL)

    class Motions(base.MotionValidator):
        def checkMotion(self, start, end):  # noqa: N802 (OMPL's name)
            line = robot.moving(numbers(start, robot), numbers(end, robot))
            return fc.is_free(line, obstacles, **CAREFUL)

    space, bounds = base.RealVectorStateSpace(robot.dof), base.RealVectorBounds(robot.dof)
    for i, (low, high) in enumerate(robot.limits):
        bounds.setLow(i, low)
        bounds.setHigh(i, high)
    space.setBounds(bounds)
    setup = geometric.SimpleSetup(space)
    about = setup.getSpaceInformation()
    setup.setStateValidityChecker(Validity(about))
    if is_proven:
        about.setMotionValidator(Motions(about))
    setup.setPlanner(geometric.RRTConnect(about))
    return setup


def numbers(state, robot):
    """The angles of OMPL's state."""
    return np.array([state[i] for i in range(robot.dof)])


def planned(setup, robot, start, goal):
    """A way from start to goal, (n, dof); None where none is found within a minute."""
    states = []
    for angles in (start, goal):
        states.append(setup.getStateSpace().allocState())
        for i, angle in enumerate(angles):
            states[-1][i] = angle
    setup.setStartAndGoalStates(*states)
    setup.solve(60.0)
    return waypoints(setup, robot) if setup.haveExactSolutionPath() else None


def waypoints(setup, robot):
    """The way that OMPL has, (n, dof)."""
    return np.array([numbers(state, robot) for state in setup.getSolutionPath().getStates()])


def tree(setup, robot):
    """Both ends of all lines that the planner kept, (n, 2, dof)."""
    from ompl import base

    data = base.PlannerData(setup.getSpaceInformation())
    setup.getPlannerData(data)
    places = [numbers(data.getVertex(i).getState(), robot) for i in range(data.numVertices())]
    lines = [(places[i], places[j]) for i in range(len(places)) for j in data.getEdges(i)]
    return np.array(lines).reshape(-1, 2, robot.dof)


def length(way):
    """Length of a way through configurations, in radians."""
    return np.linalg.norm(np.diff(way, axis=0), axis=1).sum()


def draw(robot, obstacles, ways, path):
    """Write a picture: the arm on its way, and how far from the shelf it is, before shortcuts and after."""
    from matplotlib import pyplot as plt

    figure = plt.figure(figsize=(10.5, 4.8), layout="constrained")
    view = figure.add_subplot(1, 2, 1, projection="3d", elev=25, azim=-130)
    below = figure.add_subplot(1, 2, 2, title="distance to the shelf", xlabel="time", ylabel="mm")
    shown = robot.along(ways["shortened"]).motion
    parts = {name: obstacles[name] for name in obstacles if name != "back"}
    fc.plot(parts | {"arm": robot.compound(shown.configuration(0.8)).at(np.eye(4))}, ax=view, title="")
    view.get_legend().remove()
    times, colors = np.linspace(0.0, 1.0, 401), {"planned": "0.6", "shortened": "tab:red"}
    for label, way in ways.items():
        motion = robot.along(way).motion
        q = np.array([motion.configuration(t) for t in times])
        tips = robot.link_poses(q)["hand"] @ [0.0, 0.0, HAND, 1.0]
        view.plot(*tips.T[:3], zorder=10, color=colors[label])
        gaps = fc.distance(robot.at(q), obstacles).distance
        below.plot(times, 1e3 * gaps, label=label, color=colors[label])
    below.set(xlim=(0, 1), ylim=(0, None))
    below.spines[["top", "right"]].set_visible(False)
    below.legend(frameon=False)
    figure.savefig(path, dpi=100)


def main():
    """Plan with proofs, shorten the way, verify it; and see how often samples are wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--picture", type=Path, metavar="PNG", help="write a picture; needs matplotlib")
    options = parser.parse_args()
    if importlib.util.find_spec("ompl") is None:
        print("OMPL is missing, so there is nothing to plan with: python -m pip install ompl")
        return
    from ompl import util

    util.setLogLevel(util.LOG_ERROR)
    util.RNG.setSeed(1)
    robot, obstacles = arm(), shelf()
    start, goal = reaching(0.22, 0.45), reaching(-0.22, 0.75)
    direct = fc.first_contact(robot.moving(start, goal), obstacles, **CAREFUL)
    print(f"straight on, {direct.a} meets {direct.b} at t = {direct.time:.3f}")

    setup = planner(robot, obstacles, is_proven=True)
    ways = {"planned": planned(setup, robot, start, goal)}
    lines = tree(setup, robot)
    is_free = fc.is_free(robot.moving(lines[:, 0], lines[:, 1]), obstacles, **CAREFUL)
    assert is_free.all()
    setup.simplifySolution()
    ways["shortened"] = waypoints(setup, robot)
    print(f"planned: {len(lines)} lines in the trees, all proven to be free: {is_free.all()}")
    print(", ".join(f"{name}: {length(way):.2f} rad" for name, way in ways.items()))
    proof = fc.first_contact(robot.along(ways["shortened"]), obstacles, **CAREFUL).certificate
    print(f"certificate of the shortened way: {len(proof)} intervals, verified: {bool(proof.verify())}")

    n_plans = 5 if "QUICK" in os.environ else 100
    for is_proven, name in ((False, "samples"), (True, "proofs")):
        found = [planned(planner(robot, obstacles, is_proven), robot, start, goal) for _ in range(n_plans)]
        found = [way for way in found if way is not None]
        n_touch = sum(not fc.is_free(robot.along(way), obstacles, **CAREFUL) for way in found)
        print(f"of {len(found)} plans by {name}, {n_touch} touch something")
        assert not (is_proven and n_touch)
    if options.picture:
        draw(robot, obstacles, ways, options.picture)


if __name__ == "__main__":
    main()
