"""Which features of which bodies are in contact."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import trimesh
from numpy.typing import NDArray

from firstcontact import ContactKind, Mesh
from firstcontact.arrays import Array
from firstcontact.viz.view import ShownBody, ShownPatch

Ids = NDArray[np.integer]

_TRIANGLES: Any = trimesh.triangles

# What kind of feature is on a, and what on b.
SIDES = {kind: tuple(kind.name.lower().split("_")) for kind in ContactKind}

# More of them than this are a colour, not features.
MAX_FEATURES = 400


def patches_of(
    features: NDArray[np.integer],
    points: Array,
    time: float,
    names: Sequence[str],
    bodies: Sequence[ShownBody],
) -> tuple[ShownPatch, ...]:
    """Features in contact, body by body; a thing alone is both a and b.

    Parameters
    ----------
    features : (k, 3) kind, id on a and id on b
    points, time : where they are, and when
    names : of a and of b
    bodies : of which they are
    """
    patches = []
    for side, name in enumerate((*names, *names)[:2]):
        rows = [i for i, body in enumerate(bodies) if name in (body.name, f"{body.thing}/{body.name}")]
        if rows and len(points) > 0:
            nearest = min(rows, key=lambda i: _gap(points[0], bodies[i].at(time)))
            touching = features[:MAX_FEATURES, [0, 1 + side]]
            patches.append(_patch(touching, side, points, time, nearest, bodies))
    return tuple(patches)


def _gap(point: Array, vertices: Array) -> float:
    """How far a point is from the box around others: a link may have several shapes, and one is meant."""
    outside = np.maximum(vertices.min(axis=0) - point, point - vertices.max(axis=0))
    return float(np.linalg.norm(np.maximum(outside, 0.0)))


def _patch(
    touching: NDArray[np.integer],
    side: int,
    points: Array,
    time: float,
    row: int,
    bodies: Sequence[ShownBody],
) -> ShownPatch:
    """Features of one body: kinds and ids (k, 2)."""
    body = bodies[row]
    ids: dict[str, list[int]] = {name: [] for sides in SIDES.values() for name in sides}
    for kind, i in touching.tolist():
        ids[SIDES[ContactKind(kind)][side]].append(i)
    edges = np.empty((0, 2), np.int64)
    if ids["edge"]:
        edges = Mesh(body.vertices, body.faces).edges[np.unique(ids["edge"])].astype(np.int64)
    faces = body.faces[np.unique(ids["face"] + ids["segment"]).astype(np.int64)]  # a segment is a face, too
    if ids["shape"]:  # which has no features: all of a robot's link, of others the place where it is
        faces = body.faces if body.thing != body.name else _nearest_faces(points, body.at(time), body.faces)
    corners = np.unique(ids["vertex"] + ids["point"]).astype(np.int64)
    return ShownPatch(row, corners, edges, faces)


def _nearest_faces(points: Array, vertices: Array, faces: Ids) -> Ids:
    """For each of some points, the face that is closest to it."""
    corners = vertices[faces]
    rows = []
    for point in points[:MAX_FEATURES]:
        closest = _TRIANGLES.closest_point(corners, np.broadcast_to(point, (len(corners), 3)))
        rows.append(int(np.argmin(np.linalg.norm(closest - point, axis=1))))
    return faces[np.unique(rows)]
