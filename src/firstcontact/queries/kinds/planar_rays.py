"""Rays in the plane: which edges of a polygon or a polyline they meet."""

import numpy as np

from firstcontact.advancement.ask import Ask
from firstcontact.bodies.plane_body import plane_body_of
from firstcontact.motions.plane_poses import poses_in_plane
from firstcontact.proximity.plane.ray_edges import PlaneRays, cast_at_edges
from firstcontact.proximity.rays.ray_hits import Hits
from firstcontact.queries.ray_cast import RayBatch, rested_once
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.planar import as_planar


def rays_in_plane(thing: Moving, batch: RayBatch, ask: Ask) -> Hits:
    """Cast rays at the outlines of a polygon, or at a polyline."""
    found = rested_once(thing)
    shape, pose = as_planar(found.shape), np.ascontiguousarray(poses_in_plane(found.motion.pose(0.0)))
    turns = np.zeros(shape.n_edges) if shape.turns is None else shape.turns
    rays = PlaneRays(batch.origins, batch.directions, pose, batch.min_time, batch.max_time)
    return cast_at_edges(plane_body_of(shape), turns, rays, batch.n, batch.wanted, batch.most)
