"""Points on, beside and far from small meshes of all families; the referees are fractions and integers.

The distance is the least of all faces, by rational numbers. The side of a mesh without borders is found by a
ray that is followed in integers, down to where rounding hides the surface; that of any other mesh by solid
angles to sixty digits. The closest point is on the face that is named, and as far away as is said.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

import firstcontact as fc
from oracles.exact_distance import point_triangle_squared
from oracles.exact_sides import exact_windings
from oracles.point_meshes import distances_to_faces, exact_distances
from properties.point_families import FAMILIES
from shrinking import fewer_and_rounder
from things import BOX_FACES, Array, Rng, torus

# Of the sizes: what a distance may be off by, and how close to the surface rounding may hide the side.
ROUNDING, HIDDEN = 1e-14, 1e-14

# Winding numbers this close to a half may be on either side of it; and those that a rounding of this part of
# the size, for each face as near as the surface, turns so far. Meshes without borders have none so close.
CLOSE, TURNED, MOST_CLOSE = 1e-9, 1e-15, 0.25

BOX = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
FACES = np.array(BOX_FACES)

MOST_FACES = 60


def _star(rng: Rng) -> tuple[Array, Any]:
    """A box with corners anywhere along its diagonals: not convex, closed, at times almost flat."""
    return BOX * rng.choice([1e-6, 0.1, 0.5, 1.0, 2.0], (8, 1)), FACES


def _ring(rng: Rng) -> tuple[Array, Any]:
    return torus(5, 3)


def _joined(rng: Rng) -> tuple[Array, Any]:
    """Two boxes that share a corner, an edge, a face or all, apart or by vertices; one may be inside out."""
    shift = rng.choice([0.0, 0.5, 1.0], 3)
    vertices = np.concatenate([BOX, BOX + shift])
    faces = np.concatenate([FACES, FACES[:, :: int(rng.choice([-1, 1]))] + 8])
    if rng.random() < 0.5:
        vertices, ids = np.unique(vertices, axis=0, return_inverse=True)
        faces = ids.reshape(-1)[faces]
    return vertices, faces


def _fins(rng: Rng) -> tuple[Array, Any]:
    """Sheets around one edge, and a box with a fin: edges of three and more faces."""
    if rng.random() < 0.5:
        n = int(rng.integers(3, 6))
        around = 2.0 * np.pi * np.arange(n) / n
        rim = np.stack([np.cos(around), np.sin(around), rng.choice([0.0, 0.5], n)], axis=1)
        return np.concatenate([[[0, 0, 0], [0, 0, 1.0]], rim]), [[0, 1, 2 + k] for k in range(n)]
    return np.concatenate([BOX, [[2.0, 0.1, 0.2]]]), np.concatenate([FACES, [[0, 1, 8]]])


def _split(rng: Rng) -> tuple[Array, Any]:
    """A closed box of which edges are split beside their middle: needles, thinner than rounding at times."""
    vertices, faces = BOX.tolist(), FACES.tolist()
    for _ in range(int(rng.integers(1, 4))):
        a, b, c = faces.pop(int(rng.integers(len(faces))))
        other = next(k for k, face in enumerate(faces) if a in face and b in face)
        d = next(k for k in faces.pop(other) if k not in (a, b))
        middle = 0.5 * (np.array(vertices[a]) + vertices[b])
        vertices.append((middle + 10.0 ** rng.uniform(-17, -1) * rng.normal(size=3)).tolist())
        new = len(vertices) - 1
        faces += [[a, new, c], [new, b, c], [b, new, d], [new, a, d]]
    return np.array(vertices), faces


def _spike(rng: Rng) -> tuple[Array, Any]:
    """A needle: a tetrahedron as thin as rounding, or almost."""
    thin = 10.0 ** rng.uniform(-16, -2)
    corners = np.array([[0, 0, 0], [thin, 0, 0], [0, thin, 0], [rng.random(), rng.random(), 1.0]])
    return corners @ np.linalg.qr(rng.normal(size=(3, 3)))[0], [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]


def _moebius(rng: Rng) -> tuple[Array, Any]:
    """A strip with one side."""
    n = 7
    u = 2.0 * np.pi * np.arange(n) / n
    rows = []
    for w in (-0.3, 0.3):
        r = 1.0 + w * np.cos(u / 2)
        rows.append(np.stack([r * np.cos(u), r * np.sin(u), w * np.sin(u / 2)], axis=1))
    a, b = np.arange(n), np.arange(n) + n
    after, above = np.append(a[1:], b[0]), np.append(b[1:], a[0])
    return np.concatenate(rows), np.concatenate([np.stack([a, after, b], 1), np.stack([after, above, b], 1)])


def _blade(rng: Rng) -> tuple[Array, Any]:
    """A wedge whose sheets meet under any small angle."""
    s = 10.0 ** rng.uniform(-8, -1)
    corners = [[0, 0, 0], [0, 1, 0], [1, 0, -s], [1, 1, -s], [1, 0, s], [1, 1, s]]
    faces = [[0, 1, 3], [0, 3, 2], [0, 4, 5], [0, 5, 1], [2, 3, 5], [2, 5, 4], [0, 2, 4], [1, 5, 3]]
    return np.array(corners, float), faces


def _gap(rng: Rng) -> tuple[Array, Any]:
    """Two boxes with next to nothing between them, or a box in a box all but as large."""
    if rng.random() < 0.3:
        inner = BOX * (1.0 - 10.0 ** rng.uniform(-16, -8))
        return np.concatenate([BOX, inner]), np.concatenate([FACES, FACES[:, ::-1] + 8])
    half = np.array([0.5, 0.0, 0.0])
    other = (BOX + half) * [1.0, *rng.choice([0.5, 1.0, 3.0], 2)]
    other[other[:, 0] == 0.0, 0] = 10.0 ** rng.uniform(-30, -8)
    both = [BOX - half, other]
    return np.concatenate(both[:: int(rng.choice([-1, 1]))]), np.concatenate([FACES, FACES + 8])


OWN = (_blade, _gap, _star, _ring, _joined, _fins, _split, _spike, _moebius)


def make(rng: Rng) -> dict[str, Any]:
    """A mesh of some family, somewhere, of some size, and points."""
    kind = int(rng.integers(len(OWN) + len(FAMILIES)))
    if kind < len(OWN):
        vertices, faces = OWN[kind](rng)
    else:
        mesh = FAMILIES[kind - len(OWN)](rng)
        vertices, faces = mesh.vertices, mesh.faces
    faces = np.array(faces, int).reshape(-1, 3)
    if len(faces) > MOST_FACES:
        vertices, faces = _star(rng)
    vertices = _moved(rng, np.asarray(vertices, float))
    if rng.random() < 0.1 and len(faces):
        faces = np.concatenate([faces, faces[rng.integers(len(faces), size=2)][:, [1, 2, 0]]])
    points = _points(rng, vertices, faces) if len(faces) else np.zeros((1, 3))
    return {"vertices": vertices.tolist(), "faces": faces.tolist(), "points": points.tolist()}


def _moved(rng: Rng, vertices: Array) -> Array:
    """As it is, turned, shaken by a rounding, far from the origin, tiny or huge."""
    if rng.random() < 0.3:
        vertices = vertices @ np.linalg.qr(rng.normal(size=(3, 3)))[0]
    if rng.random() < 0.15:
        vertices = vertices * (1.0 + 2.0**-52 * rng.integers(-2, 3, vertices.shape))
    if rng.random() < 0.25:
        vertices = vertices + 10.0 ** rng.integers(1, 9) * rng.choice([0.0, 1.0, 0.7], 3)
    if rng.random() < 0.25:
        vertices = vertices * 10.0 ** float(rng.choice([-30, -6, 6, 30]))
    return vertices


def _points(rng: Rng, vertices: Array, faces: Any) -> Array:
    """On corners, edges and faces, a few roundings or any part of the size off, anywhere, and far away."""
    n = 8
    corners = vertices[faces[rng.integers(len(faces), size=n)]][:, rng.permutation(3)]
    low, high = vertices[faces.reshape(-1)].min(axis=0), vertices[faces.reshape(-1)].max(axis=0)
    size = float((high - low).max()) or 1.0
    weights = rng.dirichlet([1.0, 1.0, 1.0], n)
    weights[rng.random(n) < 0.25] = [0.5, 0.5, 0.0]
    weights[rng.random(n) < 0.25] = [0.0, 0.0, 1.0]
    on = (weights[:, :, None] * corners).sum(axis=1)
    normals = np.cross((corners[:, 1] - corners[:, 0]) / size, (corners[:, 2] - corners[:, 0]) / size)
    along = np.where(rng.random((n, 1)) < 0.5, normals, rng.normal(size=(n, 3)))
    off = on + size * 10.0 ** rng.uniform(-17, 0, (n, 1)) * along
    far = on + size * 10.0 ** rng.uniform(0, 9, (n, 1)) * rng.normal(size=(n, 3))
    anywhere = low + (high - low) * rng.uniform(-0.2, 1.2, (n, 3))
    kind = rng.choice(4, (n, 1), p=[0.15, 0.5, 0.15, 0.2])
    return np.select([kind == 0, kind == 1, kind == 2], [on, off, far], anywhere)


def check(case: dict[str, Any]) -> str | None:
    """Measure all points, in each way to tell the side that is right for the mesh."""
    vertices, faces = np.reshape(case["vertices"], (-1, 3)), np.reshape(case["faces"], (-1, 3)).astype(int)
    points = np.reshape(case["points"], (-1, 3)).astype(float)
    if len(faces) == 0 or len(points) == 0:
        return None
    mesh = fc.Mesh(vertices, faces)
    found = fc.signed_distance(mesh, points)
    size = float(np.ptp(vertices[faces.reshape(-1)], axis=0).max())
    truth = _least_distances(points, vertices, faces, size)
    error = np.abs(np.asarray(np.abs(found.distance) - truth, float))
    limit = ROUNDING * (size + np.asarray(truth, float)) + 1e-320
    if np.any(error > limit):
        return f"a distance is off by {float(np.max(error / limit)):.3g} times what it may be"
    fault = _point_fault(mesh, points, found, size)
    if fault:
        return fault
    off = np.flatnonzero(np.asarray(truth > HIDDEN * (size + truth)))
    winding = np.abs(np.array(exact_windings(points[off], vertices, faces), float))
    is_clear = np.abs(winding - 0.5) > _closeness(points[off], vertices, faces, size)
    signs = {found.sign: found.distance < 0.0}
    signs |= {"winding": fc.signed_distance(mesh, points, sign="winding").distance < 0.0}
    signs |= {"contains": fc.contains(mesh, points)}
    for name, is_inside in signs.items():
        wrong = is_clear & (is_inside[off] != (winding > 0.5))
        if np.any(wrong):
            i = int(np.argmax(wrong))
            where = f"distance {float(truth[off[i]] / size):.3g} of the size, winding {winding[i]:.12g}"
            return f"the side by {name} is wrong: {where}"
    return None


def _closeness(points: Array, vertices: Array, faces: Any, size: float) -> Array:
    """How close to a half winding numbers may be taken for the other side of it."""
    away = np.asarray(distances_to_faces(points, vertices, faces), float)
    least = away.min(axis=1)
    n_near = (away <= 2.0 * least[:, np.newaxis]).sum(axis=1)
    return np.minimum(CLOSE + TURNED * size * n_near / least, MOST_CLOSE)


def _least_distances(points: Array, vertices: Array, faces: Any, size: float) -> Any:
    """Distances by fractions, of the faces that long doubles say may be the nearest."""
    about = distances_to_faces(points, vertices, faces)
    near = about <= about.min(axis=1, keepdims=True) * (1.0 + 1e-6) + 0.01 * size
    rows = zip(points, near, strict=True)
    return np.array([exact_distances(p[None], vertices, faces[is_near]).min() for p, is_near in rows])


def _point_fault(mesh: fc.Mesh, points: Array, found: Any, size: float) -> str | None:
    """Is the closest point on its face, to the roundings of its coordinates?"""
    if not np.all(np.abs(np.linalg.norm(found.normals, axis=1) - 1.0) < 1e-9):
        return "a normal is not of length one"
    for i, (point, face) in enumerate(zip(found.points, found.faces, strict=True)):
        exact = [[Fraction(float(x)) for x in row] for row in (point, *mesh.vertices[mesh.faces[face]])]
        off = float(point_triangle_squared(*exact)) ** 0.5
        allowed = ROUNDING * (size + float(np.abs(point).max())) + 1e-150
        if off > allowed:
            return f"closest point {i} is off its face by {off / allowed:.3g} times what it may be"
    return None


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Fewer points and faces, and rounder numbers."""
    for i in range(len(case["points"])):
        yield case | {"points": [case["points"][i]]}
    yield from fewer_and_rounder(case)
