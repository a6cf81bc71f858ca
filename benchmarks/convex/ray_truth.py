"""Where rays hit, by formulas and by looking at all faces: what the ray casts are held against."""

import numpy as np
from scipy.spatial import ConvexHull

from convex.cases import BOX, CAPSULE, CYLINDER, ELLIPSOID, HULL, MESH, SPHERE, Rays
from convex.truth import Bracket
from deformable.surfaces import Points

_BLOCK = 50  # rays against all faces of a mesh at once


def hits(rays: Rays) -> Bracket:
    """Times (n,) of the first hits of rays that start outside; infinite where they miss."""
    solid, origins, directions = rays
    size = solid.sizes
    if solid.kind in (HULL, BOX):
        found = _through_planes(origins, directions, _planes(rays))
    elif solid.kind == MESH:
        blocks = range(0, len(origins), _BLOCK)
        found = np.concatenate([_faces(rays, slice(i, i + _BLOCK)) for i in blocks])
    elif solid.kind in (SPHERE, ELLIPSOID):
        scale = np.array(size) if solid.kind == ELLIPSOID else np.full(3, size[0])
        found = _unit_ball(origins / scale, directions / scale)[0]
    else:
        found = _tube(rays)
        if solid.kind == CAPSULE:
            for end in (-0.5, 0.5):
                center = np.array([0.0, 0.0, end * size[1]])
                ball = _unit_ball((origins - center) / size[0], directions / size[0])[0]
                found = np.minimum(found, ball)
    return Bracket(found, found)


def _planes(rays: Rays) -> Points:
    """Normals and offsets (m, 4) of the faces."""
    if rays.solid.kind == HULL:
        return ConvexHull(rays.solid.points).equations
    normals = np.concatenate([np.eye(3), -np.eye(3)])
    return np.column_stack([normals, -np.tile(rays.solid.sizes, 2)])


def _through_planes(origins: Points, directions: Points, planes: Points) -> Points:
    speed, height = directions @ planes[:, :3].T, origins @ planes[:, :3].T + planes[:, 3]
    with np.errstate(divide="ignore", invalid="ignore"):
        time = -height / speed
    beside = np.where((speed == 0.0) & (height > 0.0), np.inf, -np.inf)
    enter = np.where(speed < 0.0, time, beside).max(axis=1)
    leave = np.where(speed > 0.0, time, np.inf).min(axis=1)
    return np.where((enter <= leave) & (enter >= 0.0), enter, np.inf)


def _unit_ball(origins: Points, directions: Points) -> tuple[Points, Points]:
    """Times at which rays enter and leave the ball, or the disc, of radius 1; infinite for none."""
    a, b = (directions**2).sum(axis=-1), (origins * directions).sum(axis=-1)
    root = b * b - a * ((origins**2).sum(axis=-1) - 1.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        enter, leave = (-b - np.sqrt(root)) / a, (-b + np.sqrt(root)) / a
    is_hit = (root >= 0.0) & (enter >= 0.0)
    return np.where(is_hit, enter, np.inf), np.where(is_hit, leave, -np.inf)


def _tube(rays: Rays) -> Points:
    """The side of a cylinder or capsule, and the flat ends of a cylinder."""
    thick, half = rays.solid.sizes[0], 0.5 * rays.solid.sizes[1]
    origins, directions = rays.origins, rays.directions
    side = _unit_ball(origins[:, :2] / thick, directions[:, :2] / thick)[0]
    with np.errstate(invalid="ignore"):
        is_beside = np.abs(origins[:, 2] + side * directions[:, 2]) > half
    found = np.where(is_beside | np.isinf(side), np.inf, side)
    if rays.solid.kind == CYLINDER:
        for end in (-half, half):
            time = (end - origins[:, 2]) / directions[:, 2]
            across = origins[:, :2] + time[:, None] * directions[:, :2]
            is_hit = (time >= 0.0) & (np.linalg.norm(across, axis=-1) <= thick)
            found = np.minimum(found, np.where(is_hit, time, np.inf))
    return found


def _faces(rays: Rays, block: slice) -> Points:
    """Against all triangles: the volumes that a ray's line spans with the three edges have one sign."""
    corners = rays.solid.points[rays.solid.faces]
    origins, directions = rays.origins[block, None], rays.directions[block, None]
    p, q, r = (corners[None, :, k] - origins for k in range(3))
    volumes = [np.einsum("bfi,bfi->bf", directions, np.cross(u, v)) for u, v in ((q, r), (r, p), (p, q))]
    total = volumes[0] + volumes[1] + volumes[2]
    weights = np.stack(volumes)
    is_hit = ((weights >= 0.0).all(axis=0) | (weights <= 0.0).all(axis=0)) & (total != 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        points = sum(weight[..., None] * corner for weight, corner in zip(weights, (p, q, r), strict=True))
        time = (points * directions).sum(axis=-1) / total
    return np.where(is_hit & (time >= 0.0), time, np.inf).min(axis=1)
