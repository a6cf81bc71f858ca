"""Boxes to build trees over, what every tree must be, and slow ways to say what is right."""

import numpy as np

from firstcontact._lanes import WIDTH
from firstcontact.hierarchy.box_blocks import BoxBlocks
from firstcontact.hierarchy.tree import MAX_DEPTH, Tree


def random_boxes(n: int, seed: int = 0, size: float = 0.05) -> np.ndarray:
    rng = np.random.default_rng(seed)
    low = rng.random((n, 3))
    return np.concatenate([low, low + size * rng.random((n, 3))], axis=1)


def nested_boxes(n: int) -> np.ndarray:
    """Centres that close in on the origin so fast that splits by area alone would make a chain."""
    scale = 2.0 ** (140.0 - 8.0 * np.arange(n))[:, np.newaxis]
    return np.concatenate([np.ones((n, 3)) * scale, np.ones((n, 3)) * scale], axis=1)


def degenerate_boxes() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(7)
    one = np.array([[1.0, 2.0, 3.0, 1.5, 2.5, 3.0]])
    line = np.zeros((100, 6))
    line[:, 2] = line[:, 5] = rng.permutation(100)
    flat = random_boxes(200)
    flat[:, [2, 5]] = 0.0
    points = random_boxes(300, size=0.0)
    endless = random_boxes(40)
    endless[::3] = [-np.inf] * 3 + [np.inf] * 3
    concentric = random_boxes(90)
    concentric[:, :3] = -concentric[:, 3:]
    return {
        "coincident": np.repeat(one, 1000, axis=0),
        "two places": np.concatenate(
            [np.repeat(one, 500, axis=0), np.repeat(-one[:, [3, 4, 5, 0, 1, 2]], 3, 0)]
        ),
        "line": line,
        "flat": flat,
        "points": points,
        "denormal": random_boxes(100) * 5e-322,
        "huge": (random_boxes(100) - 0.5) * 2.0**150,
        "nested": nested_boxes(145),
        "concentric": concentric,
        "endless": endless,
    }


def depths(tree: Tree) -> np.ndarray:
    found = np.zeros(len(tree.children), dtype=int)
    for node, (left, right) in enumerate(tree.children):
        if left >= 0:
            found[left] = found[right] = found[node] + 1
    return found


def assert_is_tree(tree: Tree, n: int) -> None:
    """Check all that `Tree` promises."""
    assert tree.children.shape == (max(2 * n - 1, 0), 2)
    assert tree.children.dtype == np.int32
    is_leaf = tree.children[:, 0] < 0
    assert np.array_equal(tree.children[is_leaf, 0], tree.children[is_leaf, 1])
    assert np.array_equal(np.sort(~tree.children[is_leaf, 0]), np.arange(n))
    inner = np.flatnonzero(~is_leaf)
    assert np.array_equal(tree.children[inner, 0], inner + 1)
    ends = np.zeros(len(tree.children), dtype=int)
    for node in range(len(tree.children) - 1, -1, -1):
        left, right = tree.children[node]
        ends[node] = node + 1 if left < 0 else ends[right]
        assert left < 0 or ends[left] == right
    assert n == 0 or ends[0] == len(tree.children)
    assert tree.depth == max(depths(tree), default=0) <= MAX_DEPTH


def node_bounds(tree: Tree, leaf_bounds: np.ndarray) -> np.ndarray:
    """Bound each node by all the primitives below it, one by one."""
    half = leaf_bounds.shape[1] // 2

    def primitives(node: int) -> list[int]:
        left, right = tree.children[node]
        return [~left] if left < 0 else primitives(left) + primitives(right)

    rows = [leaf_bounds[primitives(node)] for node in range(len(tree.children))]
    unions = [np.concatenate([row[:, :half].min(axis=0), row[:, half:].max(axis=0)]) for row in rows]
    return np.array(unions).reshape(-1, 2 * half)


def overlapping_pairs(boxes: np.ndarray) -> int:
    half = boxes.shape[1] // 2
    low, high = boxes[:, np.newaxis, :half], boxes[np.newaxis, :, half:]
    is_below = np.all(low <= high, axis=2)
    return int(np.triu(is_below & is_below.T, 1).sum())


def box_tests(tree: Tree, bounds: np.ndarray) -> tuple[int, int]:
    """Count the box tests of a self traversal, and the pairs of leaves that it finds."""
    half = bounds.shape[1] // 2
    pairs = [(0, 0)]
    n_tests, n_leaves = 0, 0
    while pairs:
        a, b = pairs.pop()
        if a == b:
            left, right = tree.children[a]
            if left >= 0:
                pairs += [(left, left), (right, right), (left, right)]
            continue
        n_tests += 1
        if np.any(bounds[a, :half] > bounds[b, half:]) or np.any(bounds[b, :half] > bounds[a, half:]):
            continue
        left, right = tree.children[a]
        if left >= 0:
            pairs += [(left, b), (right, b)]
        elif tree.children[b, 0] >= 0:
            pairs += [(child, a) for child in tree.children[b]]
        else:
            n_leaves += 1
    return n_tests, n_leaves


def assert_blocks(tree: BoxBlocks, bounds: np.ndarray, leaf_size: int) -> None:
    """Every box must be in one leaf, and in all boxes above that."""
    scaled = bounds.reshape(-1, 2, 3) * tree.factor - np.array(tree.middle)
    assert np.all(np.abs(scaled) <= np.array(tree.half))
    seen, n_visited, deepest = [], 0, 0
    todo = [(0, 1, np.full(3, -np.inf), np.full(3, np.inf))] if len(tree.children) else []
    while todo:
        block, depth, low, high = todo.pop()
        n_visited, deepest = n_visited + 1, max(deepest, depth)
        for k in range(WIDTH):
            own_low, own_high = tree.boxes[block, :3, k], tree.boxes[block, 3:, k]
            if np.all(own_low > own_high):
                assert np.all(np.isinf(tree.boxes[block, :, k:]))
                break
            assert np.all(own_low >= low)
            assert np.all(own_high <= high)
            child = tree.children[block, k]
            if child >= 0:
                todo.append((child, depth + 1, own_low, own_high))
                continue
            ids = tree.leaves[~child]
            ids = ids[ids >= 0]
            assert 0 < len(ids) <= leaf_size
            assert np.all(tree.leaves[~child, len(ids) :] < 0)
            assert np.all(own_low <= scaled[ids, 0])
            assert np.all(own_high >= scaled[ids, 1])
            seen += ids.tolist()
    assert sorted(seen) == list(range(len(bounds)))
    assert n_visited == len(tree.children)
    assert deepest == tree.depth
