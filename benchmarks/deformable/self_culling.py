"""Three ideas of the texts about surfaces that touch themselves, beside what the search does.

Regions by their shape (Volino, Magnenat-Thalmann): faces are merged with neighbours so that regions are
round, instead of boxes being split. Directions of a dodecahedron, 62 instead of the 26 of a cube, for normals
to have an acute angle with. Orphan sets (Tang and others 2009): adjacent triangles are not looked at, but for
the pairs of features that no other triangles have. Run by itself, with the folder of data; it prints tables.
"""

import sys
from itertools import product
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from deformable.cases import FRAMES, SEQUENCES, scenes
from deformable.surfaces import Step
from firstcontact._jit import driver
from firstcontact.bounds.swept_bounds import swept_bounds
from firstcontact.deformable.normal_cones import DIRECTIONS, flat_nodes
from firstcontact.deformable.regions import Contours, region_contours
from firstcontact.hierarchy.build import build_tree
from firstcontact.hierarchy.refit import refit
from firstcontact.hierarchy.traversal import N_COUNTS, NODE_TESTS, Pairing, next_pairs
from firstcontact.hierarchy.tree import Tree

DOP = 16
ROUNDS = 3
ROOM = 1 << 16

Ints = NDArray[np.int64]
Bits = NDArray[np.uint64]


class Walk(NamedTuple):
    """What a traversal finds: pairs of triangles, tests of bounds, seconds of the processor."""

    pairs: NDArray[np.int32]
    tests: int
    seconds: float


@driver
def _fill(pairing: Any, stack: Any, top: int, pairs: Any, counts: Any) -> Any:
    return next_pairs(pairing, stack, top, 1 << 60, pairs, counts)


def walk(tree: Tree, bounds: Any, is_quiet: Any) -> Walk:
    """All pairs of triangles whose bounds overlap, but for those within quiet nodes; least of some rounds."""
    pairing = Pairing(tree.children, bounds, True, is_quiet.astype(np.int8))
    best, found, tests = np.inf, [], 0
    for _ in range(ROUNDS):
        stack, room = np.zeros((8 * (tree.depth + 4), 2), np.int32), np.empty((ROOM, 2), np.int32)
        counts, found, top, began = np.zeros(N_COUNTS, np.int64), [], 1, process_time()
        while top:
            n, top = _fill(pairing, stack, top, room, counts)
            found.append(room[:n].copy())
        best, tests = min(best, process_time() - began), int(counts[NODE_TESTS])
    return Walk(np.concatenate(found), tests, best)


def shape_tree(faces: NDArray[np.int32], vertices: NDArray[np.float64]) -> Tree:
    """A tree from the bottom up: at each level, neighbours are merged in the order of their shape factors.

    What is left over at a level joins a group that it touches; what touches nothing is joined by boxes.
    """
    corners = vertices[faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = 0.5 * np.linalg.norm(normals, axis=1)
    edges, lengths, sides = _shared_edges(faces, corners)
    contour = np.bincount(np.repeat(np.arange(len(faces)), 3), lengths.reshape(-1), len(faces))
    nodes: list[tuple[int, int]] = [(~f, ~f) for f in range(len(faces))]
    group, node_of = np.arange(len(faces)), np.arange(len(faces))
    while True:
        a, b = np.sort(group[edges], axis=1).T
        between = a != b
        keys, which = np.unique(a[between] * len(area) + b[between], return_inverse=True)
        if len(keys) == 0:
            break
        common = np.bincount(which, sides[between], len(keys))
        a, b = keys // len(area), keys % len(area)
        factor = np.sqrt(area[a] + area[b]) / np.maximum(contour[a] + contour[b] - 2.0 * common, 1e-300)
        new = np.full(len(area), -1)
        pending: list[int] = []
        n_new, order = 0, np.argsort(-factor, kind="stable")
        for k in order.tolist():  # pairs first
            x, y = int(a[k]), int(b[k])
            if new[x] < 0 and new[y] < 0:
                new[x] = new[y] = n_new
                pending.append(len(nodes))
                nodes.append((int(node_of[x]), int(node_of[y])))
                n_new += 1
        grown = np.zeros(n_new, bool)
        for k in order.tolist():  # then what is left joins one that was made, each of which takes one
            for x, y in ((int(a[k]), int(b[k])), (int(b[k]), int(a[k]))):
                if new[x] < 0 and new[y] >= 0 and not grown[new[y]]:
                    new[x], grown[new[y]] = new[y], True
                    nodes.append((pending[new[x]], int(node_of[x])))
                    pending[new[x]] = len(nodes) - 1
        for x in np.flatnonzero(new < 0).tolist():
            new[x] = n_new
            pending.append(int(node_of[x]))
            n_new += 1
        inner = np.bincount(new[a], np.where(new[a] == new[b], common, 0.0), n_new)
        contour = np.bincount(new, contour, n_new) - 2.0 * inner
        area, group, node_of = np.bincount(new, area, n_new), new[group], np.array(pending)
    return _in_order(nodes, node_of, group, corners)


def _shared_edges(faces: Any, corners: Any) -> tuple[Any, Any, Any]:
    """Pairs of faces with a common edge, the lengths of all sides, and those of the common edges."""
    ends = np.sort(np.stack([faces, np.roll(faces, -1, axis=1)], axis=-1).reshape(-1, 2), axis=1)
    lengths = np.linalg.norm(corners - np.roll(corners, -1, axis=1), axis=-1)
    order = np.lexsort(ends.T)
    same = (ends[order][1:] == ends[order][:-1]).all(axis=1)
    first, second = order[:-1][same], order[1:][same]
    return np.stack([first // 3, second // 3], axis=1), lengths, lengths.reshape(-1)[first]


def _in_order(nodes: list[tuple[int, int]], roots: Any, group: Any, corners: Any) -> Tree:
    """Join what is left by boxes, and number nodes depth first, as `Tree` has them."""
    low = np.full((len(roots), 3), np.inf)
    high = -low
    np.minimum.at(low, group, corners.min(axis=1))
    np.maximum.at(high, group, corners.max(axis=1))
    top = build_tree(np.concatenate([low, high], axis=1)).children
    names = np.empty(len(top), int)
    for k in range(len(top) - 1, -1, -1):
        x, y = top[k].tolist()
        names[k] = roots[~x] if x < 0 else len(nodes)
        if x >= 0:
            nodes.append((int(names[x]), int(names[y])))
    children, stack, deepest = np.empty((len(nodes), 2), np.int32), [(int(names[0]), -1, 0, 0)], 0
    n = 0
    while stack:
        node, parent, side, depth = stack.pop()
        here, n, deepest = n, n + 1, max(deepest, depth)
        if parent >= 0:
            children[parent, side] = here
        x, y = nodes[node]
        if x < 0:
            children[here] = x
        else:
            stack += [(y, here, 1, depth + 1), (x, here, 0, depth + 1)]
    return Tree(children, deepest)


def dodecahedral() -> NDArray[np.float64]:
    """Directions of a dodecahedron, one of each opposite pair: to 12 faces, 20 corners, 30 edges."""
    g = 0.5 * (1.0 + 5.0**0.5)
    cyclic = [np.roll([0.0, s, t * g], k) for s, t in product((-1, 1), (-1, 1)) for k in range(3)]
    corners = [np.array(x, float) for x in product((-1, 1), repeat=3)]
    corners += [np.roll([0.0, s / g, t * g], k) for s, t in product((-1, 1), (-1, 1)) for k in range(3)]
    faces = [x[[0, 2, 1]] for x in cyclic]
    nearest = min(float(np.linalg.norm(x - corners[0])) for x in corners[1:])
    edges = [x + y for x in corners for y in corners if 0.0 < np.linalg.norm(x - y) < 1.01 * nearest]
    every = np.array([*faces, *corners, *edges])
    every /= np.linalg.norm(every, axis=1)[:, np.newaxis]
    kept: list[NDArray[np.float64]] = []
    for x in every:
        if not any(abs(abs(x @ y) - 1.0) < 1e-9 for y in kept):
            kept.append(x)
    return np.array(kept)


def allowed(step: Step, directions: NDArray[np.float64]) -> Bits:
    """Bits of directions, and of their opposites, that the normal of each face keeps an acute angle with."""
    ends = [vertices[step.faces] for vertices in (step.start, step.end)]
    (e0, f0), (e1, f1) = ((x[:, 1] - x[:, 0], x[:, 2] - x[:, 0]) for x in ends)
    between = 0.5 * (np.cross(e0, f1) + np.cross(e1, f0))
    found = np.zeros(len(step.faces), np.uint64)
    for k, direction in enumerate(directions):
        along = np.stack([n @ direction for n in (np.cross(e0, f0), between, np.cross(e1, f1))])
        found |= (along.min(axis=0) > 0.0).astype(np.uint64) << np.uint64(2 * k)
        found |= (along.max(axis=0) < 0.0).astype(np.uint64) << np.uint64(2 * k + 1)
    return found


def allowing(tree: Tree, contours: Contours, of_faces: Bits) -> NDArray[np.bool_]:
    """Nodes with a contour whose faces allow a common direction, and those below: flat at best."""
    bits, children = np.zeros(len(tree.children), np.uint64), tree.children.tolist()
    for node in range(len(children) - 1, -1, -1):
        x, y = children[node]
        bits[node] = of_faces[~x] if x < 0 else bits[x] & bits[y]
    found = np.zeros(len(bits), bool)
    found[contours.nodes[np.diff(contours.offsets) > 0]] = True
    found &= bits != 0
    for node, (x, y) in enumerate(children):
        if found[node] and x >= 0:
            found[x] = found[y] = True
    return found


def region_of(tree: Tree, is_quiet: NDArray[np.bool_]) -> Ints:
    """The uppermost quiet node above each face, or a number of its own."""
    n = (len(tree.children) + 1) // 2
    found, above = -1 - np.arange(n), np.full(len(tree.children), -1)
    for node, (x, y) in enumerate(tree.children.tolist()):
        mine = node if above[node] < 0 and is_quiet[node] else above[node]
        if x < 0:
            found[~x] = mine if mine >= 0 else found[~x]
        else:
            above[x] = above[y] = mine
    return found


def orphans(step: Step, pairs: NDArray[np.int32]) -> tuple[int, int, int]:
    """Of pairs of triangles: how many are adjacent, pairs of features in these, and those in no others.

    A vertex and a face, or two edges, are orphans where each two triangles that have them are adjacent.
    """
    faces = step.faces
    one, other = faces[pairs[:, 0]], faces[pairs[:, 1]]
    is_adjacent = (one[:, :, np.newaxis] == other[:, np.newaxis]).any(axis=(1, 2))
    near = pairs[is_adjacent]
    n_vertices = len(step.start)
    around = _rings(faces, n_vertices)
    vertex_faces = np.concatenate(
        [
            np.stack([faces[f, i], g], axis=1)[~(faces[f, i][:, np.newaxis] == faces[g]).any(axis=1)]
            for f, g in ((near[:, 0], near[:, 1]), (near[:, 1], near[:, 0]))
            for i in range(3)
        ]
    )
    vertex_faces = np.unique(vertex_faces, axis=0)
    are_alone = np.ones(len(vertex_faces), bool)
    for column in around.T:
        ring = column[vertex_faces[:, 0]]
        touch = (faces[ring][:, :, np.newaxis] == faces[vertex_faces[:, 1]][:, np.newaxis]).any(axis=(1, 2))
        are_alone &= touch | (ring < 0)
    return int(is_adjacent.sum()), len(vertex_faces), int(are_alone.sum())


def _rings(faces: Any, n_vertices: int) -> Ints:
    """Faces around each vertex, (n, most), -1 for none."""
    order = np.argsort(faces.reshape(-1), kind="stable")
    owner = faces.reshape(-1)[order]
    first = np.searchsorted(owner, np.arange(n_vertices))
    place = np.arange(len(owner)) - first[owner]
    rings = np.full((n_vertices, int(place.max()) + 1), -1)
    rings[owner, place] = order // 3
    return rings


def study(name: str, step: Step) -> None:
    """Print all three for one step."""
    step = Step(*(np.ascontiguousarray(x) for x in step))
    faces = step.faces.astype(np.int32)
    step = step._replace(faces=faces)
    bounds = swept_bounds(step.start, step.end, faces, DOP)
    trees = {"boxes": build_tree(bounds), "shape factors": shape_tree(faces, step.start)}
    none = np.zeros(2 * len(faces) - 1, np.bool_)
    plain = walk(trees["boxes"], refit(trees["boxes"], bounds), none)
    print(f"{name}: {len(faces):,} triangles, {len(plain.pairs):,} pairs whose bounds overlap")
    for which, tree in trees.items():
        contours = region_contours(tree.children, faces)
        began = process_time()
        flat = flat_nodes(tree.children, faces, contours, step.start, step.end)
        cones = process_time() - began
        fitted = refit(tree, bounds)
        every, left = walk(tree, fitted, none), walk(tree, fitted, flat)
        share = 1.0 - len(left.pairs) / len(plain.pairs)
        print(
            f"  regions by {which}: depth {tree.depth}, {every.tests:,} tests of bounds without cones; with "
            f"them {share:.1%} of pairs left out, {left.tests:,} tests, {1e3 * left.seconds:.0f} ms, cones "
            f"{1e3 * cones:.0f} ms"
        )
        for label, directions in (("cube, 26", np.array(DIRECTIONS)), ("dodecahedron, 62", dodecahedral())):
            region = region_of(tree, allowing(tree, contours, allowed(step, directions)))
            out = region[plain.pairs[:, 0]] == region[plain.pairs[:, 1]]
            print(f"    {label}: at best {out.mean():.1%} of pairs left out")
        if which == "boxes":
            for label, found in (("all", every), ("left by cones", left)):
                n_near, n_features, n_alone = orphans(step, found.pairs)
                print(
                    f"    of pairs {label}: {n_near:,} of {len(found.pairs):,} adjacent, with {n_features:,} "
                    f"pairs of a vertex and a face, of which {n_alone:,} are orphans"
                )


def main(data: Path) -> None:
    """Study the steps of third parties: both frames, and two steps of the dance."""
    for scene in scenes(data, (*FRAMES, *SEQUENCES), quick=True):
        for number, step in enumerate(scene.steps[:2]):
            study(f"{scene.name}, step {number}", step)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
