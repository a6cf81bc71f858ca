"""On which side of each other things touch, where the faces around the place do not tell.

A sheet that lies flat on a floor is neither above nor below it by its geometry alone. Contacts that share a
vertex and a plane then have one answer together: that of those among them which know; or else the outside of
what is closed; or else the side from which they press on each other; or else the front of their faces.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver
from firstcontact.arrays import Array, Flags, Ids
from firstcontact.bodies.mesh_parts import is_closed
from firstcontact.scalar.error_bounds import SHORTEST
from firstcontact.shapes.mesh import Mesh

# Cosine from which two normals, but for their signs, are those of one plane.
ONE_PLANE = 1.0 - 1e-9

# Part of the magnitudes in a sum below which its sign is rounding.
LITTLE = 1e-9

# Digits of a direction by which contacts of one plane are brought next to each other.
DIGITS = 6


class Hints(NamedTuple):
    """What may tell on which side of each other things are.

    velocities, rounding : (n, 3) of a's touching point, as seen from b's; (n,) what is none
    fronts : (n, 2, 3) unit vectors to the front of the faces around each contact, on a and on b, or zero
    outsides : (n, 2, 3) the same, to the outside of meshes that are closed; zero for others
    """

    velocities: Array
    rounding: Array
    fronts: Array
    outsides: Array


def settle_sides(corners: Ids, normals: Array, is_sided: Flags, hints: Hints, things: Ids) -> None:
    """Turn the normals, from a to b, that have no sign yet.

    Parameters
    ----------
    corners : (n, 4) the vertices of each contact
    things : (n, 2) what they are of; where that is one mesh, a contact's first side may be another's second
    """
    patches, is_open = _patches(corners, normals, things), ~is_sided
    is_each_alone = bool((things[:, 0] == things[:, 1]).all())
    for opinion, noise in _opinions(normals, is_sided, hints, patches):
        rows = np.flatnonzero(is_open)
        if len(rows) == 0:
            return
        if not opinion.any():
            continue
        if is_each_alone:
            totals, least = opinion[rows], _doubtful(opinion[rows], noise[rows])
        else:
            totals, least = (sums[patches[rows]] for sums in _totals(patches, opinion, noise))
        towards = np.einsum("ni,ni->n", totals, normals[rows])
        is_clear = np.abs(towards) > least
        normals[rows[is_clear & (towards < 0.0)]] *= -1.0
        is_open[rows[is_clear]] = False


def _opinions(
    normals: Array, is_sided: Flags, hints: Hints, patches: NDArray[np.intp]
) -> Iterator[tuple[Array, Array]]:
    """Which way contacts may point, (n, 3), and what of it is none, (n,): what decides first comes first."""
    velocities, rounding, fronts, outsides = hints
    little, sided = np.full(len(normals), LITTLE), is_sided[:, np.newaxis]
    first_of_each = _first_of_each(patches, ~is_sided)[:, np.newaxis] * normals
    yield np.where(sided, normals, 0.0), little
    yield outsides[:, 0] - outsides[:, 1], little
    yield np.where(sided, 0.0, velocities), 2.0 * rounding
    yield fronts[:, 0] - fronts[:, 1], little
    yield -fronts[:, 1], little
    yield first_of_each, little


def outward(mesh: Mesh, vertices: Array) -> float:
    """1 where the faces of a closed mesh, at these places, have their front outside, -1 inside, else 0."""
    if not is_closed(mesh) or mesh.n_faces == 0:
        return 0.0
    seen = vertices - vertices[0]
    seen /= max(np.abs(seen).max(), SHORTEST)
    volumes = np.linalg.det(seen[mesh.faces])
    total = float(volumes.sum())
    return float(np.sign(total)) if abs(total) > LITTLE * float(np.abs(volumes).sum()) else 0.0


def _totals(patches: NDArray[np.intp], vectors: Array, noise: Array) -> tuple[Array, Array]:
    """Sum of vectors for each patch, and what of it is rounding."""
    n = len(patches)
    sums = np.stack([np.bincount(patches, vectors[:, k], n) for k in range(3)], axis=1)
    return sums.astype(np.float64), np.bincount(patches, _doubtful(vectors, noise), n).astype(np.float64)


def _doubtful(vectors: Array, noise: Array) -> Array:
    """What of each vector is rounding."""
    doubtful: Array = LITTLE * np.linalg.norm(vectors, axis=1) + np.where(vectors.any(axis=1), noise, 0.0)
    return doubtful


def _first_of_each(patches: NDArray[np.intp], is_open: Flags) -> Flags:
    """Mark the first open contact of each patch."""
    rows = np.flatnonzero(is_open)
    is_first = np.zeros(len(patches), np.bool_)
    is_first[rows[np.unique(patches[rows], return_index=True)[1]]] = True
    return is_first


def _patches(corners: Ids, normals: Array, things: Ids) -> NDArray[np.intp]:
    """Number, for each contact, of its patch: contacts of one plane that hang together by their vertices.

    None is in a patch with contacts of other things, so that each pair is as if asked about by itself, and
    those of a mesh with itself are each alone.
    """
    patches, rows = np.arange(len(corners)), np.flatnonzero(things[:, 0] != things[:, 1])
    corners, normals, things = corners[rows], normals[rows], things[rows].astype(np.int64)
    if len(rows) and (things != things[0]).any():
        pairs = np.unique(things[:, 0] << np.int64(32) | things[:, 1], return_inverse=True)[1].reshape(-1, 1)
        own = np.unique(pairs * (int(corners.max()) + 1) + corners, return_inverse=True)[1]
        corners = own.reshape(-1, 4).astype(np.int32)
    largest = np.argmax(np.abs(normals), axis=1)
    signs = np.sign(normals[np.arange(len(normals)), largest])
    x, y, z = np.round(normals * signs[:, np.newaxis], DIGITS).T
    order = np.lexsort((z, y, x))
    parents = np.arange(len(corners))
    join_patches(corners, normals, order, np.full(int(corners.max(initial=-1)) + 1, -1), parents)
    patches[rows] = rows[parents]
    return patches


@driver
def join_patches(
    corners: Ids,
    normals: Array,
    order: NDArray[np.int64],
    latest: NDArray[np.int64],
    parents: NDArray[np.int64],
) -> None:
    """Write the first contact of the patch of each; `latest` has room for a contact at each vertex."""
    for row in order:
        for k in range(4):
            other = latest[corners[row, k]]
            latest[corners[row, k]] = row
            if other < 0:
                continue
            cosine = normals[row, 0] * normals[other, 0] + normals[row, 1] * normals[other, 1]
            if abs(cosine + normals[row, 2] * normals[other, 2]) < ONE_PLANE:
                continue
            a, b = row, other
            while parents[a] != a:
                parents[a] = parents[parents[a]]
                a = parents[a]
            while parents[b] != b:
                parents[b] = parents[parents[b]]
                b = parents[b]
            parents[max(a, b)] = min(a, b)
    # Parents come first, so that theirs are known.
    for row in range(len(parents)):
        parents[row] = parents[parents[row]]
