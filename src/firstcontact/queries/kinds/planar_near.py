"""Two things of the plane near each other, at an instant: distances, or depths of polygons; gradients."""

import numpy as np

from firstcontact.advancement.ask import Ask
from firstcontact.answers.gradients import of_poses
from firstcontact.answers.near_results import NearPairs
from firstcontact.arrays import Array
from firstcontact.motions.plane_poses import IN_PLANE, lifted_points
from firstcontact.queries.batches import common_length
from firstcontact.queries.kinds.near_resting import near_pairs, origins_of, wanted
from firstcontact.queries.kinds.planar import planar_distance
from firstcontact.queries.kinds.planar_penetration import way_in_pose
from firstcontact.queries.kinds.resting import rested
from firstcontact.queries.kinds.signed_pair import Signed, unit_ways
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.planar import as_planar


def planar_near(a: Moving, b: Moving, ask: Ask) -> NearPairs:
    """Measure two things, in one pose each or a batch; one pair a row, or none."""
    within, things = wanted(ask), (rested("near", "a", a), rested("near", "b", b))
    one, other = (Moving(*thing) for thing in things)
    n = common_length(one.rigid, other.rigid, "poses")
    found = planar_distance(one, other, Ask(within=within))
    distance = np.array(found.distance, np.float64).reshape(n)
    rows = np.flatnonzero(distance <= within)
    p, q = (np.array(x, np.float64).reshape(n, 2)[rows] for x in (found.points_a, found.points_b))
    signed = Signed(distance[rows], p, q, unit_ways(p, q))
    touching = np.flatnonzero(signed.distance == 0.0)
    signed.normals[touching] = np.nan
    contacts = np.zeros((len(rows), 2, 3, 2))
    contacts[:, 0] = np.stack([p, q, signed.normals], axis=1)
    if all(as_planar(thing.shape).is_filled for thing in things):
        for i in touching.tolist():
            way = way_in_pose(*things, int(rows[i]))
            if way is not None:
                signed.put(i, Signed(np.array(0.0 - way.depth), way.point_a, way.point_b, way.direction))
                contacts[i] = way.contacts
    origins = np.stack([origins_of(thing, n)[rows] for thing in (one, other)])
    gradient = sum(_gradient(contacts[:, k], origins) for k in range(2))
    return near_pairs(rows, n, (["a"] * len(rows), ["b"] * len(rows)), signed, np.asarray(gradient))


def _gradient(contacts: Array, origins: Array) -> Array:
    """What contacts (m, 3, 2), each two points and a normal, add to gradients (m, 2, 3)."""
    p, q, normals = lifted_points(contacts).transpose(1, 0, 2)
    found: Array = of_poses(np.stack([p, q]), normals, origins)[..., IN_PLANE]
    return found
