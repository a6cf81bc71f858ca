"""Hair on a head that turns: every contact of strands with each other and with the head, step by step.

Each strand is a row of points that keeps its length. Between strands, `neighbors` are the smoothed particles
of a fluid that pushes what is too dense apart and slows down what meets (Hadap and Magnenat-Thalmann, in
"Collision Detection and Proximity Queries", SIGGRAPH 2004). What the fluid lets through, `contacts` lists,
with its time, place and normal: first strands are pushed apart, and those that still touch go with the head.
"""

import argparse
from collections import Counter
from pathlib import Path
from time import perf_counter

import numpy as np

import firstcontact as fc

RADII = np.array([0.075, 0.095, 0.11])  # of the head, in metres
LENGTH, RADIUS, GAP = 0.2, 5e-5, 4e-4  # of strands; and what they keep of each other beside their radii
STEP = 1 / 240  # seconds; a frame of film is ten of them
SHAKE, RATE = 0.3, 12.0  # the head turns by twice this, in radians, and back, this often in 2 pi seconds
GRAVITY, DRAG = np.array([0.0, 0.0, -9.81]), 2.0
REACH = 0.004  # of a smoothed particle: twice the smoothing length
PRESSURE, FRICTION = 20.0, 0.4  # how hard the fluid pushes, and how much of their difference it takes
PUSHES = 2  # rounds of pushing apart, before strands that touch go with the head


def grown(n, points):
    """Strands that stand up from the head and hang down, spread evenly over all but face and neck."""
    k = np.arange(4 * n) + 0.5
    z, turn = 1 - 2 * k / len(k), k * np.pi * (1 + 5**0.5)
    out = np.stack([np.sqrt(1 - z * z) * np.cos(turn), np.sqrt(1 - z * z) * np.sin(turn), z], axis=1)
    scalp = out[(z > 0.0) & ((out[:, 1] < 0.3) | (z > 0.55))]
    place = scalp[np.linspace(0, len(scalp) - 1, n).astype(int)] * (1 + 0.003 / RADII.min()) * RADII
    rows, finer = [place], 8
    for _ in range((points - 1) * finer):  # along a field of directions, whose lines do not meet
        up = place / RADII**2
        up /= np.linalg.norm(up, axis=1, keepdims=True)
        outward = place * [1, 1, 0] / np.linalg.norm(place[:, :2], axis=1, keepdims=True)
        stands = np.exp(-(np.linalg.norm(place / RADII, axis=1, keepdims=True) - 1) / 0.3)
        way = stands * up + (1 - stands) * (0.5 * outward - [0, 0, 1])
        place = place + LENGTH / (points - 1) / finer * way / np.linalg.norm(way, axis=1, keepdims=True)
        rows.append(place)
    return np.stack(rows[::finer], axis=1)


def fluid(places, velocities):
    """Accelerations by the smoothed particles: pressure where they are dense, friction where they meet."""
    i, j = fc.neighbors(places, REACH).pairs.T
    way = places[i] - places[j]
    distance = np.sqrt(np.einsum("ij,ij->i", way, way))
    s = 2 * distance / REACH
    weight = np.where(s < 1, 1 - 1.5 * s**2 + 0.75 * s**3, 0.25 * (2 - s) ** 3)
    density = 1 + np.bincount(i, weight, len(places))
    usual = np.median(density)
    pressure = np.clip(density / usual - 1, 0, 1)
    strength = PRESSURE * (pressure[i] + pressure[j]) * weight / np.maximum(distance, 1e-9)
    total = np.empty_like(places)
    for k in range(3):
        push = np.bincount(i, strength * way[:, k], len(places)) / density
        mean = np.bincount(i, weight * velocities[j, k], len(places)) + velocities[:, k]
        total[:, k] = push + FRICTION / STEP * (mean / density - velocities[:, k]) / 10
    return total


def kept_long(places, roots, lengths):
    """Put each point back to where its strand is as long as it was, from the roots on."""
    strands = places.reshape(*roots.shape[:1], -1, 3).copy()
    strands[:, :2] = roots
    for k in range(2, strands.shape[1]):
        way = strands[:, k] - strands[:, k - 1]
        way *= lengths[:, k - 1 : k] / np.linalg.norm(way, axis=1, keepdims=True)
        strands[:, k] = strands[:, k - 1] + way
    return strands.reshape(-1, 3)


def pushed(places, found, is_both):
    """Move what touches apart: by as much as it would come closer after its contact, and the gap."""
    deep = np.maximum(found.closing_speed, 0) * (1 - found.time) + 0.2 * GAP
    is_edge = found.kind != fc.ContactKind.POINT_FACE
    weights = found.weights * np.where(np.arange(4) < 2, 1.0, -1.0)
    if not is_both:  # the head does not give way
        weights = np.where(is_edge[:, None], weights * [1, 1, 0, 0], [1.0, 0.0, 0.0, 0.0])
    share = deep / (weights**2).sum(axis=1)
    moved, count = np.zeros_like(places), np.zeros(len(places))
    for corner in range(4):
        ids, by = found.vertex_ids[:, corner], weights[:, corner] * share
        ids, by, normals = ids[by != 0], by[by != 0], found.normals[by != 0]
        for k in range(3):
            moved[:, k] -= np.bincount(ids, by * normals[:, k], len(places))
        count += np.bincount(ids, minlength=len(places))
    return places + moved / np.maximum(count, 1)[:, None]


class Hair:
    """Strands, how fast their points are, and what takes the time."""

    def __init__(self, n, points):
        start = grown(n, points)
        self.shape = (n, points)
        self.strands = fc.Strands(start.reshape(-1, 3), [points] * n, RADIUS)
        self.places = self.strands.positions.copy()
        self.velocities = np.zeros_like(self.places)
        self.lengths = np.linalg.norm(np.diff(start, axis=1), axis=2)
        self.head = fc.Ellipsoid(RADII).mesh
        self.least = 0.5 * GAP  # what is kept for sure
        self.angle, self.seconds, self.counts = 0.0, Counter(), Counter()

    def contacts(self, after, moving, gap):
        """All contacts of a step, with themselves and with the head."""
        went = self.strands.deforming(self.places, after)
        began = perf_counter()
        own = fc.contacts(went, exact=False, min_separation=gap)
        middle = perf_counter()
        others = fc.contacts(went, moving, min_separation=gap, assume_free_start=True)
        self.seconds["strands"] += middle - began
        self.seconds["head"] += perf_counter() - middle
        return own, others

    def step(self, t):
        """One step: forces, lengths, contacts; the head shakes. How many still come to touch?"""
        n, points = self.shape
        before, self.angle = self.angle, SHAKE * (1 - np.cos(RATE * t))
        moving = self.head.moving(pose(before), pose(self.angle))
        rigid = self.places @ turn(self.angle - before).T
        began = perf_counter()
        force = fluid(self.places, self.velocities)
        self.seconds["fluid"] += perf_counter() - began
        velocities = (self.velocities + STEP * (GRAVITY + force)) / (1 + DRAG * STEP)
        roots = rigid.reshape(n, points, 3)[:, :2]
        after = kept_long(self.places + STEP * velocities, roots, self.lengths)
        is_held = np.zeros(n, bool)
        # Points go straight: what turns with the head comes nearer to it on the way, by so much at most.
        self.least = max(self.least - 3e-6, 0.0)
        for attempt in range(20):
            own, others = self.contacts(after, moving, GAP if attempt < PUSHES else self.least)
            if attempt == 0:
                self.counts.update(strands=len(own), head=len(others))
            if attempt < PUSHES:
                after = kept_long(pushed(pushed(after, own, True), others, False), roots, self.lengths)
                continue
            # What is too near from the start has been pushed, and is not held: it would never get free.
            ids = own.vertex_ids[own.time > 0], others.vertex_ids[others.time > 0, 0]
            touching = np.concatenate([part.reshape(-1) for part in ids]) // points
            if len(touching) == 0:
                break
            is_held[touching] = True
            after = np.where(np.repeat(is_held, points)[:, None], rigid, after)
        self.counts["held"] += int(is_held.sum())
        self.velocities, self.places = (after - self.places) / STEP, after
        return len(touching)


def turn(angle):
    """A turn about the vertical."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def pose(angle):
    """The head, turned by an angle."""
    return turn(angle), np.zeros(3)


def draw(hair, path):
    """Write a picture: the head, and each strand in a shade of its own."""
    from matplotlib import pyplot as plt
    from mpl_toolkits.mplot3d.art3d import Line3DCollection, Poly3DCollection

    figure = plt.figure(figsize=(8, 4.5), layout="constrained")
    strands = hair.places.reshape(*hair.shape, 3)
    head = (hair.head.vertices @ turn(hair.angle).T)[hair.head.faces]
    shades = plt.colormaps["copper"](np.random.default_rng(0).uniform(0.15, 0.75, len(strands)))
    for column, side in enumerate((-60, 30)):
        axes = figure.add_subplot(1, 2, column + 1, projection="3d", box_aspect=(1, 1, 1))
        axes.add_collection3d(Poly3DCollection(head, facecolors=(0.9, 0.75, 0.65), shade=True))
        axes.add_collection3d(Line3DCollection(strands, colors=shades, linewidths=0.4))
        axes.set(xlim=(-0.2, 0.2), ylim=(-0.2, 0.2), zlim=(-0.15, 0.25))
        axes.view_init(12, side)
        axes.set_axis_off()
    figure.savefig(path, dpi=110)


def main():
    """Let the head turn, and tell what each step found, and what it took."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--strands", type=int, default=150, help="how many; 10000 are those of the paper")
    parser.add_argument("--points", type=int, default=30, help="of each strand")
    parser.add_argument("--steps", type=int, default=24, help="of 1/240 s")
    parser.add_argument("--picture", type=Path, metavar="PNG", help="write a picture; needs matplotlib")
    parser.add_argument("--page", type=Path, metavar="HTML", help="write a page of the last step; needs k3d")
    options = parser.parse_args()
    Hair(8, options.points).step(STEP)  # compiles, before the clock starts
    hair = Hair(options.strands, options.points)
    began = perf_counter()
    for k in range(options.steps):
        assert hair.step((k + 1) * STEP) == 0  # nothing comes to touch on the way that is taken
    seconds, counts = perf_counter() - began, hair.counts
    collision = hair.seconds["strands"] + hair.seconds["head"]
    print(f"{options.strands:,} strands of {options.points} points, {options.steps} steps of 1/240 s")
    print(f"contacts: {counts['strands']:,} of strands, {counts['head']:,} with the head")
    print(f"strands that went with the head for a step: {counts['held']:,}")
    shares = f"{collision / seconds:.0%} for contacts, {hair.seconds['fluid'] / seconds:.0%} for the fluid"
    print(f"{seconds / options.steps:.3g} s a step, {shares}")
    if options.picture:
        draw(hair, options.picture)
    if options.page:
        before = hair.places.copy()
        hair.step((options.steps + 1) * STEP)
        went = hair.strands.deforming(before, hair.places)
        fc.show({"hair": went, "head": hair.head.at(pose(hair.angle))}, options.page)


if __name__ == "__main__":
    main()
