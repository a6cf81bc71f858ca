"""An arm lifts a tube over a wall: is its path free, of the arm and of what it holds?

Shows a robot made of shapes, a path through waypoints, what touches first along it, a path that is free with
a certificate of it, and how near it comes to things on the way.
"""

import argparse
from pathlib import Path

import numpy as np

import firstcontact as fc

HERE = np.eye(3)
SHOULDER, UPPER, LOWER, HAND = 0.35, 0.5, 0.45, 0.12  # heights and lengths, in metres


def arm():
    """A waist, a shoulder, an elbow and a wrist; with all angles 0 it is stretched upwards."""
    links = {
        "base": fc.Cylinder(0.12, 0.24).at((HERE, [0, 0, 0.12])),
        "turret": fc.Capsule(0.08, 0.08).at((HERE, [0, 0, SHOULDER - 0.02])),
        "upper arm": fc.Capsule(0.06, UPPER - 0.1).at((HERE, [0, 0, UPPER / 2])),
        "lower arm": fc.Capsule(0.05, LOWER - 0.1).at((HERE, [0, 0, LOWER / 2])),
        "hand": fc.Box([0.1, 0.06, 0.06]).at((HERE, [0, 0, HAND - 0.03])),
    }
    joints = [
        fc.Joint("waist", "revolute", "base", "turret", axis=[0, 0, 1], limits=(-3, 3)),
        fc.Joint("shoulder", "revolute", "turret", "upper arm", (HERE, [0, 0, SHOULDER]), [0, 1, 0]),
        fc.Joint("elbow", "revolute", "upper arm", "lower arm", (HERE, [0, 0, UPPER]), [0, 1, 0]),
        fc.Joint("wrist", "revolute", "lower arm", "hand", (HERE, [0, 0, LOWER]), [0, 1, 0]),
    ]
    return fc.Robot(links, joints)


def reaching(waist, x, z):
    """Angles that bring the hand, pointing down, to a distance x from the axis and a height z."""
    up = z + HAND - SHOULDER
    far = np.hypot(x, up)
    elbow = np.arccos((far**2 - UPPER**2 - LOWER**2) / (2 * UPPER * LOWER))
    shoulder = np.arctan2(x, up) - np.arctan2(LOWER * np.sin(elbow), UPPER + LOWER * np.cos(elbow))
    return [waist, shoulder, elbow, np.pi - shoulder - elbow]


def path_over(height):
    """From one side of the wall to the other: up to a height, across, and down."""
    corners = (-0.8, 0.22), (-0.8, height), (0.8, height), (0.8, 0.22)
    return [reaching(waist, 0.6, z) for waist, z in corners]


def draw(hit, clearances, path):
    """Write a picture: the first contact, and the distances along the paths."""
    from matplotlib import pyplot as plt

    figure = plt.figure(figsize=(10.5, 4.8), layout="constrained")
    axes = figure.add_subplot(1, 2, 1, projection="3d", elev=25, azim=35)
    fc.plot(hit, ax=axes)
    axes = figure.add_subplot(1, 2, 2, title="distance to the wall", xlabel="time", ylabel="m")
    for label, (times, gaps) in clearances.items():
        axes.plot(times, gaps, label=label)
    axes.set(xlim=(0, 1), ylim=(0, None))
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    figure.savefig(path, dpi=100)


def main():
    """Ask about the path with and without the tube, and find a height that is free."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--picture", type=Path, metavar="PNG", help="write a picture; needs matplotlib")
    options = parser.parse_args()
    robot = arm()
    tube = fc.Cylinder(0.03, 0.2)
    loaded = robot.attach("hand", tube, (HERE, [0, 0, HAND + 0.1]), name="tube")
    scene = fc.Scene(
        table=fc.Box([1.1, 1.2, 0.04]).at((HERE, [0.35, 0, -0.03])),  # the base does not touch it
        wall=fc.Box([0.5, 0.02, 0.4]).at((HERE, [0.62, 0, 0.2])),
    )

    # A path is straight lines between configurations; the answer is about all of it, not about samples.
    low, high = path_over(0.5), path_over(0.65)
    print("over 0.50, the arm alone is free:", fc.is_free(robot.along(low), scene, self_contact=True))
    hit = fc.first_contact(loaded.along(low), scene, self_contact=True)
    print(f"over 0.50, the {hit.a} meets the {hit.b} at t = {hit.time:.6f}, in {hit.points[0].round(3)}")

    # The proof that a path is free lists intervals of time, each with a bound that holds all through it.
    found = fc.first_contact(loaded.along(high), scene, self_contact=True, min_separation=0.005)
    proof = found.certificate
    print(f"over 0.65, {'contact' if found else 'free'}, with 5 mm kept: {len(proof)} intervals prove it")
    assert hit
    assert not found
    assert proof.verify()

    clearances = {}
    times = np.linspace(0, 1, 401)
    for height, way in ((0.5, low), (0.65, high)):
        motion = loaded.along(way).motion
        nearest = fc.distance(loaded.at([motion.configuration(t) for t in times]), scene["wall"])
        clearances[f"over {height:.2f}"] = times, nearest.distance
    i = int(np.argmin(nearest.distance))
    print(f"over 0.65, it is nearest to the wall at t = {times[i]:.2f}: {nearest.distance[i]:.3f} m")
    if options.picture:
        draw(hit, clearances, options.picture)


if __name__ == "__main__":
    main()
