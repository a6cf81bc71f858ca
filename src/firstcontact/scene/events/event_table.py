"""What the queue of a scene's events is made of: arrays, with a row for each body.

Every body has two certificates, each with the time at which it fails: that it touches nobody around it, and
that it stays in its cell. The earlier of the two is its key in a heap. A pair has a place in the certificate
of whoever of the two was looked at last; so the one of the other need not know, and one that is about a body
that has changed its motion since is found out by that body's stamp, when its time has come.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array, Ids
from firstcontact.motions.rigid_motion import N_COLUMNS

Numbers = NDArray[np.int64]

# Columns of motions: a piece as all kernels read it, counted from when the body's motion last changed; then
ACCELERATION = N_COLUMNS  # three
BALL = ACCELERATION + 3  # radius of the ball around the point turned about that holds the body as it turns
SIZE = BALL + 1  # by which tolerances go
OUTWARD = SIZE + 1  # three: of a half-space, the normal in the world
CENTROID = OUTWARD + 3  # three: what bodies turn about from when their motion is changed
N_MOTION = CENTROID + 3

# Columns of what neighbours look at, a line of a cache for each body: what is here is in its motion, too.
PLACE, SPEED, SINCE, WIDE = 0, 3, 6, 7
N_SEEN = 8

# Columns of links: who is behind in the list of the bucket, or of those that roam; who is before; and a
# number that tells cells apart which have a bucket together, nearly always.
BEHIND, BEFORE, TAG = 0, 1, 2
N_LINKS = 4

# Columns of numbers.
KIND = 0
CELL = 1  # three; where it roams, none
STAMP = 4  # how often the motion has changed
ID = 5
BUCKET = 6  # of the table of cells; where it roams, ROAMING
PARTNER = 7  # who is touched first, or may be; -1 for nobody
PARTNER_STAMP = 8  # the partner's, when it was looked at
OUTCOME = 9  # of the certificate about the partner
WAY_OUT = 10  # side of the cell by which it is left: 2 axis + (1 for the upper)
SHAPE = 11  # in the table of convex shapes
N_NUMBERS = 12

# Kinds of bodies: balls about the point they turn about, half-spaces that do not turn, other convex shapes;
# what is no business of this queue.
BALL_SHAPE, PLANE, CONVEX_SHAPE, ABSENT = range(4)

# A certificate fails because the two touch, or because there is more to look at.
TOUCHES, LOOK_AGAIN = range(2)

NOBODY, ROAMING = -1, -1

# Velocities, turns and accelerations below this are none: their squares would be nothing, and times would be
# told late by that. In a time of 2^300, which is the age of all there is many times over, it is no way.
LEAST_SPEED = 2.0**-400

# Cells that a body can touch others in: its own, and those around.
N_AROUND = 27

# Columns of the state: the time up to which the queue has come; the side of a cell; the corners of the box
# with cells; what counts as contact, and how near is near: a negative number for the default.
# And whether all bodies that are not half-spaces fall alike: 1, or 0 for perhaps not.
NOW, CELL_SIZE, LOWEST, HIGHEST, MIN_SEPARATION, TOLERANCE, ALIKE = 0, 1, 2, 5, 8, 9, 10
N_STATE = 11

# Columns of counts: first of those that roam, and how many of them; how many of these from the beginning;
# certificates that were made, pairs that were looked at and searches.
FIRST_ROAMING, N_ROAMING, N_ROAMING_THEN, N_CERTIFICATES, N_PAIRS, N_SEARCHES = range(6)
N_COUNTS = 6


class EventTable(NamedTuple):
    """The queue of n bodies.

    Who looks around reads links and what is seen alone, which are small: of 100,000 bodies most is not near
    the processor, and to get it takes longer than to work with it.

    motions : (n, N_MOTION); seen : (n, N_SEEN); links : (n, N_LINKS); numbers : (n, N_NUMBERS)
    times : (n, 3) when each certificate fails: about others, about the cell, and the earlier
    heap, keys, places : (n,) bodies, by the earlier; that time of each; and where in the heap each body is
    buckets : (m,) first body of each, m a power of two
    state, counts : (N_STATE,) and (N_COUNTS,)
    records, pool : the convex shapes
    words, ignored : (n, k) groups of each body as bits; keys of pairs with verdicts, ascending, (m, 2)
    room : (6, N_COLUMNS + 3), where pieces of two motions are made
    heads, fetched : (N_AROUND,) who is first in each cell around a body, and what was read of them
    """

    motions: Array
    seen: Array
    links: Ids
    numbers: Numbers
    times: Array
    heap: Ids
    keys: Array
    places: Ids
    buckets: Ids
    state: Array
    counts: Numbers
    records: Array
    pool: Array
    words: Numbers
    ignored: Numbers
    room: Array
    heads: Ids
    fetched: Array


# Columns of times.
OTHERS, OUT, EARLIER = range(3)


def empty_table(n: int) -> EventTable:
    """Room for n bodies, none of which is there."""
    n_buckets = 16
    while n_buckets < 2 * n:
        n_buckets *= 2
    numbers = np.zeros((n, N_NUMBERS), np.int64)
    numbers[:, KIND], numbers[:, PARTNER], numbers[:, BUCKET] = ABSENT, NOBODY, ROAMING
    return EventTable(
        np.zeros((n, N_MOTION)),
        _lines(n, N_SEEN),
        np.zeros((n, N_LINKS), np.int32),
        numbers,
        np.full((n, 3), np.inf),
        np.arange(n, dtype=np.int32),
        np.full(n, np.inf),
        np.arange(n, dtype=np.int32),
        np.full(n_buckets, NOBODY, np.int32),
        np.zeros(N_STATE),
        np.zeros(N_COUNTS, np.int64),
        np.zeros((0, 0)),
        np.zeros(0),
        np.zeros((n, 0), np.int64),
        np.zeros((0, 2), np.int64),
        np.zeros((6, N_COLUMNS + 3)),
        np.zeros(N_AROUND, np.int32),
        np.zeros(N_AROUND),
    )


def _lines(n: int, width: int) -> Array:
    """Rows of zeros, each of which begins with a line of the cache: of 64 bytes, or eight numbers."""
    room = np.zeros(n * width + 8)
    first = -room.ctypes.data % 64 // 8
    return room[first : first + n * width].reshape(n, width)
