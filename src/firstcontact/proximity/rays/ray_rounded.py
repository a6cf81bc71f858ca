"""Rays against rounded shapes, step by step.

Along a line, the distance from a convex shape is a convex function. Before the line is in the shape, a step
by Newton's rule ends no later than where the tangent is zero: never inside. So steps from outside go up to
the surface, each twice as exact as the last one, and where the distance no longer falls, the line has missed.
"""

from typing import NamedTuple

import numpy as np

from firstcontact.arrays import Array, Flags
from firstcontact.errors import too_many
from firstcontact.proximity.points.signed_on_convex import signed_on_convex
from firstcontact.proximity.rays.ray_hits import ALL, LARGEST, Hits, Rays, missed
from firstcontact.shapes.convex import KIND, RADIUS, SEGMENT
from firstcontact.shapes.convex_shape import ConvexShape

# Steps along a line that touches are halved: as many as a double has digits, and as many again.
MAX_STEPS = 110

# What is so near, in units of the shape's size, and of its distance where a ray starts, is met.
MET, ON_SURFACE = 2.0**-48, 2.0**-46

# How far outside the ball around a shape its lines begin.
OUTSIDE = 1.0 + 2.0**-20


class Lines(NamedTuple):
    """Lines in the frame of a shape, each from its point nearest to the shape's middle: (n, 3) both."""

    feet: Array
    ways: Array


class Met(NamedTuple):
    """Where lines meet a surface from one side: whether, how far along, and the normals there."""

    is_met: Flags
    along: Array
    normals: Array


def is_rounded(record: Array) -> bool:
    """Has a shape with this record, or packed so, a radius, and is no ball or capsule?"""
    return bool(record[KIND] > SEGMENT and record[RADIUS] > 0.0)


def cast_at_rounded(shape: ConvexShape, rays: Rays, n: int, wanted: int, most: int) -> Hits:
    """Cast n rays at a shape whose distance from points is known."""
    turn = np.array(rays.rotation).reshape(3, 3)
    origins = np.broadcast_to((rays.origins - np.array(rays.position)) @ turn, (n, 3))
    given = np.broadcast_to(rays.directions @ turn, (n, 3))
    longest = np.abs(given).max(axis=1, keepdims=True)
    speeds = longest * np.linalg.norm(given / longest, axis=1, keepdims=True)
    ways = given / speeds
    middle, far = shape.bounds.mean(axis=0), OUTSIDE * shape.farthest
    to_foot = np.einsum("ij,ij->i", middle - origins, ways)
    feet = origins + to_foot[:, np.newaxis] * ways
    near = np.flatnonzero(np.linalg.norm(feet - middle, axis=1) <= far)
    times, normals = np.full((n, 2), np.inf), np.full((n, 2, 3), np.nan)
    for side, sign in enumerate((1.0, -1.0)):
        met = _walked(shape, Lines(feet[near], sign * ways[near]), far)
        rows = near[met.is_met]
        depths = to_foot[rows] + sign * met.along[met.is_met]
        size = far + np.linalg.norm(origins[rows] - middle, axis=1)
        depths[np.abs(depths) <= ON_SURFACE * size] = 0.0
        times[rows, side] = np.clip(depths / speeds[rows, 0], -LARGEST, LARGEST)
        normals[rows, side] = met.normals[met.is_met]
    times[:, 1] = np.where(times[:, 1] > times[:, 0], times[:, 1], np.inf)  # who only touches does so once
    times[~((times >= rays.min_time) & (times <= rays.max_time))] = np.inf
    return _hits(rays, times, normals @ turn.T, wanted, most)


def _walked(shape: ConvexShape, lines: Lines, far: float) -> Met:
    """Go along each line from outside until it meets the surface, or comes no nearer."""
    n = len(lines.feet)
    met = Met(np.zeros(n, bool), np.full(n, -far), np.full((n, 3), np.nan))
    left = np.arange(n)
    for _ in range(MAX_STEPS):
        if len(left) == 0:
            break
        at = met.along[left]
        field = signed_on_convex(shape, lines.feet[left] + at[:, np.newaxis] * lines.ways[left])
        slopes = np.einsum("ij,ij->i", field.normals, lines.ways[left])
        is_there = field.distances <= MET * far
        met.is_met[left[is_there]] = True
        met.normals[left[is_there]] = field.normals[is_there]
        goes_on = ~is_there & (slopes < 0.0)
        steps = field.distances[goes_on] / -slopes[goes_on]
        left = left[goes_on]
        met.along[left] += np.minimum(steps, 4.0 * far)
        left = left[met.along[left] <= far]
    return met


def _hits(rays: Rays, times: Array, normals: Array, wanted: int, most: int) -> Hits:
    """What rays meet, from both times of each (n, 2), inf where there is none, and the normals there."""
    n, is_hit = len(times), times < np.inf
    if wanted == ALL:
        starts = np.concatenate([[0], np.cumsum(is_hit.sum(axis=1))])
        if starts[-1] > most:
            raise too_many("hits", "max_hits", most)
        which, side = np.nonzero(is_hit)
    else:
        starts = np.arange(n + 1)
        which, side = np.arange(n), np.argmax(is_hit, axis=1)
    found = missed(len(which), 0)
    met = times[which, side]
    rows = np.flatnonzero(met < np.inf)
    found.times[rows], found.normals[rows] = met[rows], normals[which[rows], side[rows]]
    origins = np.broadcast_to(rays.origins, (n, 3))[which[rows]]
    found.points[rows] = (
        origins + met[rows, np.newaxis] * np.broadcast_to(rays.directions, (n, 3))[which[rows]]
    )
    return found._replace(starts=starts)
