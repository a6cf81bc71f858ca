"""The features of a polytope level by level, for a start from far away (Ehmann, Lin, SWIFT, 2000).

Each coarser level is the hull of an eighth of the vertices of the next finer one. A table gives the vertex of
the coarsest level that is nearest to a point far out along a direction; from there one walks to the closest
features of a level, and goes on from the same vertices of the finer one. The levels of the paper are made
larger, so that they hold the polytope and prove it to be apart; here they only say where to start.
"""

import numpy as np

from firstcontact._jit import kernel
from firstcontact.arrays import Array
from firstcontact.narrowphase.features.feature_graph import (
    Ids,
    Surface,
    feature_graph,
    surface_of,
)
from firstcontact.scalar.vec3 import Vec3
from firstcontact.shapes.convex_hull import ConvexHull
from firstcontact.shapes.convex_shape import ConvexShape
from firstcontact.shapes.cores import cell_of

# Columns of the head.
N_LEVELS = 0
MIDDLE = 1  # three: from where directions are seen
CELLS = 4  # cells along a side of the table's cube
TABLE = 5
LEVELS = 6  # for each, the finest first: where its features are, and its vertices in the next finer level
MOST_LEVELS = 5
N_LADDER = LEVELS + 2 * MOST_LEVELS

# Vertices of a level for one of the next, and the fewest that are worth a coarser level.
PART = 8
FEWEST = 2000

# How far out the points of the table are, in units of the radius; the paper found 2 to be the best.
FAR_OUT = 2.0

# Cells along a side of the table's cube: some 6 degrees, as in the paper.
N_CELLS = 16


def feature_ladder(shape: ConvexShape) -> Array:
    """All levels of a shape whose core is a polytope, in numbers."""
    surfaces, parents = _levels(surface_of(shape))
    middle = surfaces[0].points.mean(axis=0)
    head = np.zeros(N_LADDER)
    head[N_LEVELS], head[MIDDLE:CELLS], head[CELLS], head[TABLE] = len(surfaces), middle, N_CELLS, N_LADDER
    parts = [head, _table(surfaces[-1].points, middle)]
    place = sum(map(len, parts))
    for i, (surface, vertices) in enumerate(zip(surfaces, parents, strict=True)):
        graph = feature_graph(surface)
        head[LEVELS + 2 * i], head[LEVELS + 2 * i + 1] = place, place + len(graph)
        parts += [graph, vertices.astype(np.float64)]
        place += len(graph) + len(vertices)
    return np.concatenate(parts)


def _levels(surface: Surface) -> tuple[list[Surface], list[Ids]]:
    """Coarser and coarser hulls, and which vertices of the one before they have."""
    surfaces, parents = [surface], [np.empty(0, np.int64)]
    while len(surfaces) < MOST_LEVELS and len(surfaces[-1].points) >= FEWEST:
        points = surfaces[-1].points
        chosen = np.unique(np.argmax(points @ _directions(len(points) // PART).T, axis=0))
        hull = ConvexHull(points[chosen], flat=True)
        mesh = hull.mesh
        if len(mesh.vertices) < 4 or len(chosen) == len(points):
            break
        rows = {tuple(point): i for i, point in zip(chosen.tolist(), points[chosen].tolist(), strict=True)}
        surfaces.append(Surface(np.array(mesh.vertices), mesh.faces.astype(np.int64)))
        parents.append(np.array([rows[tuple(point)] for point in mesh.vertices.tolist()]))
    return surfaces, parents


def _directions(n: int) -> Array:
    """Unit vectors, evenly spread on a spiral."""
    height = 1.0 - (2.0 * np.arange(n) + 1.0) / n
    angle, across = np.pi * (3.0 - np.sqrt(5.0)) * np.arange(n), np.sqrt(1.0 - height * height)
    return np.stack([across * np.cos(angle), across * np.sin(angle), height], axis=1)


def _table(points: Array, middle: Array) -> Array:
    """For each cell of directions the vertex that is nearest to a point far out."""
    radius = np.sqrt(((points - middle) ** 2).sum(axis=1).max())
    sides = (2.0 * np.arange(N_CELLS) + 1.0) / N_CELLS - 1.0
    u, v = (x.reshape(-1) for x in np.meshgrid(sides, sides, indexing="ij"))
    found = []
    for side in range(6):
        axis, directions = side >> 1, np.empty((len(u), 3))
        directions[:, axis] = 1.0 if side & 1 == 0 else -1.0
        directions[:, (axis + 1) % 3], directions[:, (axis + 2) % 3] = u, v
        directions /= np.linalg.norm(directions, axis=1)[:, np.newaxis]
        # |p - c|^2 without what all vertices have in common.
        far = points - middle
        apart = (far * far).sum(axis=1) - 2.0 * FAR_OUT * radius * (directions @ far.T)
        found.append(np.argmin(apart, axis=1))
    return np.concatenate(found).astype(np.float64)


@kernel
def vertex_towards(numbers: Array, ladder: int, d: Vec3) -> int:
    """Vertex of the coarsest level from which to start along a direction."""
    return int(numbers[ladder + int(numbers[ladder + TABLE]) + cell_of(d, int(numbers[ladder + CELLS]))])


@kernel
def level_at(numbers: Array, ladder: int, level: int) -> int:
    """Where the features of a level begin."""
    return ladder + int(numbers[ladder + LEVELS + 2 * level])


@kernel
def finer_vertex(numbers: Array, ladder: int, level: int, vertex: int) -> int:
    """Give the vertex of the next finer level that is this one of a level."""
    return int(numbers[ladder + int(numbers[ladder + LEVELS + 2 * level + 1]) + vertex])
