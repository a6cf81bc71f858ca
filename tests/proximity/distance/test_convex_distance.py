"""Distances of convex shapes, for batches of pairs."""

import numba
import numpy as np

from firstcontact import Box, Capsule, ConvexHull, Sphere, distance
from firstcontact.bodies.convex_side import Side, side_of
from firstcontact.proximity.distance.convex_distance import convex_distances
from firstcontact.shapes.convex import joined
from poses import random_poses

RNG = np.random.default_rng(0)
SHAPES = [
    Sphere(0.5),
    Box([1, 0.5, 0.7]),
    Capsule(0.2, 1),
    ConvexHull(RNG.standard_normal((50, 3)) * 0.3 + 7),
]


def test_pairs_of_any_shapes_in_any_places_are_those_of_single_queries():
    poses = random_poses(40, seed=2)
    poses[:, :3, 3] *= 2
    rows = SHAPES[0].at(poses).motion.rows()
    table = joined([shape.table for shape in SHAPES])
    ids = RNG.integers(0, len(SHAPES), (200, 2)).astype(np.int32)
    places = RNG.integers(0, len(poses), (200, 2)).astype(np.int32)
    sides = [Side(table, rows, ids[:, k].copy(), places[:, k].copy()) for k in range(2)]
    found = convex_distances(*sides)
    for k in range(200):
        a, b = (SHAPES[ids[k, i]].at(poses[places[k, i]]) for i in range(2))
        alone = distance(a, b)
        assert found.distance[k] == alone.distance
        np.testing.assert_array_equal(found.points_a[k], alone.points_a)
        np.testing.assert_array_equal(found.points_b[k], alone.points_b)


def test_any_number_of_threads_gives_the_same_bytes():
    poses = random_poses(3000, seed=3)
    sides = (
        side_of(SHAPES[1].table, SHAPES[1].at(poses).motion.rows(), 3000),
        side_of(SHAPES[3].table, SHAPES[3].at(np.eye(4)).motion.rows(), 3000),
    )
    threads = numba.get_num_threads()
    answers = []
    for n in (1, threads):
        numba.set_num_threads(n)
        answers.append(convex_distances(*sides))
    numba.set_num_threads(threads)
    for one, many in zip(*answers, strict=True):
        assert one.tobytes() == many.tobytes()


def test_no_pairs_have_no_distances():
    nothing = side_of(SHAPES[0].table, SHAPES[0].at(np.empty((0, 4, 4))).motion.rows(), 0)
    assert len(convex_distances(nothing, nothing).distance) == 0
