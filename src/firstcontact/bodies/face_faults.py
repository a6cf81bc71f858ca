"""What is unusual about the faces of a mesh: edges, orientation, faces without area, or there twice.

Vertices at one place count as one. An edge belongs to the faces that run along it: two, in opposite
directions, where the surface is closed and oriented.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array, Flags, Ids
from firstcontact.bodies.closed_faces import joined_faces
from firstcontact.scalar.exact_vectors import exact_cross, exact_sub
from firstcontact.scalar.integer_polynomial import scaled_integers
from firstcontact.shapes.mesh import Mesh

# Faces lower than this part of their longest side are slivers: their normals have lost as many digits.
SLIVER = 1e-3

# Faces lower than this are looked at in integers: a height in floating point is off by less.
DOUBTFUL = 1e-12


class EdgeFaults(NamedTuple):
    """Edges, (k, 2) vertices each, by what is unusual about them.

    is_open : one face runs along them
    is_forked : three faces or more do
    is_turned : two faces do, in the same direction: their sides differ
    """

    edges: Ids
    is_open: Flags
    is_forked: Flags
    is_turned: Flags


class Orientation(NamedTuple):
    """Parts of a surface that two faces an edge hold together, and which of their faces look the other way.

    part_ids : (m,), the part of each face
    is_back : (m,), faces that look against most of their part, or, where that is closed, inwards
    is_one_sided : (n_parts,), parts that cannot be oriented, as a Moebius strip
    """

    part_ids: NDArray[np.int64]
    is_back: Flags
    is_one_sided: Flags


class Sides(NamedTuple):
    """The sides of all faces, in the order of edges: which face, whether from the lesser to the larger end.

    starts : (k + 1,), where the sides of each edge begin
    """

    edges: Ids
    starts: NDArray[np.int64]
    faces: NDArray[np.int64]
    is_forth: Flags


def sides_of(mesh: Mesh) -> Sides:
    """Gather the sides of all faces that are no points, edge by edge."""
    faces = joined_faces(mesh).astype(np.int64)
    ends = np.stack([faces, np.roll(faces, -1, axis=1)], axis=2).reshape(-1, 2)
    owners, own = np.arange(len(ends)) // 3, mesh.faces.reshape(-1)
    used = np.flatnonzero(ends[:, 0] != ends[:, 1])
    ends, owners = ends[used], owners[used]
    keys = ends.min(axis=1) << 32 | ends.max(axis=1)
    order = np.argsort(keys, kind="stable")
    _, first = np.unique(keys[order], return_index=True)
    following = used // 3 * 3 + (used + 1) % 3
    edges = np.stack([own[used], own[following]], axis=1)[order][first]
    starts = np.append(first, len(order))
    return Sides(edges, starts, owners[order], (ends[:, 0] < ends[:, 1])[order])


def edge_faults(sides: Sides) -> EdgeFaults:
    """Tell open, forked and turned edges."""
    counts = np.diff(sides.starts)
    n_forth = np.add.reduceat(sides.is_forth.astype(np.int64), sides.starts[:-1]) if len(counts) else counts
    return EdgeFaults(sides.edges, counts == 1, counts > 2, (counts == 2) & (n_forth != 1))


def orientation(mesh: Mesh, sides: Sides) -> Orientation:
    """Find which faces look the other way."""
    n = mesh.n_faces
    pairs = np.flatnonzero(np.diff(sides.starts) == 2)
    first, second = sides.faces[sides.starts[pairs]], sides.faces[sides.starts[pairs] + 1]
    is_turned = sides.is_forth[sides.starts[pairs]] == sides.is_forth[sides.starts[pairs] + 1]
    part_ids, colors, one_sided = _colored(n, first, second, is_turned)
    n_parts = int(part_ids.max(initial=-1)) + 1
    areas, volumes = _measures(mesh)
    signs = np.where(colors, -1.0, 1.0)
    is_whole = np.ones(n_parts, np.bool_)
    is_whole[part_ids[sides.faces[np.repeat(np.diff(sides.starts) != 2, np.diff(sides.starts))]]] = False
    volume = np.bincount(part_ids, signs * volumes, minlength=n_parts)
    more = np.bincount(part_ids, signs * areas, minlength=n_parts)
    wrong = np.where(is_whole, volume < 0.0, more < 0.0)  # whether those that are not turned look back
    is_one_sided = np.zeros(n_parts, np.bool_)
    is_one_sided[part_ids[one_sided]] = True
    return Orientation(part_ids, (colors ^ wrong[part_ids]) & ~is_one_sided[part_ids], is_one_sided)


def _colored(
    n: int, first: NDArray[np.int64], second: NDArray[np.int64], is_turned: Flags
) -> tuple[NDArray[np.int64], Flags, list[int]]:
    """Walk over edges from face to face: parts, faces that are turned against the first, and where both."""
    near: list[list[tuple[int, bool]]] = [[] for _ in range(n)]
    for f, g, turned in zip(first.tolist(), second.tolist(), is_turned.tolist(), strict=True):
        near[f].append((g, turned))
        near[g].append((f, turned))
    part_ids, colors = [-1] * n, [False] * n
    one_sided, n_parts = [], 0
    for start in range(n):
        if part_ids[start] >= 0:
            continue
        part_ids[start], stack = n_parts, [start]
        while stack:
            f = stack.pop()
            for g, turned in near[f]:
                if part_ids[g] < 0:
                    part_ids[g], colors[g] = n_parts, colors[f] ^ turned
                    stack.append(g)
                elif colors[g] != colors[f] ^ turned:
                    one_sided.append(g)
        n_parts += 1
    return np.array(part_ids, np.int64), np.array(colors, np.bool_), one_sided


def _measures(mesh: Mesh) -> tuple[Array, Array]:
    """Areas of faces, and volumes that they span with the middle; in units of the size."""
    middle = mesh.centroid
    size = float(np.abs(mesh.vertices - middle).max(initial=0.0)) or 1.0
    a, b, c = np.moveaxis(((mesh.vertices - middle) / size)[mesh.faces], 1, 0)
    return np.linalg.norm(np.cross(b - a, c - a), axis=1), np.einsum("ij,ij->i", a, np.cross(b, c))


def heights(mesh: Mesh) -> Array:
    """Height of each face, in units of its longest side; exactly 0 where it has no area, and only there."""
    corners = mesh.vertices[mesh.faces]
    sides = np.roll(corners, -1, axis=1) - corners
    longest = np.abs(sides).max(axis=(1, 2), initial=0.0)
    sides = sides / np.where(longest > 0.0, longest, 1.0)[:, np.newaxis, np.newaxis]
    lengths = np.linalg.norm(sides, axis=2).max(axis=1, initial=0.0)
    areas = np.linalg.norm(np.cross(sides[:, 0], sides[:, 1]), axis=1)
    found: Array = areas / np.where(lengths > 0.0, lengths, 1.0) ** 2
    for f in np.flatnonzero(found < DOUBTFUL).tolist():
        found[f] = 0.0 if _is_flat(corners[f]) else max(found[f], np.finfo(float).tiny)
    return found


def _is_flat(corners: Array) -> bool:
    """Are three points on one line? In integers."""
    numbers = scaled_integers(corners.reshape(-1).tolist())
    a, b, c = (tuple(numbers[k : k + 3]) for k in (0, 3, 6))
    return not any(exact_cross(exact_sub(b, a), exact_sub(c, a)))


def repeated_faces(mesh: Mesh) -> NDArray[np.intp]:
    """Faces with the corners of an earlier one, in any order."""
    _, first = np.unique(np.sort(joined_faces(mesh), axis=1), axis=0, return_index=True)
    return np.setdiff1d(np.arange(mesh.n_faces), first)
