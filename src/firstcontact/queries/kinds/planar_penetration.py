"""How deep polygons are in each other: the shortest way out of all."""

import numpy as np

from firstcontact.advancement.ask import Ask
from firstcontact.answers.penetration_results import Penetration
from firstcontact.arrays import Array
from firstcontact.motions.plane_poses import poses_in_plane
from firstcontact.proximity.plane.way_out import Region, WayOut, region_of, way_out
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
        found = way_in_pose(things[0], things[1], k)
        if found is not None:
            depths[k], places[k] = found.depth, found[1:4]
    if is_batch:
        direction, points_a, points_b = places.transpose(1, 0, 2).copy()
        return Penetration(depths, direction, points_a, points_b, touches)
    direction, points_a, points_b = places[0].copy()
    return Penetration(float(depths[0]), direction, points_a, points_b, bool(touches[0]))


def way_in_pose(a: Resting, b: Resting, k: int) -> WayOut | None:
    """The shortest way by which a polygon gets out of another in one pose of a batch."""
    center = _center(a, k)
    found = way_out(_region(a, k, center), _region(b, k, center))
    if found is None:
        return None
    found.contacts[:, :2] += center
    return found._replace(point_a=found.point_a + center, point_b=found.point_b + center)


def _filled(name: str, thing: Moving) -> Resting:
    """A polygon as it stands; a curve has no inside to be in."""
    found = rested("penetration", name, thing)
    if not as_planar(found.shape).is_filled:
        raise TypeError(f"penetration is of polygons, and {name} is a Polyline, which has no inside")
    return found


def _center(thing: Resting, k: int) -> Array:
    """Where the middle of a polygon's box is in one pose."""
    pose = _pose(thing, k)
    found: Array = pose[:2, :2] @ _middle(thing) + pose[:2, 2]
    return found


def _region(thing: Resting, k: int, center: Array) -> Region:
    """A polygon where it is in one pose, as seen from near it: far from the origin digits would be lost."""
    shape, pose, middle = as_planar(thing.shape), _pose(thing, k), _middle(thing)
    turns = shape.turns
    assert turns is not None  # it is filled
    way = pose[:2, :2] @ middle + pose[:2, 2] - center
    return region_of(shape, (shape.vertices - middle) @ pose[:2, :2].T + way, turns)


def _middle(thing: Resting) -> Array:
    """The middle of a polygon's box; the origin of one without points."""
    shape = as_planar(thing.shape)
    found: Array = shape.bounds.mean(axis=0) if shape.n_vertices else np.zeros(2)
    return found


def _pose(thing: Resting, k: int) -> Array:
    """One pose of a batch, in the plane."""
    poses = thing.motion.pose(0.0).reshape(-1, 4, 4)
    return poses_in_plane(poses[k if len(poses) > 1 else 0])
