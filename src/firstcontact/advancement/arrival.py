"""Where searches arrive."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel
from firstcontact.arrays import Array, Ids
from firstcontact.scalar.vec3 import Vec3
from firstcontact.status import Status

# Outcomes of a search, as plain numbers: that is what compiled code takes.
SEPARATED, CONTACT = int(Status.SEPARATED), int(Status.CONTACT)
CONTACT_AT_START, MAX_ITERATIONS = int(Status.CONTACT_AT_START), int(Status.MAX_ITERATIONS)

# What is counted: times at which the bodies were placed; pairs that were given a step of advancement and not
# split then, once in each traversal that looked at them (a search by earliest pairs is a single traversal);
# gaps of volumes, and distances of triangles, that were computed.
ITERATIONS, FRONT_NODES, VOLUME_TESTS, TRIANGLE_TESTS = range(4)
N_COUNTS = 4


class Arrival(NamedTuple):
    """Where a search arrives: a status, and a time with no contact before.

    triangle_a, triangle_b : in contact; -1 where there is none, and for a convex shape
    point_a, point_b, normal : in the frame of b, where the search knows them; else zeros. Of convex shapes
        that stay apart the normal is a direction that shows it
    """

    status: int
    time: float
    triangle_a: int
    triangle_b: int
    point_a: Vec3
    point_b: Vec3
    normal: Vec3


class Found(NamedTuple):
    """Arrivals of n motions.

    status : (n,) int8
    time : (n,) float64, inf where there is no contact
    triangles : (n, 2) int32, numbered as in the bodies; -1 where there is no contact, and for convex shapes
    counts : (n, N_COUNTS) int64
    points, normals : (n, 2, 3) on a and on b, and (n, 3) from a to b, in the world; NaN where there is no
        contact, and of two meshes
    """

    status: NDArray[np.int8]
    time: Array
    triangles: Ids
    counts: NDArray[np.int64]
    points: Array
    normals: Array


class Touch(NamedTuple):
    """What was found of one motion, without arrays: to hand these over takes its time."""

    status: int
    time: float
    point_a: Vec3
    point_b: Vec3
    normal: Vec3


@kernel
def touch_at(found: Found, k: int) -> Touch:
    """Read what was found of motion k."""
    p = found.points[k, 0, 0], found.points[k, 0, 1], found.points[k, 0, 2]
    q = found.points[k, 1, 0], found.points[k, 1, 1], found.points[k, 1, 2]
    n = found.normals[k, 0], found.normals[k, 1], found.normals[k, 2]
    return Touch(int(np.int64(found.status[k])), found.time[k], p, q, n)  # one type, as others give it


def nothing_found(n: int) -> Found:
    """No contact, yet, of n motions."""
    return Found(
        np.full(n, SEPARATED, np.int8),
        np.full(n, np.inf),
        np.full((n, 2), -1, np.int32),
        np.zeros((n, N_COUNTS), np.int64),
        np.full((n, 2, 3), np.nan),
        np.full((n, 3), np.nan),
    )


@kernel
def nothing_yet() -> Found:
    """No contact, yet, of one motion."""
    return Found(
        np.full(1, SEPARATED, np.int8),
        np.full(1, np.inf),
        np.full((1, 2), -1, np.int32),
        np.zeros((1, N_COUNTS), np.int64),
        np.full((1, 2, 3), np.nan),
        np.full((1, 3), np.nan),
    )


@kernel
def not_arrived(status: int, time: float) -> Arrival:
    """No contact up to a time."""
    nowhere = 0.0, 0.0, 0.0
    return Arrival(status, time, -1, -1, nowhere, nowhere, nowhere)


@kernel
def triangles_touch(time: float, triangle_a: int, triangle_b: int) -> Arrival:
    """Contact of two triangles; where on them is left open."""
    nowhere = 0.0, 0.0, 0.0
    return Arrival(CONTACT, time, triangle_a, triangle_b, nowhere, nowhere, nowhere)


@kernel
def told_status(status: int, time: float) -> int:
    """What a search found, as it is told: a contact at t = 0 is one at the start."""
    return CONTACT_AT_START if status == CONTACT and time == 0.0 else status


@kernel
def write_arrival(found: Found, k: int, arrival: Arrival) -> None:
    """Write where the search of motion k arrived, but for points and normal."""
    found.status[k] = told_status(arrival.status, arrival.time)
    found.time[k] = arrival.time
    found.triangles[k, 0], found.triangles[k, 1] = arrival.triangle_a, arrival.triangle_b
