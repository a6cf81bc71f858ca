"""A wall of a hundred boxes stands still for a thousand steps, on contacts that remember their forces.

Shows `contacts().manifold()`: all points at which boxes face each other, with the gap at each. Impulses at
these points keep the boxes apart (sequential impulses, with friction); `rows_in` finds the points of the step
before, whose impulses are where the next step begins (warm starts). Gaps are never closed: a step brings two
points nearer by no more than what is between them beyond a hair.
"""

import argparse
import os
from pathlib import Path

import numpy as np
from numba import njit
from scipy.spatial.transform import Rotation

import firstcontact as fc

ROWS, COLUMNS = 10, 10
WIDE, DEEP, HIGH = 0.4, 0.2, 0.2
DT, GRAVITY, FRICTION = 1 / 120, 9.81, 0.6
HAIR, NEAR = 1e-3, 4e-3  # the gap at which boxes rest, and the one from which on points are looked at
FIRST_ROUNDS = 400
CALM = 0.8  # of its speed that a box keeps in a step
MASS = 1.0
INERTIA = MASS / 12 * np.array([DEEP**2 + HIGH**2, WIDE**2 + HIGH**2, WIDE**2 + DEEP**2])


def stack():
    """Places of the boxes: every other row is a quarter of a box to the side."""
    pitch = WIDE + 0.02
    return np.array(
        [
            (pitch * (i + 0.25 * (row % 2)), 0.0, HAIR + HIGH / 2 + row * (HIGH + HAIR))
            for row in range(ROWS)
            for i in range(COLUMNS)
        ]
    )


@njit(cache=True)
def solve(bodies, frames, turns, eased, ease, gaps, pushes, velocities, spins, rounds):
    """Sequential impulses, point by point, in place: along the normal, and against what slides.

    bodies : (m, 2), -1 for what does not move; frames : (m, 3, 3) normal and two directions across it
    turns, eased : (m, 3, 2, 3) moments of a push along each, and how it turns the body; ease : (m, 3)
    """
    for sweep in range(rounds + 1):
        for row in range(len(bodies)):
            k = row if sweep % 2 == 0 else len(bodies) - 1 - row
            for c in range(3):
                slip, old = 0.0, pushes[k, c]
                for side in range(2):
                    i, sign = bodies[k, side], 2.0 * side - 1.0
                    if i >= 0:
                        for x in range(3):
                            slip += sign * velocities[i, x] * frames[k, c, x]
                            slip += sign * spins[i, x] * turns[k, c, side, x]
                if sweep == 0:  # what is known from the step before
                    change = old
                elif c == 0:  # no nearer in this step than the gap allows; what is too near parts slowly
                    least = gaps[k] if gaps[k] > 0.0 else 0.2 * gaps[k]
                    pushes[k, c] = max(old - (slip + least / DT) / ease[k, c], 0.0)
                    change = pushes[k, c] - old
                else:
                    most = FRICTION * pushes[k, 0]
                    pushes[k, c] = min(max(old - slip / ease[k, c], -most), most)
                    change = pushes[k, c] - old
                for side in range(2):
                    i, sign = bodies[k, side], 2.0 * side - 1.0
                    if i >= 0:
                        for x in range(3):
                            velocities[i, x] += sign * change / MASS * frames[k, c, x]
                            spins[i, x] += sign * change * eased[k, c, side, x]


def frames_of(normals):
    """Each normal, and two directions across it, (m, 3, 3)."""
    least = np.where(np.abs(normals[:, :1]) < 0.9, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])
    one = np.cross(normals, least)
    one /= np.linalg.norm(one, axis=1, keepdims=True)
    return np.stack([normals, one, np.cross(normals, one)], axis=1)


class Wall:
    """The boxes, and what their contacts remember."""

    def __init__(self, rounds):
        self.places, n = stack(), ROWS * COLUMNS
        self.turns, self.rounds = np.tile(np.eye(3), (n, 1, 1)), rounds
        self.velocities, self.spins = np.zeros((n, 3)), np.zeros((n, 3))
        box = fc.Box([WIDE, DEEP, HIGH])
        self.scene = fc.Scene({f"box {i}": box.at((np.eye(3), place)) for i, place in enumerate(self.places)})
        self.scene.add("floor", fc.Box([20, 20, 1]).at((np.eye(3), [2, 0, -0.5])))
        self.ids, self.before, self.pushes = np.arange(n), None, np.zeros((0, 3))

    def step(self):
        """Go on by one step; return how many points there were, and the part that was known before."""
        n = len(self.places)
        self.scene.move(self.ids, (self.turns, self.places))
        points = self.scene.contacts(min_separation=NEAR).manifold(within=NEAR)
        pushes, known = np.zeros((len(points), 3)), 0
        if self.before is not None:
            rows = points.rows_in(self.before)
            pushes[rows >= 0], known = self.pushes[rows[rows >= 0]], np.count_nonzero(rows >= 0)
            self.share_lost(points, rows, pushes)
        bodies = np.where(points.body_ids < n, points.body_ids, -1)
        both = np.stack([points.points_a, points.points_b], axis=1)
        arms = both - self.places[np.maximum(bodies, 0)]
        easing = self.turns @ (1.0 / INERTIA[:, None] * self.turns.transpose(0, 2, 1))
        frames = frames_of(points.normals)
        turns = np.cross(arms[:, None], frames[:, :, None])
        eased = np.einsum("msij,mcsj->mcsi", easing[np.maximum(bodies, 0)], turns)
        ease = ((bodies >= 0)[:, None] * (1.0 / MASS + (turns * eased).sum(axis=3))).sum(axis=2)
        self.velocities[:, 2] -= DT * GRAVITY
        # In the first step nothing is known: forces have to find their way from the top to the bottom.
        rounds = self.rounds if known else FIRST_ROUNDS
        state = pushes, self.velocities, self.spins
        solve(bodies, frames, turns, eased, ease, points.gap - HAIR, *state, rounds)
        self.velocities *= CALM
        self.spins *= CALM
        self.places = self.places + DT * self.velocities
        self.turns = Rotation.from_rotvec(DT * self.spins).as_matrix() @ self.turns
        self.before, self.pushes = points, pushes
        return len(points), known

    def share_lost(self, points, rows, pushes):
        """Let new points of a pair begin with the normal impulses of those that are gone; in place."""
        n = len(self.places) + 1
        was, now = (m.body_ids[:, 0] * n + m.body_ids[:, 1] for m in (self.before, points))
        gone, new = np.setdiff1d(np.arange(len(was)), rows), np.flatnonzero(rows < 0)
        lost = np.bincount(was[gone], self.pushes[gone, 0], n * n)
        pushes[new, 0] = lost[now[new]] / np.bincount(now[new], minlength=n * n)[now[new]]

    def overlaps(self):
        """Count pairs that overlap now."""
        self.scene.move(self.ids, (self.turns, self.places))
        return len(self.scene.contacts())


def draw(wall, moved, path):
    """Write a picture: the wall, each box by the force on its lower side, and how far boxes have gone."""
    from matplotlib import pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 3.8), layout="constrained", width_ratios=(1.6, 1))
    load = np.zeros(len(wall.places))
    upper = wall.before.body_ids.copy()
    upper[upper >= len(load)] = 0
    heights = wall.places[:, 2]
    on_top = np.where(heights[upper[:, 0]] > heights[upper[:, 1]], upper[:, 0], upper[:, 1])
    is_floor = wall.before.body_ids.max(axis=1) >= len(load)
    on_top[is_floor] = wall.before.body_ids.min(axis=1)[is_floor]
    np.add.at(load, on_top, wall.pushes[:, 0] / DT / (MASS * GRAVITY))
    colors = plt.cm.ScalarMappable(plt.Normalize(0, load.max()), "YlOrRd")
    for place, value in zip(wall.places, load, strict=True):
        corner = place[0] - WIDE / 2, place[2] - HIGH / 2
        left.add_patch(plt.Rectangle(corner, WIDE, HIGH, fc=colors.to_rgba(value), ec="black", lw=0.6))
    left.set(
        aspect="equal", xlim=(-0.4, 4.4), ylim=(-0.05, 2.1), title="what each box bears, in weights of a box"
    )
    left.set_axis_off()
    figure.colorbar(colors, ax=left, shrink=0.8)
    right.semilogy(np.maximum(moved, 1e-12))
    right.set(title="from its start to a box, at most, m", xlabel="step")
    right.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=85)


def main():
    """Let the wall stand."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    steps = 40 if "QUICK" in os.environ else 1000
    parser.add_argument("--steps", type=int, default=steps, help=f"how many ({steps})")
    parser.add_argument("--rounds", type=int, default=60, help="of impulses in a step (60)")
    parser.add_argument("--picture", type=Path, metavar="PNG", help="write a picture; needs matplotlib")
    options = parser.parse_args()
    wall, moved, n_overlaps, n_points, n_known = Wall(options.rounds), [], 0, 0, 0
    for step in range(options.steps):
        n, known = wall.step()
        n_points, n_known = n_points + n, n_known + (known if step else n)
        moved.append(np.linalg.norm(wall.places - stack(), axis=1).max())
        n_overlaps += wall.overlaps() if step % 10 == 9 else 0
    print(f"{len(wall.places)} boxes, {options.steps} steps, {n_points / options.steps:.0f} points a step")
    print(f"{100 * n_known / n_points:.1f} % of them known from the step before")
    print(f"in the end no box is more than {1e3 * moved[-1]:.3f} mm from its start; overlaps: {n_overlaps}")
    assert n_overlaps == 0
    assert moved[-1] < 0.1 * DEEP  # it stands
    if options.picture:
        draw(wall, moved, options.picture)


if __name__ == "__main__":
    main()
