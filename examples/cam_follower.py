"""A cam lifts its follower: when do they touch, and when do they part?

Shows contact intervals of a turning cam and followers at several heights, each end with a bracket, and the
profile of the distance.
"""

import argparse
from pathlib import Path

import numpy as np

import firstcontact as fc

HERE = np.eye(3)
TURNS = 2  # in the time from 0 to 1
HEIGHTS = 1.1, 1.25, 1.4, 1.65


def cam():
    """A disc with a nose: the hull of a large circle and a small one, five millimetres thick."""
    angles = np.linspace(0, 2 * np.pi, 64, endpoint=False)
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    outline = np.concatenate([circle, 0.3 * circle + [1.2, 0]])
    return fc.ConvexHull([[x, y, z] for x, y in outline for z in (-0.2, 0.2)])


def draw(motion, answers, path):
    """Write a picture: the cam below a follower, and for each height when they touch."""
    from matplotlib import pyplot as plt

    figure = plt.figure(figsize=(10.5, 4.8), layout="constrained")
    axes = figure.add_subplot(1, 2, 1, projection="3d", elev=60, azim=-90)
    fc.plot({"cam": motion, "follower": follower(HEIGHTS[2])}, ax=axes, time=0.1, title="", ghosts=False)
    axes = figure.add_subplot(1, 2, 2, title="in contact", xlabel="time", ylabel="height of the follower")
    for height, (intervals, clearance) in answers.items():
        spans = [(touch[0], part[1] - touch[0]) for touch, part in intervals]
        axes.broken_barh(spans, (height - 0.03, 0.06), color="C1")
        times, distances = clearance.profile(201)
        axes.plot(times, height + 0.08 * distances, color="C0", linewidth=1)
    axes.set(xlim=(0, 1))
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=100)


def follower(height):
    """A roller above the cam."""
    return fc.Cylinder(0.2, 0.6).at((HERE, [0, height + 0.2, 0]))


def main():
    """Ask for each height when the cam touches, and how near it comes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--picture", type=Path, metavar="PNG", help="write a picture; needs matplotlib")
    options = parser.parse_args()
    turning = cam().moving(np.eye(4), angular_velocity=[0, 0, TURNS * 2 * np.pi], center=[0, 0, 0])
    answers = {}
    for height in HEIGHTS:
        intervals = fc.contact_intervals(turning, follower(height))
        answers[height] = intervals, fc.clearance(turning, follower(height))
        for touch, part in intervals:
            dwell = 360 * TURNS * (part[0] - touch[1])
            print(f"at {height}: touches at t = {touch[0]:.6f}, parts at {part[1]:.6f}, {dwell:.1f} degrees")
        if len(intervals) == 0:
            print(f"at {height}: never touches, and is {answers[height][1].distance_lower:.3f} away or more")
    # Each end is known to a small bracket, and all between is proven to be contact.
    assert all(found.is_proven.all() and not found.doubt.any() for found, _ in answers.values())
    if options.picture:
        draw(turning, answers, options.picture)


if __name__ == "__main__":
    main()
