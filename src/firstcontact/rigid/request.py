"""What is asked of a search for the first contact, and what it gives back."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.status import Status

# Outcomes of a search, as plain numbers: that is what compiled code takes.
SEPARATED, CONTACT = int(Status.SEPARATED), int(Status.CONTACT)
CONTACT_AT_START, MAX_ITERATIONS = int(Status.CONTACT_AT_START), int(Status.MAX_ITERATIONS)

# What is counted: times at which the bodies were placed; pairs that were given a step of advancement and not
# split then, once in each traversal that looked at them (a search by earliest pairs is a single traversal);
# gaps of volumes, and distances of triangles, that were computed.
ITERATIONS, FRONT_NODES, VOLUME_TESTS, TRIANGLE_TESTS = range(4)
N_COUNTS = 4


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
