"""Every node's volume holds all points below it, and every primitive is in one leaf."""

import numba
import numpy as np
import pytest

from firstcontact.bounds.swept_sphere import N_COLUMNS, REACH, volume_of
from firstcontact.hierarchy import volume_tree as module
from firstcontact.hierarchy.volume_tree import volume_tree
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF

RNG = np.random.default_rng(4)
FIT = 32.0 * UNIT_ROUNDOFF


def leaves_below(tree, node):
    """Primitives below a node, in the order of the leaves."""
    left, right = tree.children[node].tolist()
    if left < 0:
        assert left == right
        return [~left]
    return leaves_below(tree, left) + leaves_below(tree, right)


def depth_below(tree, node):
    left, right = tree.children[node].tolist()
    return 0 if left < 0 else 1 + max(depth_below(tree, left), depth_below(tree, right))


def sticks_out(volume, points):
    x = points - np.array(volume.center)
    along, across, normal = np.abs(np.array(volume[1:4]) @ x.T)
    outside = np.maximum(along - volume.half_length, 0.0), np.maximum(across - volume.half_width, 0.0), normal
    return max(
        np.linalg.norm(outside, axis=0).max() - volume.radius, np.linalg.norm(x, axis=1).max() - volume.reach
    )


CLOUDS = {
    "one": RNG.standard_normal((1, 3, 3)),
    "two": RNG.standard_normal((2, 3, 3)),
    "many": RNG.standard_normal((150, 1, 3)) + 0.1 * RNG.standard_normal((150, 3, 3)),
    "coincident": np.ones((40, 3, 3)),
    "flat": RNG.standard_normal((60, 3, 3)) * [1.0, 1.0, 0.0],
    "line": RNG.standard_normal((60, 3, 3)) * [1.0, 0.0, 0.0],
    "tiny": 1e-200 * RNG.standard_normal((30, 3, 3)),
    "large": 1e40 * RNG.standard_normal((30, 3, 3)),
    "uneven": 10.0 ** RNG.uniform(-12.0, 3.0, (60, 1, 1)) * RNG.standard_normal((60, 3, 3)),
}


@pytest.mark.parametrize("cloud", CLOUDS)
def test_the_tree_holds_everything(cloud):
    points = CLOUDS[cloud]
    tree, n = volume_tree(points), len(points)
    assert tree.children.shape == (2 * n - 1, 2)
    assert tree.volumes.shape == (2 * n - 1, N_COLUMNS)
    assert sorted(tree.order.tolist()) == list(range(n))
    assert np.array_equal(tree.points, points[tree.order].reshape(n, 9))
    assert leaves_below(tree, 0) == list(range(n))
    assert tree.depth == depth_below(tree, 0)
    for node in range(2 * n - 1):
        corners = tree.points[leaves_below(tree, node)].reshape(-1, 3)
        volume = volume_of(tree.volumes, node)
        assert volume.reach == tree.volumes[node, REACH]
        assert sticks_out(volume, corners) <= FIT * np.abs(corners).max() + 1e-160


@pytest.mark.parametrize("cloud", ["many", "uneven"])
def test_nodes_are_numbered_depth_first(cloud):
    tree = volume_tree(CLOUDS[cloud])
    for node, (left, right) in enumerate(tree.children.tolist()):
        if left >= 0:
            assert left == node + 1
            assert right == left + 2 * len(leaves_below(tree, left)) - 1


def test_volumes_shrink_towards_the_leaves():
    tree = volume_tree(CLOUDS["many"])
    inner = tree.children[:, 0] >= 0
    assert np.median(tree.volumes[~inner, REACH]) < 0.2 * tree.volumes[0, REACH]


def test_nothing_has_no_tree():
    tree = volume_tree(np.empty((0, 3, 3)))
    assert (len(tree.children), len(tree.volumes), len(tree.points), len(tree.order)) == (0, 0, 0, 0)


def test_the_number_of_threads_changes_nothing(monkeypatch):
    points = RNG.standard_normal((700, 1, 3)) + 0.1 * RNG.standard_normal((700, 3, 3))
    serial = volume_tree(points)
    monkeypatch.setattr(module, "WORTH_A_THREAD", 1)
    n_threads = numba.get_num_threads()
    try:
        for n in range(1, n_threads + 1):
            numba.set_num_threads(n)
            for array, other in zip(serial[:4], volume_tree(points)[:4], strict=True):
                assert array.tobytes() == other.tobytes()
    finally:
        numba.set_num_threads(n_threads)
