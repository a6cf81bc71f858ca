"""What is asked of a search for the first contact, and what it gives back."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel
from firstcontact.status import Status

# Outcomes of a search, as plain numbers: that is what compiled code takes.
SEPARATED, CONTACT = int(Status.SEPARATED), int(Status.CONTACT)
CONTACT_AT_START, MAX_ITERATIONS = int(Status.CONTACT_AT_START), int(Status.MAX_ITERATIONS)

# What is counted: times at which the bodies were placed; pairs that were given a step of advancement and not
# split then, once in each traversal that looked at them (a search by earliest pairs is a single traversal);
# gaps of volumes, and distances of triangles, that were computed.
ITERATIONS, FRONT_NODES, VOLUME_TESTS, TRIANGLE_TESTS = range(4)
N_COUNTS = 4


# How to search: earliest pairs first; all pairs together, as published in 2009; and that without control.
METHODS = {"c2a": 0, "c2a-2009": 1, "ca": 2}
BEST_FIRST, CONTROLLED, UNCONTROLLED = METHODS.values()


class Options(NamedTuple):
    """What holds for all motions of a batch; the method is one of `METHODS`."""

    tolerance: float
    min_separation: float
    max_iterations: int
    method: int = BEST_FIRST


class Goal(NamedTuple):
    """What a search looks for.

    start, end : times between which
    margin : distance that counts as contact, and that rounding may hide
    target : distance at which a pair of triangles counts as in contact
    slack : time by which a contact may be reported before the distance is down to the target
    max_iterations : steps of advancement after which to stop
    speed : no two points approach each other faster
    """

    start: float
    end: float
    margin: float
    target: float
    slack: float
    max_iterations: int
    speed: float = np.inf


class Arrival(NamedTuple):
    """What a search found: a status, a time with no contact before, and the pair of triangles in contact."""

    status: int
    time: float
    triangle_a: int
    triangle_b: int


@kernel
def told_status(status: int, time: float) -> int:
    """What a search found, as it is told: a contact at t = 0 is one at the start."""
    return CONTACT_AT_START if status == CONTACT and time == 0.0 else status


class Found(NamedTuple):
    """Arrivals of n motions.

    status : (n,) int8
    time : (n,) float64
    triangles : (n, 2) int32, numbered as in the bodies; -1 where there is no contact
    counts : (n, N_COUNTS) int64
    """

    status: NDArray[np.int8]
    time: NDArray[np.float64]
    triangles: NDArray[np.int32]
    counts: NDArray[np.int64]
