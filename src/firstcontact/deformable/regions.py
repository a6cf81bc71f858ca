"""Regions of a surface, one a tree node, and the vertex loops that bound them: topology only."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Ids

Codes = NDArray[np.int64]
Offsets = NDArray[np.int64]

# Larger regions are left to the search. On a smooth cloth of 92,450 faces, 73, 81, 86, 91 and 93 % of the
# pairs of adjacent faces lie in one flat region with limits of 64, 128, 256, 512 and 1024, at the same cost;
# meshes with creases gain little above 256.
MAX_REGION_FACES = 1024

# A test of all pairs of edges is worth its time while they are few against the faces: around a compact region
# of 1024 faces there are about 100 edges, around a ribbon as many as it has faces.
MAX_CONTOUR_EDGES = 192

_SHORTEST_CYCLE = 3
_ID_BITS = 31
_ID_MASK = 2**_ID_BITS - 1
_NO_VERTEX = -1


class Contours(NamedTuple):
    """The regions of at most `MAX_REGION_FACES` faces, children before parents, and their contours.

    Position i stands for tree node `nodes[i]`. Its contour, counterclockwise seen from the faces' front, is
    `vertex_ids[offsets[i]:offsets[i + 1]]`: empty unless the boundary is one simple closed cycle. Subtree s
    takes the positions from `subtrees[s]` to `subtrees[s + 1]`; the last is its root.
    """

    nodes: Ids
    subtrees: Ids
    offsets: Offsets
    vertex_ids: Ids


def region_contours(children: Ids, faces: Ids) -> Contours:
    """Find the contour of every tree node's region that is bounded by one simple closed cycle.

    Exact. The boundary of a region is the sum of its faces' directed edges, opposite ones cancelling. A node
    has a contour if each edge that remains does so once, and all of them form one cycle that visits each of
    its vertices once. Leaves, and regions of too many faces or edges, have none.

    Parameters
    ----------
    children : (2 n - 1, 2) children of each node, with greater indices; ``(~p, ~p)`` in the leaf of face p
    faces : (n, 3) vertices of each face; one that repeats a vertex leaves its regions without a contour
    """
    n_nodes = len(children)
    nodes, subtrees = np.empty(n_nodes, np.int32), np.zeros(n_nodes + 1, np.int32)
    sizes, ends = np.ones(n_nodes, np.int32), np.zeros(n_nodes, np.int32)
    n, n_subtrees, capacity = _list_small_subtrees(children, sizes, ends, nodes, subtrees)
    contours = Contours(
        nodes[:n].copy(),
        subtrees[: n_subtrees + 1].copy(),
        np.zeros(n + 1, np.int64),
        np.empty(capacity, np.int32),
    )
    successors = np.full(int(faces.max(initial=-1)) + 1, _NO_VERTEX, np.int32)
    work = np.empty((2, 3 * MAX_REGION_FACES), np.int64)
    n_ids = _trace_contours(children, faces, contours, successors, work)
    return contours._replace(vertex_ids=contours.vertex_ids[:n_ids].copy())


@driver
def _list_small_subtrees(
    children: Ids, sizes: Ids, ends: Ids, nodes: Ids, subtrees: Ids
) -> tuple[int, int, int]:
    """List the largest subtrees within the limit; count nodes, subtrees, and room for all contours."""
    for node in range(len(children) - 1, -1, -1):
        if children[node, 0] >= 0:
            sizes[node] = sizes[children[node, 0]] + sizes[children[node, 1]]
    n, n_subtrees, capacity = 0, 0, 0
    for node in range(len(children)):
        if sizes[node] > MAX_REGION_FACES:
            continue
        if ends[node] == 0:  # the parent, if any, is too large
            n += 2 * sizes[node] - 1
            n_subtrees += 1
            ends[node] = subtrees[n_subtrees] = n
        nodes[ends[node] - 1] = node
        capacity += min(3 * sizes[node], MAX_CONTOUR_EDGES)
        left, right = children[node, 0], children[node, 1]
        if left >= 0:
            ends[right] = ends[node] - 1
            ends[left] = ends[right] - (2 * sizes[right] - 1)
    return n, n_subtrees, capacity


@driver
def _trace_contours(children: Ids, faces: Ids, contours: Contours, successors: Ids, work: Codes) -> int:
    """Add the boundaries of children to their parents', and write down those that are simple cycles."""
    nodes, subtrees, offsets, vertex_ids = contours
    stack, boundary = work[0], work[1]
    # The boundaries of nodes that wait for their parent lie in the stack one after the other.
    bounds, n_ids = np.zeros(MAX_REGION_FACES + 1, np.int64), 0
    for s in range(len(subtrees) - 1):
        depth = 0
        for i in range(subtrees[s], subtrees[s + 1]):
            face = ~children[nodes[i], 0]
            if face >= 0:
                n = _boundary_of_face(faces, face, boundary)
            else:
                depth -= 2
                n = _sum_of_boundaries(stack, bounds[depth], bounds[depth + 1], bounds[depth + 2], boundary)
                n_ids += _trace_cycle(boundary, n, successors, vertex_ids, n_ids)
            for k in range(n):
                stack[bounds[depth] + k] = boundary[k]
            bounds[depth + 1] = bounds[depth] + n
            depth += 1
            offsets[i + 1] = n_ids
    return n_ids


@kernel
def _edge_code(tail: int, head: int) -> int:
    """Number a directed edge: the smaller vertex, the larger, then one bit for the direction."""
    low, high = int(np.int64(min(tail, head))), int(np.int64(max(tail, head)))
    return ((low << _ID_BITS | high) << 1) + (tail > head)


@kernel
def _ends_of_edge(code: int) -> tuple[int, int]:
    """Tail and head of the directed edge with this number."""
    low, high = code >> (_ID_BITS + 1), (code >> 1) & _ID_MASK
    return (high, low) if code & 1 else (low, high)


@kernel
def _boundary_of_face(faces: Ids, face: int, boundary: Codes) -> int:
    """Write a face's edges in ascending order; return how many there are."""
    a, b, c = faces[face, 0], faces[face, 1], faces[face, 2]
    x, y, z = _edge_code(a, b), _edge_code(b, c), _edge_code(c, a)
    boundary[0], boundary[2] = min(min(x, y), z), max(max(x, y), z)
    boundary[1] = max(min(x, y), min(max(x, y), z))
    if (a != b) & (b != c) & (c != a):
        return 3
    # An edge from a vertex to itself has no opposite: it stays in the boundary of every region above.
    boundary[0] = _edge_code(a, a) if (a == b) | (c == a) else _edge_code(b, b)
    return 1


@kernel
def _sum_of_boundaries(stack: Codes, first: int, middle: int, last: int, total: Codes) -> int:
    """Merge two neighbouring, ascending lists of edges, without opposite ones; return how many remain."""
    i, j, n = first, middle, 0
    while (i < middle) | (j < last):
        if (i < middle) & (j < last) and stack[i] ^ stack[j] == 1:  # an edge in both directions
            i += 1
            j += 1
            continue
        if j == last or (i < middle and stack[i] <= stack[j]):
            total[n] = stack[i]
            i += 1
        else:
            total[n] = stack[j]
            j += 1
        n += 1
    return n


@kernel
def _trace_cycle(boundary: Codes, n: int, successors: Ids, vertex_ids: Ids, first: int) -> int:
    """Write the vertices of a boundary that is one simple cycle, in order; return their number, else zero."""
    is_simple = (n >= _SHORTEST_CYCLE) & (n <= MAX_CONTOUR_EDGES)
    for k in range(n):
        tail, head = _ends_of_edge(boundary[k])
        is_simple &= successors[tail] == _NO_VERTEX
        successors[tail] = head
    # A boundary enters a vertex as often as it leaves it: where it leaves each once, it is a union of cycles.
    length, vertex = 0, _ends_of_edge(boundary[0])[0]
    while is_simple and (length == 0 or vertex != vertex_ids[first]):
        vertex_ids[first + length] = vertex
        vertex = int(successors[vertex])
        length += 1
    for k in range(n):
        successors[_ends_of_edge(boundary[k])[0]] = _NO_VERTEX
    return length if length == n else 0
