import numpy as np
import pytest

from firstcontact.hierarchy.build import build_tree
from firstcontact.hierarchy.quality import quality
from firstcontact.hierarchy.refit import refit
from firstcontact.hierarchy.tree import Tree
from hierarchy.trees import random_boxes


def area(low: np.ndarray, high: np.ndarray) -> float:
    x, y, z = high - low
    return x * y + y * z + z * x if min(x, y, z) >= 0.0 else 0.0


def slow_quality(tree: Tree, bounds: np.ndarray) -> tuple[float, list[float]]:
    half = bounds.shape[1] // 2
    low, high = bounds[:, :3], bounds[:, half : half + 3]

    def sums(node: int) -> tuple[float, float, float]:
        """Overlaps, inner areas and leaf areas below a node."""
        left, right = tree.children[node]
        if left < 0:
            return 0.0, 0.0, area(low[node], high[node])
        overlap = area(np.maximum(low[left], low[right]), np.minimum(high[left], high[right]))
        here = np.array([overlap, area(low[node], high[node]), 0.0])
        return tuple(here + sums(left) + sums(right))

    rows = [sums(node) for node in range(len(bounds))]
    return rows[0][0] / rows[0][2], [inner / leaves for _, inner, leaves in rows]


@pytest.mark.parametrize("k", [6, 14])
def test_quality_sums_overlaps_and_areas(k):
    boxes = random_boxes(150)
    bounds = np.zeros((150, k))
    bounds[:, :3], bounds[:, k // 2 : k // 2 + 3] = boxes[:, :3], boxes[:, 3:]
    tree = build_tree(bounds)
    nodes = refit(tree, bounds)
    found, expected = quality(tree, nodes), slow_quality(tree, nodes)
    np.testing.assert_allclose(found.overlap, expected[0], rtol=1e-12)
    np.testing.assert_allclose(found.spreads, expected[1], rtol=1e-12)


@pytest.mark.parametrize("scale", [1e-6, 1e6, 2.0**140])
def test_quality_does_not_depend_on_the_scale(scale):
    boxes = random_boxes(100)
    tree = build_tree(boxes)
    plain, scaled = quality(tree, refit(tree, boxes)), quality(tree, refit(tree, boxes * scale))
    np.testing.assert_allclose(scaled.overlap, plain.overlap, rtol=1e-12)
    np.testing.assert_allclose(scaled.spreads, plain.spreads, rtol=1e-12)


@pytest.mark.parametrize("n", [0, 1])
def test_quality_of_nothing_and_of_one(n):
    tree = build_tree(random_boxes(n))
    found = quality(tree, refit(tree, random_boxes(n)))
    assert found.overlap == 0.0
    assert found.spreads.tolist() == [0.0] * n


def test_points_have_no_area_to_measure_by():
    points = random_boxes(50, size=0.0)
    tree = build_tree(points)
    found = quality(tree, refit(tree, points))
    assert found.overlap == 0.0
    assert found.spreads[0] == np.inf


def test_a_tree_over_what_has_mixed_overlaps_more_than_a_new_one():
    boxes = random_boxes(500)
    mixed = boxes[np.random.default_rng(0).permutation(500)]
    old, new = build_tree(boxes), build_tree(mixed)
    assert quality(old, refit(old, mixed)).overlap > 10.0 * quality(new, refit(new, mixed)).overlap
