"""The contours of a tree's regions, against the definition."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deformable.patches import annulus, faces_below, fan, grid, median_tree, moebius, random_tree, tree_of
from firstcontact.deformable import regions
from firstcontact.deformable.regions import MAX_CONTOUR_EDGES, MAX_REGION_FACES, region_contours


def contour_by_definition(faces):
    """The vertices of the one simple cycle that bounds some faces; empty where there is none."""
    if any(len(set(face)) < 3 for face in faces):
        return []
    count = Counter((face[k - 1], face[k]) for face in faces for k in range(3))
    edges = [edge for edge in count if count[edge] > count[edge[::-1]]]
    successors = dict(edges)
    if not edges or len(successors) < len(edges) or any(count[e] - count[e[::-1]] > 1 for e in edges):
        return []
    cycle = [edges[0][0]]
    while successors[cycle[-1]] != cycle[0]:
        cycle.append(successors[cycle[-1]])
    return cycle if len(cycle) == len(edges) else []


def same_cycle(a, b):
    return len(a) == len(b) and (not a or any(a == b[k:] + b[:k] for k in range(len(b))))


def contours_by_node(children, faces):
    found = region_contours(children, faces)
    assert found.offsets[-1] == len(found.vertex_ids)
    return {
        int(node): found.vertex_ids[found.offsets[i] : found.offsets[i + 1]].tolist()
        for i, node in enumerate(found.nodes)
    }


def assert_right(children, faces):
    found = contours_by_node(children, faces)
    for node in range(len(children)):
        ids = faces_below(children, node)
        if len(ids) > MAX_REGION_FACES:
            assert node not in found
            continue
        expected = contour_by_definition(faces[ids].tolist()) if len(ids) > 1 else []
        assert same_cycle(found[node], expected if len(expected) <= MAX_CONTOUR_EDGES else [])


@pytest.mark.parametrize(
    "patch", [grid(5, 7), grid(1, 40), fan(9, 6.0, False), fan(8, 6.28, True), annulus(8), moebius(7)]
)
@pytest.mark.parametrize("seed", range(6))
def test_contours_are_those_of_the_definition(patch, seed):
    vertices, faces = patch
    assert_right(median_tree(vertices, faces), faces)
    assert_right(random_tree(faces, np.random.default_rng(seed)), faces)


@given(st.lists(st.tuples(*[st.integers(0, 6)] * 3), min_size=1, max_size=24), st.integers(0, 2**32))
def test_any_soup_of_faces(faces, seed):
    # Few vertices: repeated ones, faces that occur twice or back to back, edges of many faces.
    faces = np.array(faces, np.int32)
    assert_right(random_tree(faces, np.random.default_rng(seed)), faces)


@pytest.mark.parametrize("lean", [1, -1])
def test_a_tree_like_a_list(lean):
    _, faces = grid(12, 6)
    assert_right(tree_of(faces, lambda ids: (ids[:lean], ids[lean:])), faces)


def test_subtrees_cover_the_small_nodes_once_and_children_come_first():
    vertices, faces = grid(40, 31)
    children = median_tree(vertices, faces)
    found = region_contours(children, faces)
    position = {int(node): i for i, node in enumerate(found.nodes)}
    sizes = np.array([len(faces_below(children, node)) for node in range(len(children))])
    assert sorted(position) == np.flatnonzero(sizes <= MAX_REGION_FACES).tolist()
    for first, last in zip(found.subtrees[:-1], found.subtrees[1:], strict=True):
        inside = set(found.nodes[first:last].tolist())
        root = int(found.nodes[last - 1])
        assert last - first == 2 * sizes[root] - 1
        for node in inside:
            if children[node, 0] >= 0:
                assert set(children[node].tolist()) <= inside
                assert max(position[int(child)] for child in children[node]) < position[node]
    parents = {int(child): node for node, pair in enumerate(children) for child in pair if child >= 0}
    roots = found.nodes[found.subtrees[1:] - 1]
    assert all(sizes[parents[int(root)]] > MAX_REGION_FACES for root in roots)


def test_no_faces_and_one_face():
    none = region_contours(np.empty((0, 2), np.int32), np.empty((0, 3), np.int32))
    assert len(none.nodes) == len(none.vertex_ids) == 0
    assert none.offsets.tolist() == none.subtrees.tolist() == [0]
    one = region_contours(np.array([[-1, -1]], np.int32), np.array([[4, 2, 7]], np.int32))
    assert one.nodes.tolist() == [0]
    assert one.offsets.tolist() == [0, 0]


def test_a_closed_surface_has_no_contour():
    faces = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]], np.int32)
    children = random_tree(faces, np.random.default_rng(0))
    assert contours_by_node(children, faces)[0] == []


def test_large_vertex_numbers_survive_their_code():
    high = 2**31 - 1
    for tail, head in [(0, high), (high, 0), (high - 1, high), (high, high - 1), (5, 3)]:
        code = regions._edge_code(np.int32(tail), np.int32(head))
        assert regions._ends_of_edge(code) == (tail, head)
        assert code ^ regions._edge_code(np.int32(head), np.int32(tail)) == 1
        assert regions._edge_code.py_func(np.int32(tail), np.int32(head)) == code
