"""How deep polygons are in each other: the shortest way out of all."""

import numpy as np

from firstcontact.advancement.ask import Ask
from firstcontact.answers.penetration_results import Penetration
from firstcontact.arrays import Array
from firstcontact.motions.plane_poses import poses_in_plane
from firstcontact.proximity.plane.way_out import Region, region_of, way_out
from firstcontact.queries.batches import common_length
from firstcontact.queries.kinds.planar import planar_intersects
from firstcontact.queries.kinds.resting import Resting, rested
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.planar import as_planar


def planar_penetration(a: Moving, b: Moving, ask: Ask) -> Penetration:
    """Measure how deep two polygons are in each other, in one pose each or a batch of them."""
    things = [_filled(name, thing) for name, thing in (("a", a), ("b", b))]
    motions = things[0].motion, things[1].motion
    n, is_batch = common_length(*motions, "poses"), motions[0].is_batch or motions[1].is_batch
    touches = np.atleast_1d(np.asarray(planar_intersects(a, b, Ask())))
    depths, places = np.zeros(n), np.full((n, 3, 2), np.nan)
    for k in np.flatnonzero(touches).tolist():
        found = way_out(_region(things[0], k), _region(things[1], k))
        if found is not None:
            depths[k], places[k] = found.depth, found[1:]
    if is_batch:
        direction, points_a, points_b = places.transpose(1, 0, 2).copy()
        return Penetration(depths, direction, points_a, points_b, touches)
    direction, points_a, points_b = places[0].copy()
    return Penetration(float(depths[0]), direction, points_a, points_b, bool(touches[0]))


def _filled(name: str, thing: Moving) -> Resting:
    """A polygon as it stands; a curve has no inside to be in."""
    found = rested("penetration", name, thing)
    if not as_planar(found.shape).is_filled:
        raise TypeError(f"penetration is of polygons, and {name} is a Polyline, which has no inside")
    return found


def _region(thing: Resting, k: int) -> Region:
    """A polygon where it is in one pose."""
    shape, poses = as_planar(thing.shape), thing.motion.pose(0.0).reshape(-1, 4, 4)
    pose: Array = poses_in_plane(poses[k if len(poses) > 1 else 0])
    turns = shape.turns
    assert turns is not None  # it is filled
    return region_of(shape, shape.vertices @ pose[:2, :2].T + pose[:2, 2], turns)
