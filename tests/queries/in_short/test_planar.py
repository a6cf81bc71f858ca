"""Single things of the plane are answered about in short, with the bits of a batch of one."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.advancement.ask import USUAL
from firstcontact.motions.plane_poses import lifted_poses, quickly_lifted
from firstcontact.queries.look_up import in_short
from oracles.plane_shapes import comb, flower, frame

SHAPES = [
    flower(12, 3),
    flower(9, 4, 0.2),
    frame(),
    comb(3),
    fc.Polyline([[0, 0], [2, 0], [2, 1], [5, 5]], [3, 1]),
]


def test_single_answers_are_those_of_batches_of_one():
    rng, n_short = np.random.default_rng(3), 0
    for k in range(200):
        a, b = (SHAPES[i] for i in rng.integers(0, 5, 2))
        poses = [(float(rng.uniform(0, 7)), rng.uniform(-3, 3, 2)) for _ in range(2)]
        if k % 4 == 0:
            poses = [(0.0, np.round(way)) for _, way in poses]
        one, other = a.at(poses[0]), b.at(poses[1])
        batch = a.at((np.array([poses[0][0]]), poses[0][1][np.newaxis]))
        found, many = fc.distance(one, other), fc.distance(batch, other)
        n_short += in_short("distance", one, other, USUAL) is not None
        assert found.distance == many.distance[0]
        assert found.points_a.tolist() == many.points_a[0].tolist()
        assert found.points_b.tolist() == many.points_b[0].tolist()
        assert found.faces.tolist() == many.faces[0].tolist()
        assert fc.intersects(one, other) is bool(fc.intersects(batch, other)[0])
        if found.distance > 0:
            assert found.gradient.tolist() == many.gradient[0].tolist()
            assert list(found.things) == ["a", "b"]
    assert n_short > 100


def test_what_is_not_plain_is_left():
    square = fc.Polygon([[0, 0], [1, 0], [1, 1], [0, 1]])
    assert fc.distance(square, fc.Polyline([])).distance == np.inf
    assert fc.distance(square, square.at((0.0, [3, 0])), within=1).distance == np.inf
    assert not fc.intersects(fc.Polygon([]), square)
    moving = square.moving((0.0, [3, 0]), velocity=[1, 0])
    for ask in (fc.distance, fc.intersects):
        with pytest.raises(ValueError, match="is for one instant, and b moves"):
            ask(square, moving)


def test_plain_poses_are_lifted_as_all_are():
    rng = np.random.default_rng(1)
    for turn in rng.uniform(-9, 9, 20).tolist():
        way = rng.normal(size=2)
        for pose in ((turn, way), (turn, way.tolist()), (turn, [3, -1])):
            quick = quickly_lifted(pose)
            assert np.array_equal(quick, lifted_poses("pose", pose))
            matrix = fc.Polyline([[0, 0]]).at(pose).pose(0)
            assert np.array_equal(quickly_lifted(matrix), lifted_poses("pose", matrix))
    for other in (
        (1, [0, 0]),
        (0.0, [0, True]),
        (0.0, [0, 0, 0]),
        np.eye(4),
        np.eye(3, dtype=np.float32),
        [[0]],
    ):
        assert quickly_lifted(other) is None
    with pytest.raises(ValueError, match="mirror image"):
        fc.Polyline([[0, 0]]).at(np.diag([1.0, -1.0, 1.0]))
    with pytest.raises(ValueError, match="finite"):
        fc.Polyline([[0, 0]]).at((float("nan"), [0, 0]))
