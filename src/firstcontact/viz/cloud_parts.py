"""Points and strands as what is drawn of them: balls, and tubes between them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from trimesh.creation import icosphere

from firstcontact.arrays import Array
from firstcontact.viz.view import Ids, ShownBody

# What is thinner than this part of the view is drawn as thick: a point has no size to see.
THINNEST = 0.002

# A tube has as many sides as so many triangles in all allow.
MIN_SIDES, MAX_SIDES = 4, 12

# Vertices of tubes at all times together: of more, lines are drawn instead, and the balls at their ends.
MAX_TUBE_VERTICES = 3_000_000

# The finest grid in which elements become one has so many cells along the view, and names for more.
N_CELLS, N_KEYS = 1024, 2048

# A direction that turned by less than this sine is no guide to what is across it.
SMALL_SINE = 1e-3


class Elements(NamedTuple):
    """Balls and tubes: vertices (n, 3), the two ends (m, 2) of each, and its radius (m,)."""

    vertices: Array
    ends: Ids
    radii: Array


class Surface(NamedTuple):
    """Vertices (n, 3), or (k, n, 3) at several times, and faces (m, 3)."""

    vertices: Array
    faces: Ids


def seen_radii(body: ShownBody, size: float) -> Array:
    """The radii of a cloud's elements, (m,), as they are drawn in a view of some size."""
    if body.radii is None:
        raise ValueError(f"{body.name!r} is a surface: it has no elements with radii")
    return np.maximum(body.radii, THINNEST * size)


def ball_radii(n: int, ends: Ids, radii: Array) -> Array:
    """The largest radius of what ends at each of n vertices, (n,); 0 where nothing does."""
    found = np.zeros(n)
    for side in ends.T:
        np.maximum.at(found, side, radii)
    return found


def are_tubes(ends: Ids) -> NDArray[np.bool_]:
    """Which elements lead from one vertex to another, (m,)."""
    found: NDArray[np.bool_] = ends[:, 0] != ends[:, 1]
    return found


def n_sides(n_tubes: int, n_triangles: int) -> int:
    """How many sides each of some tubes has, if they may have so many triangles together."""
    return int(np.clip(n_triangles // (2 * max(n_tubes, 1)), MIN_SIDES, MAX_SIDES))


def tubes(frames: Array, ends: Ids, radii: Array, sides: int) -> Surface:
    """Prisms (k, 2 m sides, 3) around segments, open at both ends.

    Parameters
    ----------
    frames : (k, n, 3) vertices at several times
    ends, radii : (m, 2) and (m,)
    sides : of each prism
    """
    places = frames[:, ends]
    across = _across(places[:, :, 1] - places[:, :, 0])
    angles = np.linspace(0.0, 2.0 * np.pi, sides, endpoint=False)
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    rings = radii[:, np.newaxis, np.newaxis] * np.einsum("sj,kmjx->kmsx", circle, across)
    vertices = places[:, :, :, np.newaxis] + rings[:, :, np.newaxis]
    own, following = np.arange(sides), np.roll(np.arange(sides), -1)
    one = np.stack([own, following, sides + following], axis=1)
    other = np.stack([own, sides + following, sides + own], axis=1)
    starts = 2 * sides * np.arange(len(ends))
    faces = np.concatenate([one, other]) + starts[:, np.newaxis, np.newaxis]
    return Surface(vertices.reshape(len(frames), -1, 3), faces.reshape(-1, 3))


def _across(along: Array) -> Array:
    """Two unit vectors across each direction (k, m, 3), which turn in time no more than it: (k, m, 2, 3)."""
    found = np.empty((*along.shape[:2], 2, 3))
    first: Array | None = None
    for k, directions in enumerate(along):
        unit = _units(directions)
        anew = np.eye(3)[np.argmin(np.abs(unit), axis=1)]
        flat = _without(anew, unit)
        if first is not None:
            kept = _without(first, unit)
            is_guide = np.linalg.norm(kept, axis=1) > SMALL_SINE
            flat = np.where(is_guide[:, np.newaxis], kept, flat)
        first = _units(flat)
        found[k, :, 0], found[k, :, 1] = first, np.cross(unit, first)
    return found


def _without(vectors: Array, unit: Array) -> Array:
    """What is left of vectors across others of length 1."""
    found: Array = vectors - (vectors * unit).sum(axis=1, keepdims=True) * unit
    return found


def _units(vectors: Array) -> Array:
    """Vectors (m, 3) with the length 1; (0, 0, 1) for none at all."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.where(lengths > 0.0, vectors / np.where(lengths > 0.0, lengths, 1.0), [0.0, 0.0, 1.0])


def solids(elements: Elements, size: float, facing: Array, limit: int) -> Surface:
    """Triangles of balls and tubes, about as many as a limit at the most.

    Of many, balls are coarser, and at last one triangle that faces the viewer. Of more, those in one cell of
    a grid become one.

    Parameters
    ----------
    elements : what to draw
    size : of the view
    facing : (2, 3) unit vectors to the right and up
    limit : of triangles
    """
    share = limit // 2 if are_tubes(elements.ends).any() else limit  # for balls, and as much for tubes
    vertices, ends, radii = fewer(elements, size, limit if share == limit else share // (2 * MIN_SIDES))
    are_joined = are_tubes(ends)
    sides = n_sides(int(are_joined.sum()), share)
    prisms = tubes(vertices[np.newaxis], ends[are_joined], radii[are_joined], sides)
    thick = ball_radii(len(vertices), ends, radii)
    balls = _balls(vertices[thick > 0.0], thick[thick > 0.0], facing, share)
    both = np.concatenate([prisms.vertices[0], balls.vertices])
    return Surface(both, np.concatenate([prisms.faces, balls.faces + prisms.vertices.shape[1]]))


def _balls(centres: Array, radii: Array, facing: Array, limit: int) -> Surface:
    """Balls as polyhedra, or as one triangle each that faces the viewer."""
    corners, faces = _around(facing), np.array([[0, 1, 2]])
    for level in range(3):
        ball = icosphere(subdivisions=level)
        if len(centres) * len(ball.faces) <= limit:
            corners, faces = np.asarray(ball.vertices), np.asarray(ball.faces)
    vertices = centres[:, np.newaxis] + radii[:, np.newaxis, np.newaxis] * corners
    starts = len(corners) * np.arange(len(centres))
    return Surface(vertices.reshape(-1, 3), (faces + starts[:, np.newaxis, np.newaxis]).reshape(-1, 3))


def _around(facing: Array) -> Array:
    """A triangle (3, 3) across the view, as large as a circle of radius 1."""
    angles = np.pi / 2 + 2.0 * np.pi / 3.0 * np.arange(3)
    reach = np.sqrt(4.0 * np.pi / (3.0 * np.sqrt(3.0)))
    found: Array = reach * np.stack([np.cos(angles), np.sin(angles)], axis=1) @ facing
    return found


def fewer(elements: Elements, size: float, limit: int) -> Elements:
    """Elements, no more than a limit: where there are more, those in one cell of a grid become one.

    The cells are a thousandth of the view at first, and grow until that is enough. Of those that become one,
    the largest radius counts.
    """
    found, cell = elements, size / N_CELLS
    while len(found.ends) > limit:
        found = _merged(elements, cell)
        cell *= 1.25
    return found


def _merged(elements: Elements, cell: float) -> Elements:
    """Let the mean of the vertices in each cell stand for all of them."""
    vertices, ends, radii = elements
    x, y, z = ((vertices - vertices.min(axis=0)) / cell).astype(np.int64).T
    cells = (x * N_KEYS + y) * N_KEYS + z
    _, rows, counts = np.unique(cells, return_inverse=True, return_counts=True)
    sums = np.stack([np.bincount(rows, weights=axis) for axis in vertices.T], axis=1)
    one, other = np.sort(rows[ends], axis=1).T
    pairs, which = np.unique(one * len(sums) + other, return_inverse=True)
    largest = np.zeros(len(pairs))
    np.maximum.at(largest, which, radii)
    joined = np.stack(np.divmod(pairs, len(sums)), axis=1)
    return Elements(sums / counts[:, np.newaxis], joined, largest)
