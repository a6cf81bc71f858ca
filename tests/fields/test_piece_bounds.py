"""Pieces: halves make up the whole, and no point of a piece is nearer than is said."""

import numpy as np
import pytest
import trimesh

import firstcontact as fc
from firstcontact.bodies.placed_triangle import N_COORDINATES, RADIUS
from firstcontact.fields.piece_bounds import Where, see_piece
from firstcontact.fields.pieces import (
    N_PIECE,
    n_roots,
    pieces_of_convex,
    pieces_of_field,
    pieces_of_lines,
    pieces_of_mesh,
    split,
    write_root,
)
from firstcontact.fields.seen_field import seen_field
from when_asked import WhenAsked

RING = fc.Mesh.from_trimesh(trimesh.creation.torus(1.0, 0.35, major_sections=14, minor_sections=10))
SMALL_BOX = fc.Box([0.5, 1.0, 0.7])
SEEN = WhenAsked(lambda shape: seen_field(fc.DistanceField.of(shape, 0.05)))
RNG = np.random.default_rng(0)
CONVEX = [
    fc.Sphere(0.1),
    fc.Sphere(0.9),
    fc.Capsule(0.6, 1.0),
    fc.Box([0.5, 1.0, 0.7]),
    fc.Cylinder(0.4, 1.0),
    fc.Ellipsoid([0.3, 0.5, 0.8]),
    fc.ConvexHull(RNG.normal(size=(20, 3))),
]
CUT = {
    f"{type(shape).__name__} {i}": lambda seen, shape=shape: pieces_of_convex(shape, seen, 0.0)
    for i, shape in enumerate(CONVEX)
}
CUT["field"] = lambda seen: pieces_of_field(SEEN[SMALL_BOX], seen)
CUT["mesh"] = lambda seen: pieces_of_mesh(SMALL_BOX.mesh, seen)
CUT["lines"] = lambda seen: pieces_of_lines((RING.vertices, 0.5 * RING.vertices + 0.2), RING, seen)
ROPE = fc.Strands(RNG.normal(size=(7, 3)), [4, 2, 1], [0.3, 0.0, 0.1, 0.2, 0.5, 0.0, 0.4])
CUT["strands"] = lambda seen: pieces_of_mesh(ROPE, seen)
CUT["bending strands"] = lambda seen: pieces_of_lines(
    (ROPE.positions, 0.5 * ROPE.positions + 0.2), ROPE, seen
)


def points_of(name, body, time):
    """Points of a body at a time, seen from its origin."""
    rng = np.random.default_rng(1)
    if len(body.triangles) > 0:
        weights = rng.dirichlet([0.5, 0.5, 0.5], (20, len(body.triangles)))
        corners = body.triangles[:, :N_COORDINATES] + (time * body.ways if len(body.ways) else 0.0)
        return np.einsum("ijk,jkl->ijl", weights, corners.reshape(-1, 3, 3)).reshape(-1, 3)
    shape = SMALL_BOX if name == "field" else CONVEX[int(name.split()[1])]
    lower, upper = shape.bounds
    points = rng.uniform(lower, upper, (3000, 3))
    mesh = shape.mesh.vertices
    points = np.concatenate([points[fc.contains(shape, points)], 0.999 * mesh + 0.001 * shape.centroid])
    return points - np.array(body.origin)


@pytest.mark.parametrize("name", CUT)
def test_no_point_of_a_piece_is_nearer_than_is_said(name):
    seen_ring, rng = SEEN[RING], np.random.default_rng(2)
    body = CUT[name](seen_ring)
    rotation = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    rotation *= np.sign(np.linalg.det(rotation))
    where = Where(tuple(rotation.reshape(-1).tolist()), (0.9, 0.3, 0.8), 0.4)
    points = points_of(name, body, where.time) @ rotation.T + np.array(where.offset)
    truth = fc.signed_distance(RING, points + np.array(seen_ring.origin)).distance
    if "strands" in name:
        truth = truth - np.tile(body.triangles[:, RADIUS], 20)
    rows, ids = np.zeros((4096, N_PIECE)), np.zeros(4096, np.int64)
    n = n_roots(body)
    for i in range(n):
        ids[i] = write_root(body, i, rows[i])
    for _ in range(300):
        i = int(rng.integers(n))
        split(body, rows, ids, i, n)
        n += 1
    least, is_covered = np.full(len(points), -np.inf), np.zeros(len(points), bool)
    for i in range(n):
        seen = see_piece(body, rows[i], ids[i], where, seen_ring)
        inside = np.linalg.norm(points - np.array(seen.center), axis=1) <= seen.radius + body.radius + 1e-12
        is_covered |= inside
        # A point in several balls belongs to one of their pieces, if not to all.
        least[inside] = np.where(least[inside] == -np.inf, seen.least, np.minimum(least[inside], seen.least))
        assert seen.least <= seen.most + 2.0 * seen_ring.tolerance + 1e-12
    assert is_covered.all()
    assert (truth >= least - 1e-12).all()
