"""Five hundred bodies bounce in a room, and never pass through each other, nor through its walls.

Shows a scene in a loop of one's own: it says who touches whom in a step, when and where, and what to do about
it is up to the loop. Here, what is closer than a hair and still approaches gets an elastic blow, without
friction, along the normal. Then all go on; what would touch something goes slower in this step, so that it
stops shortly before. What is slow may be in the way of others, so the new motions are asked about again, and
who runs into somebody slower takes over the other's pace, until all are free.

Blows keep the energy. Every step ends with a look, by other means, for bodies that overlap: there are none.
"""

import argparse
from itertools import combinations_with_replacement
from pathlib import Path
from time import perf_counter

import numpy as np
from scipy.spatial.transform import Rotation
from tqdm import tqdm

import firstcontact as fc

ROOM = 7.0  # length of the room's sides; bodies are about half a unit long
SPEED, SPIN = 0.15, 0.5  # of a body, in a step; the fastest go farther than they are long
HAIR = 0.01
SWEEPS = 20  # blows may bring others to approach: all are looked at again, so many times at the most
SHORTLY_BEFORE = 0.8  # part of the way to its first contact that a body goes


class Bodies:
    """Balls, boxes, capsules and hulls: where they are, and how they move."""

    def __init__(self, n, rng):
        corners = rng.normal(size=(14, 3))
        corners *= 0.25 / np.linalg.norm(corners, axis=1, keepdims=True)
        self.shapes = [fc.Sphere(0.2), fc.Box([0.5, 0.3, 0.2]), fc.Capsule(0.1, 0.3), fc.ConvexHull(corners)]
        self.kinds = np.arange(n) % len(self.shapes)
        self.ids = np.arange(n)  # in the scene, to which they come first
        self.centers = np.array([shape.centroid for shape in self.shapes])[self.kinds]
        # The mass in each body is spread such that no axis is special: free, it turns at a constant rate.
        self.masses = np.array([1.0, 1.2, 0.8, 1.5])[self.kinds]
        self.moments = 0.02 * self.masses
        self.poses = np.tile(np.eye(4), (n, 1, 1))
        self.poses[:, :3, :3] = Rotation.random(n, rng=rng).as_matrix()
        self.poses[:, :3, 3] = places(n)
        self.velocities, self.spins = SPEED * rng.normal(size=(n, 3)), SPIN * rng.normal(size=(n, 3))

    def middles(self):
        """Where the centers are."""
        return np.einsum("nij,nj->ni", self.poses[:, :3, :3], self.centers) + self.poses[:, :3, 3]

    def energy(self):
        """Energy of all motion."""
        speeds, rates = np.sum(self.velocities**2, axis=1), np.sum(self.spins**2, axis=1)
        return 0.5 * (self.masses @ speeds + self.moments @ rates)

    def go(self, shares):
        """Go a share of the step each."""
        middles = self.middles() + shares[:, None] * self.velocities
        turns = Rotation.from_rotvec(shares[:, None] * self.spins).as_matrix()
        self.poses[:, :3, :3] = turns @ self.poses[:, :3, :3]
        self.poses[:, :3, 3] = middles - np.einsum("nij,nj->ni", self.poses[:, :3, :3], self.centers)


def places(n):
    """Places for n bodies, away from each other and from the walls."""
    side = int(np.ceil(n ** (1 / 3)))
    line = (np.arange(side) + 0.5) * ROOM / side
    return np.stack(np.meshgrid(line, line, line), axis=-1).reshape(-1, 3)[:n]


def walls():
    """Six slabs around the room, by name."""
    slab, room = fc.Box([ROOM + 4.0, ROOM + 4.0, 2.0]), {}
    for axis in range(3):
        turn = np.roll(np.eye(3), axis + 1, axis=0)  # takes the slab's third axis to this one
        for side, away in (("low", -1.0), ("high", ROOM + 1.0)):
            middle = np.full(3, 0.5 * ROOM)
            middle[axis] = away
            room[f"{'xyz'[axis]} {side}"] = slab.at((turn, middle))
    return room


def strike(scene, bodies):
    """Strike all that are closer than a hair and approach each other; return the number of blows."""
    n = len(bodies.poses)
    scene.move(bodies.ids, bodies.poses)
    near = scene.contacts(min_separation=HAIR)
    # How the normal turns each of the two: its moment about the center. Walls, from n on, do not turn.
    arms = near.points[:, None] - bodies.middles()[np.minimum(near.ids, n - 1)]
    moments = np.cross(arms, near.normals[:, None])
    pairs = [
        (normal, [(i, sign, moment) for i, sign, moment in zip(ids, (1.0, -1.0), both, strict=True) if i < n])
        for ids, normal, both in zip(near.ids.tolist(), near.normals, moments, strict=True)
    ]
    n_blows = 0
    for _ in range(SWEEPS):
        n_new = sum(blow(bodies, normal, sides) for normal, sides in pairs)
        n_blows += n_new
        if n_new == 0:
            break
    return n_blows


def blow(bodies, normal, sides):
    """Part two bodies, or a body and a wall, as fast as they approach; return whether they do."""
    closing = softness = 0.0
    for i, sign, moment in sides:
        closing += sign * (bodies.velocities[i] @ normal + bodies.spins[i] @ moment)
        softness += 1.0 / bodies.masses[i] + moment @ moment / bodies.moments[i]
    if closing <= 0.0:
        return False
    for i, sign, moment in sides:
        push = -sign * 2.0 * closing / softness
        bodies.velocities[i] += push / bodies.masses[i] * normal
        bodies.spins[i] += push / bodies.moments[i] * moment
    return True


def advance(scene, bodies):
    """Let each body go as far in the step as it can without touching anything; return the mean share."""
    n, n_all = len(bodies.ids), len(scene)
    shares, times = np.ones(n_all), np.full(n_all, np.inf)
    contacts = ask(scene, bodies, shares[:n])
    np.minimum.at(times, contacts.ids.reshape(-1), np.repeat(contacts.time, 2))
    shares[:n] = np.minimum(SHORTLY_BEFORE * times[:n], 1.0)
    while len(contacts := ask(scene, bodies, shares[:n])) > 0:
        # One of the two lags behind. At the same pace they are free: none of them goes as far as its contact.
        slower = shares[contacts.ids].min(axis=1)
        assert (shares[contacts.ids].max(axis=1) > slower).all()
        np.minimum.at(shares, contacts.ids.reshape(-1), np.repeat(slower, 2))
        shares[n:] = 1.0
    bodies.go(shares[:n])
    return shares[:n].mean()


def ask(scene, bodies, shares):
    """Who touches whom if each body goes its share of the step?"""
    velocity, spin = shares[:, None] * bodies.velocities, shares[:, None] * bodies.spins
    scene.move(bodies.ids, bodies.poses, velocity=velocity, angular_velocity=spin)
    return scene.contacts(tolerance=0.0)


def count_overlaps(scene, bodies, room):
    """Count the pairs of bodies that overlap now, kind by kind."""
    scene.move(bodies.ids, bodies.poses)
    shapes = [*bodies.shapes, room["x low"].shape]
    poses = np.concatenate([bodies.poses, [wall.pose(0) for wall in room.values()]])
    kinds = np.concatenate([bodies.kinds, np.full(len(room), len(bodies.shapes))])
    pairs = scene.pair_ids()
    pairs = np.take_along_axis(pairs, np.argsort(kinds[pairs], axis=1), axis=1)
    n_overlaps = 0
    for kind_a, kind_b in combinations_with_replacement(range(len(shapes)), 2):
        a, b = pairs[(kinds[pairs] == [kind_a, kind_b]).all(axis=1)].T
        if len(a) > 0:
            overlap = fc.intersects(shapes[kind_a].at(poses[a]), shapes[kind_b].at(poses[b]))
            n_overlaps += np.count_nonzero(overlap)
    return n_overlaps


def draw(bodies, path):
    """Write a picture of all bodies."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    figure = Figure(figsize=(6.4, 6.4))
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0.03, 0.02, 0.92, 0.94), projection="3d", box_aspect=(1, 1, 1))
    colors = ("#4c78a8", "#e0a458", "#72a98f", "#d1495b")
    for pose, kind in zip(bodies.poses, bodies.kinds, strict=True):
        mesh = bodies.shapes[kind].mesh
        corners = (mesh.vertices @ pose[:3, :3].T + pose[:3, 3])[mesh.faces]
        axes.add_collection3d(Poly3DCollection(corners, facecolors=colors[kind], shade=True))
    axes.set(
        xlim=(0, ROOM), ylim=(0, ROOM), zlim=(0, ROOM), title=f"{len(bodies.poses)} bodies, none overlapping"
    )
    figure.savefig(path, dpi=75)


def main():
    """Let the bodies bounce, and say how it went."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--bodies", type=int, default=500)
    parser.add_argument("--picture", type=Path, metavar="PNG", help="write a picture; needs matplotlib")
    options = parser.parse_args()
    bodies, room = Bodies(options.bodies, np.random.default_rng(0)), walls()
    scene = fc.Scene({f"body {i}": bodies.shapes[kind] for i, kind in enumerate(bodies.kinds)}, **room)
    scene.ignore_group(*room)
    energy = bodies.energy()
    n_blows = n_overlaps = 0
    shares, seconds = [], []
    for _ in tqdm(range(options.steps), unit=" steps"):
        began = perf_counter()
        n_blows += strike(scene, bodies)
        shares.append(advance(scene, bodies))
        seconds.append(perf_counter() - began)
        n_overlaps += count_overlaps(scene, bodies, room)
    print(f"{options.bodies} bodies, {options.steps} steps, {n_blows:,} blows")
    print(f"bodies went {100 * np.mean(shares):.0f} % of what they would without the others")
    print(f"energy {energy:.6f} at the start, {bodies.energy():.6f} at the end")
    print(f"overlaps after any step: {n_overlaps}")
    print(f"time a step, median: {1e3 * np.median(seconds):.1f} ms")
    assert n_overlaps == 0
    assert abs(bodies.energy() / energy - 1.0) < 1e-9
    if options.picture:
        draw(bodies, options.picture)


if __name__ == "__main__":
    main()
