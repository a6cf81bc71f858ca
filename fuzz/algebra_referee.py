"""Small bodies that move by quaternions, many at once: algebra, which is exact, referees all other methods.

Triangles, tetrahedra and small meshes, closed and open. Half of the motions have coordinates that are halves
and turns by whole quarters, so that things touch exactly, slide, and stand in each other's planes. No method
may tell a contact after the true one, miss it, or prove one that is not there; of convex bodies, those of
convex shapes are asked, too, where a body inside another is in contact.

    python fuzz/algebra_referee.py --motions 100000
"""

import argparse
from collections.abc import Callable
from itertools import product
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import firstcontact as fc
from motion_referee import parts
from things import QUARTERS, mesh_in, shape_of

Array = NDArray[Any]
Rng = np.random.Generator

OF_MESHES = "c2a", "c2a-2009", "ca", "interval"
OF_CONVEXES = "advancement", "swept", "bisection", "extruded"

# Motions of two bodies that are asked about at once, and faces of both that a small mesh has at the most.
BATCH, MOST_PAIRS = 50, 60

# How much earlier than the truth a method may be, in parts of the motion: far more than tolerances ask for.
EARLY = 1e-2


def triangles(rng: Rng, is_exact: bool) -> tuple[fc.Mesh, fc.Mesh]:
    """Two triangles."""
    corners = _corners(rng, 6, is_exact)
    return fc.Mesh(corners[:3], [[0, 1, 2]]), fc.Mesh(corners[3:], [[0, 1, 2]])


def tetrahedra(rng: Rng, is_exact: bool) -> tuple[fc.Mesh, fc.Mesh]:
    """Two tetrahedra, or one and a triangle."""
    corners = _corners(rng, 8, is_exact)
    faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]
    leaf = fc.Mesh(corners[4:7], [[0, 1, 2]])
    return fc.Mesh(corners[:4], faces), leaf if rng.random() < 0.3 else fc.Mesh(corners[4:], faces)


def meshes(rng: Rng, is_exact: bool) -> tuple[fc.Mesh, fc.Mesh]:
    """Two small meshes of any kind."""
    while True:
        a, b = (shape_of(mesh_in(rng)) for _ in range(2))
        if 0 < len(a.faces) * len(b.faces) <= MOST_PAIRS:
            return a, b


FAMILIES: dict[str, Callable[[Rng, bool], tuple[fc.Mesh, fc.Mesh]]] = {
    "triangles": triangles,
    "tetrahedra": tetrahedra,
    "meshes": meshes,
}

# Families take turns like this: to decide about a triangle takes algebra a third of the time.
TURNS = "triangles", "tetrahedra", "triangles", "meshes", "tetrahedra", "triangles"


def check_family(name: str, seed: int, n: int) -> list[str]:
    """Ask about n motions of two bodies of a family; say what is wrong."""
    rng = np.random.default_rng(seed)
    is_exact = bool(rng.random() < 0.5)
    bodies = FAMILIES[name](rng, is_exact)
    things = [_moving(rng, body, n, is_exact) for body in bodies]
    truth = fc.first_contacts(*things, method="algebraic")
    faults = [
        fault
        for method in OF_MESHES
        for fault in _faults(method, fc.first_contacts(*things, method=method), truth)
    ]
    hulls = [_hull(body) for body in bodies]
    if name == "meshes" or None in hulls:
        return faults
    solids = [
        fc.Moving(hull, thing.motion) for hull, thing in zip(hulls, things, strict=True) if hull is not None
    ]
    is_inside = fc.intersects(*(solid.shape.at(solid.pose(0.0)) for solid in solids)) & (truth.time > 0.0)
    truth.time[is_inside], truth.time_upper[is_inside] = 0.0, 0.0
    for method in OF_CONVEXES:
        faults += _faults(f"hulls by {method}", fc.first_contacts(*solids, method=method), truth)
    return faults


def _faults(method: str, found: fc.FirstContacts, truth: fc.FirstContacts) -> list[str]:
    """What is wrong with the answers of a method."""
    late = found.time > truth.time_upper
    unproven = found.time_upper < truth.time
    lost = found.status == fc.Status.MAX_ITERATIONS
    early = np.isfinite(truth.time) & (found.time < truth.time - EARLY) & ~lost
    named = {"late": late, "proves what is not there": unproven, "gives up": lost, "far too early": early}
    return [
        f"{method} {what}: {found.time[i]!r} to {found.time_upper[i]!r}, truly {truth.time[i]!r} (motion {i})"
        for what, which in named.items()
        for i in np.flatnonzero(which)[:1]
    ]


def _corners(rng: Rng, n: int, is_exact: bool) -> Array:
    return rng.integers(-2, 3, (n, 3)) / 2.0 if is_exact else rng.uniform(-1, 1, (n, 3))


def _moving(rng: Rng, body: fc.Mesh, n: int, is_exact: bool) -> fc.Moving:
    """A body on n ways from pose to pose; some rest, some only turn, some only go."""
    center = rng.integers(-1, 2, 3) / 2.0 if is_exact else body.centroid
    turns = [_turns(rng, n, is_exact) for _ in range(2)]
    places = [_corners(rng, n, True) * 2.0 if is_exact else rng.normal(size=(n, 3)) for _ in range(2)]
    kind = rng.integers(6, size=n)
    turns[1][kind <= 1] = turns[0][kind <= 1]
    places[1][(kind == 0) | (kind == 2)] = places[0][(kind == 0) | (kind == 2)]
    return body.moving((turns[0], places[0]), (turns[1], places[1]), path="quaternion", center=center)


def _turns(rng: Rng, n: int, is_exact: bool) -> Array:
    if not is_exact:
        return Rotation.random(n, random_state=rng).as_matrix()
    known = np.array([one @ other for one, other in product(QUARTERS, QUARTERS)])
    return known[rng.integers(len(known), size=n)]


def _hull(body: fc.Mesh) -> fc.ConvexHull | None:
    """The convex shape that a body is; None where it has no extent that a hull can have."""
    try:
        return fc.ConvexHull(body.vertices)
    except ValueError:
        return None


def main() -> int:
    """Check so many motions; print how many of each family."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--motions", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=np.inf, help="stop earlier, after so long")
    options = parser.parse_args()
    began, done, n_faults = perf_counter(), dict.fromkeys(FAMILIES, 0), 0
    for number, n in enumerate(parts(options.motions, BATCH)):
        name, seed = TURNS[number % len(TURNS)], options.seed * 1_000_000 + number
        for fault in check_family(name, seed, n):
            n_faults += 1
            print(f"{name}, seed {seed}, {n} motions: {fault}", flush=True)
        done[name] += n
        if number % 200 == 199:
            print(f"{sum(done.values()):8,} motions in {perf_counter() - began:7.1f} s", flush=True)
        if perf_counter() - began > options.seconds:
            break
    for name, count in done.items():
        print(f"{name:12} {count:8,} motions")
    print(f"{sum(done.values()):,} motions, {n_faults} faults, {perf_counter() - began:.0f} s")
    return 1 if n_faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
