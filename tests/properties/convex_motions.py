"""Seeded families of convex shapes in motion: thrown, spinning, on screws, grazing, from contact, at rest.

A family maps a random generator to `Moves`: two shapes with a few motions of each.
"""

from typing import Any, NamedTuple

import numpy as np

from oracles.convex_cores import core_of, placed, size_of
from oracles.convex_distance import bracketed
from properties.convex_families import (
    N_POSES,
    any_size,
    brought_to,
    cores_of,
    deep,
    doubled_hull,
    flat_hull,
    hull,
    large_hull,
    lattice,
    moved_by,
    parallel,
    scaled,
    scattered,
    shape,
    sizes_of,
    smooth_needle,
    touching,
)
from properties.rigid_families import unit


class Moves(NamedTuple):
    """Two shapes, as `Moving` things with a batch of motions each."""

    a: Any
    b: Any

    @property
    def rows(self):
        return self.a.motion.rows(), self.b.motion.rows()


def generate_moves(family, seed):
    """Motions of a family; the same for the same arguments."""
    return MOTIONS[family](np.random.default_rng([seed, 100 + list(MOTIONS).index(family)]))


def moving_cores(moves):
    """Both shapes for each motion, as the oracles take them; they have yet to be moved to where they are."""
    n = len(moves.a.motion)
    shapes = [core_of(moving.shape) for moving in moves]
    return [placed([core] * n, [np.eye(3)] * n, np.zeros((n, 3))) for core in shapes]


def moved(case, velocities, turns, **options):
    """Shape a moves with velocities and turns (n, 3) while b rests."""
    moving = case.a.moving(case.poses_a, velocity=velocities, angular_velocity=turns, **options)
    return Moves(moving, case.b.at(case.poses_b))


def thrown(rng, case, slow=1.0):
    """Velocities that lead to the other shape, or past it."""
    aim = case.places_b - case.places_a + 0.3 * sum(sizes_of(case)) * rng.standard_normal((N_POSES, 3))
    return slow * rng.uniform(0.3, 2.0, (N_POSES, 1)) * aim


def any_shapes(rng, spread=3.0):
    sizes = (any_size(rng), any_size(rng)) if rng.random() < 0.2 else (1.0, 1.0)
    others = shape, shape, shape, hull, smooth_needle, large_hull, flat_hull, doubled_hull
    a, b = (others[rng.integers(len(others))](rng, size) for size in sizes)
    return scattered(rng, a, b, spread * (size_of(core_of(a)) + size_of(core_of(b))) / np.sqrt(3.0))


def translation(rng):
    case = any_shapes(rng)
    return moved(case, thrown(rng, case), np.zeros((N_POSES, 3)))


def thrown_and_turning(rng):
    case = any_shapes(rng)
    return moved(case, thrown(rng, case), rng.choice([0.1, 3.0, 30.0]) * rng.standard_normal((N_POSES, 3)))


def many_turns(rng):
    case = any_shapes(rng, 1.5)
    return moved(case, thrown(rng, case, 0.3), rng.uniform(30.0, 300.0) * rng.standard_normal((N_POSES, 3)))


def spin(rng):
    """Turning in place, close to each other."""
    case = any_shapes(rng, 0.6)
    return moved(case, np.zeros((N_POSES, 3)), 4.0 * rng.standard_normal((N_POSES, 3)))


def screw(rng):
    case = any_shapes(rng, 1.0)
    center = 0.3 * sum(sizes_of(case)) * rng.standard_normal(3)
    turns = rng.choice([1e-6, 0.3, 3.0]) * rng.standard_normal((N_POSES, 3))
    return moved(case, thrown(rng, case), turns, path="screw", center=center)


def both(rng):
    case = any_shapes(rng)
    drift = 2.0 * sum(sizes_of(case)) * rng.standard_normal((N_POSES, 3))
    turns = rng.choice([0.0, 1.0, 20.0]) * rng.standard_normal((2, N_POSES, 3))
    a = case.a.moving(case.poses_a, velocity=drift + thrown(rng, case), angular_velocity=turns[0])
    return Moves(a, case.b.moving(case.poses_b, velocity=drift, angular_velocity=turns[1]))


def grazing(rng):
    """Past each other with a gap between shadows that stays, at right angles to the way."""
    gaps = (1e-12, 1e-9, 1e-6, 1e-3, -1e-9, -1e-6, 0.0)
    case = brought_to(rng, scattered(rng, shape(rng), shape(rng)), gaps)
    a, b = cores_of(case)
    apart = bracketed(a, b).direction.T.astype(float)
    way = np.cross(apart, rng.standard_normal((N_POSES, 3)))
    way *= 3.0 * sum(sizes_of(case)) / np.linalg.norm(way, axis=1)[:, None]
    return moved(case._replace(places_a=case.places_a - 0.5 * way), way, np.zeros((N_POSES, 3)))


def tilting(rng):
    """From almost touching, faces along faces perhaps, by a tiny turn."""
    case = (touching, parallel)[rng.integers(2)](rng)
    size = min(sizes_of(case))
    slow = 10.0 ** rng.uniform(-9.0, -1.0)
    turns = slow * rng.standard_normal((N_POSES, 3))
    return moved(case, rng.choice([0.0, slow * size]) * rng.standard_normal((N_POSES, 3)), turns)


def at_rest(rng):
    case = any_shapes(rng, 0.6)
    return Moves(case.a.at(case.poses_a), case.b.at(case.poses_b))


def from_overlap(rng):
    case = deep(rng)
    return moved(case, thrown(rng, case), rng.standard_normal((N_POSES, 3)))


def whole_numbers(rng):
    case = lattice(rng)
    velocities = rng.integers(-4, 5, (N_POSES, 3)).astype(float)
    turns = np.eye(3)[rng.integers(0, 3, N_POSES)] * rng.choice([0.0, 0.0, 0.5 * np.pi, np.pi], (N_POSES, 1))
    return moved(case, velocities, turns)


def far_moves(rng):
    """Far from the world's origin."""
    case = moved_by(any_shapes(rng), 10.0 ** rng.uniform(4.0, 8.0) * unit(rng))
    return moved(case, thrown(rng, case), 3.0 * rng.standard_normal((N_POSES, 3)))


def small_moves(rng):
    case = scaled(any_shapes(rng), rng.choice([1e-30, 1e-6, 1e6, 1e30]))
    return moved(case, thrown(rng, case), 3.0 * rng.standard_normal((N_POSES, 3)))


MOTIONS = {
    "translation": translation,
    "thrown and turning": thrown_and_turning,
    "many turns": many_turns,
    "spin": spin,
    "screw": screw,
    "both": both,
    "grazing": grazing,
    "tilting": tilting,
    "at rest": at_rest,
    "from overlap": from_overlap,
    "whole numbers": whole_numbers,
    "far": far_moves,
    "other scales": small_moves,
}
