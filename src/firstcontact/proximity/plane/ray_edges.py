"""Rays in the plane against edges in a tree: which they meet is decided exactly."""

from math import frexp, ldexp
from typing import NamedTuple

import numpy as np

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Array, Keys
from firstcontact.bodies.plane_body import PlaneBody, edge_at
from firstcontact.narrowphase.plane.ray_edge import normal_of_edge, times_of_edge
from firstcontact.narrowphase.plane.turn import TURN_ROOM, Vec2
from firstcontact.proximity.rays.ray_hits import ALL, ANY, COUNT, LARGEST, Hits, collect, missed

# What rounding may do to where a box is, in units of all lengths: some ten units of the last place.
WIDER = 2.0**-48


class PlaneRays(NamedTuple):
    """Rays in the plane, and the pose of what they are cast at.

    origins, directions : (n, 2), or (1, 2) for all
    pose : (3, 3)
    min_time, max_time : hits earlier or later than these do not count
    """

    origins: Array
    directions: Array
    pose: Array
    min_time: float
    max_time: float


class Aim(NamedTuple):
    """A ray as a shape sees it: its direction is scaled by a power of two, so that it is about as long as 1.

    squared : the square of the length of the direction
    exponent : times are to be multiplied by two to the power of this
    """

    origin: Vec2
    way: Vec2
    squared: float
    exponent: int
    min_time: float
    max_time: float


def cast_at_edges(body: PlaneBody, turns: Array, rays: PlaneRays, n: int, wanted: int, most: int) -> Hits:
    """Cast n rays at edges; where all hits are wanted, each edge counts.

    turns : (m,) 1 where the inside is to the left of an edge, -1 where it is to the right, 0 of curves
    """
    if len(body.edges) == 0:
        return missed(n, wanted, 2)

    def cast(hits: Hits, stage: int, first: int, last: int) -> None:
        _cast_range(body, turns, rays, hits, stage, (first, last))

    return collect(cast, n, wanted, most, dimension=2)


@driver
def _cast_range(
    body: PlaneBody, turns: Array, rays: PlaneRays, hits: Hits, wanted: int, part: tuple[int, int]
) -> None:
    stack, room, pose = np.empty(body.depth + 2, np.int64), np.empty(TURN_ROOM), rays.pose
    for i in range(part[0], part[1]):
        aim = _aim(rays, i)
        count = _meet(body, aim, hits, hits.starts[i], wanted, (stack, room))
        if wanted == COUNT:
            hits.starts[i + 1] = count
            continue
        if count == 0 and wanted != ALL:
            _write_miss(hits, hits.starts[i])
        j, k = min(i, len(rays.origins) - 1), min(i, len(rays.directions) - 1)
        for row in range(hits.starts[i], hits.starts[i] + count):
            edge, time = int(hits.faces[row]), hits.times[row]
            x, y = normal_of_edge(aim.origin, aim.way, edge_at(body.edges, edge), turns[edge], room)
            for c in range(2):
                hits.points[row, c] = rays.origins[j, c] + time * rays.directions[k, c]
                hits.normals[row, c] = pose[c, 0] * x + pose[c, 1] * y


@kernel
def _aim(rays: PlaneRays, i: int) -> Aim:
    """Ray i in the frame of the shape; exact in the identity pose."""
    pose, j, k = rays.pose, min(i, len(rays.origins) - 1), min(i, len(rays.directions) - 1)
    x, y = rays.origins[j, 0] - pose[0, 2], rays.origins[j, 1] - pose[1, 2]
    u, v = rays.directions[k, 0], rays.directions[k, 1]
    exponent = -frexp(max(abs(u), abs(v)))[1]
    u, v = ldexp(u, exponent), ldexp(v, exponent)
    origin = pose[0, 0] * x + pose[1, 0] * y, pose[0, 1] * x + pose[1, 1] * y
    way = pose[0, 0] * u + pose[1, 0] * v, pose[0, 1] * u + pose[1, 1] * v
    squared = way[0] * way[0] + way[1] * way[1]
    return Aim(origin, way, squared, exponent, rays.min_time, rays.max_time)


@kernel
def _meet(body: PlaneBody, aim: Aim, hits: Hits, start: int, wanted: int, work: tuple[Keys, Array]) -> int:
    """Write times and edges of what a ray meets from a row on; return how many there are."""
    stack, room = work
    stack[0], top, count, best, nearest = 0, 1, 0, aim.max_time, -1
    while top > 0:
        top -= 1
        node = stack[top]
        if not _may_meet(body.boxes, node, aim, best):
            continue
        child = body.children[node, 0]
        if child >= 0:
            other = body.children[node, 1]
            if _ahead(body.boxes, child, aim) < _ahead(body.boxes, other, aim):
                child, other = other, child
            stack[top], stack[top + 1], top = child, other, top + 2  # the nearer one is looked into first
            continue
        enter, leave = times_of_edge(aim.origin, aim.way, edge_at(body.edges, ~child), room)
        time = max(_in_world(enter, aim), aim.min_time)
        if not (enter <= LARGEST and time <= _in_world(leave, aim) and time <= best):
            continue
        if wanted == ALL:
            _insert(hits, start, start + count, time, ~child)
        if wanted in (ALL, COUNT):
            count += 1
        elif nearest < 0 or time < best or ~child < nearest:
            best, nearest = time, ~child
        if wanted == ANY and nearest >= 0:
            break
    if nearest >= 0:
        hits.times[start], hits.faces[start], count = best, nearest, 1
    return count


@kernel
def _in_world(time: float, aim: Aim) -> float:
    """A time in units of the direction as it was given, finite."""
    return max(min(ldexp(time, aim.exponent), LARGEST), -LARGEST)


@kernel
def _may_meet(boxes: Array, node: int, aim: Aim, latest: float) -> bool:
    """May a ray meet what is in a box, early enough? Its line passes through, and the box is ahead."""
    (ox, oy), (dx, dy) = aim.origin, aim.way
    x, y = 0.5 * (boxes[node, 0] + boxes[node, 2]) - ox, 0.5 * (boxes[node, 1] + boxes[node, 3]) - oy
    u, v = 0.5 * (boxes[node, 2] - boxes[node, 0]), 0.5 * (boxes[node, 3] - boxes[node, 1])
    off = WIDER * (abs(x) + abs(y) + u + v + abs(ox) + abs(oy))
    if abs(dx * y - dy * x) > abs(dx) * v + abs(dy) * u + off:
        return False
    along, half = dx * x + dy * y, abs(dx) * u + abs(dy) * v + off
    soon, late = ldexp(aim.min_time, -aim.exponent) * aim.squared, ldexp(latest, -aim.exponent) * aim.squared
    return bool(not (along + half < soon - WIDER * abs(soon) or along - half > late + WIDER * abs(late)))


@kernel
def _ahead(boxes: Array, node: int, aim: Aim) -> float:
    """How far ahead of a ray the nearest corner of a box is, about: to go to the nearer one first."""
    (ox, oy), (dx, dy) = aim.origin, aim.way
    x = boxes[node, 0] if dx > 0.0 else boxes[node, 2]
    y = boxes[node, 1] if dy > 0.0 else boxes[node, 3]
    return float(dx * (x - ox) + dy * (y - oy))


@kernel
def _insert(hits: Hits, first: int, last: int, time: float, edge: int) -> None:
    """Put a hit among those of its ray, the earlier first, at one time the smaller edge first."""
    times, edges, at = hits.times, hits.faces, last
    while at > first and (times[at - 1] > time or (times[at - 1] == time and edges[at - 1] > edge)):
        times[at], edges[at] = times[at - 1], edges[at - 1]
        at -= 1
    times[at], edges[at] = time, edge


@kernel
def _write_miss(hits: Hits, row: int) -> None:
    """Say that a ray meets nothing."""
    hits.times[row], hits.faces[row] = np.inf, -1
    for k in range(2):
        hits.points[row, k] = hits.normals[row, k] = np.nan
