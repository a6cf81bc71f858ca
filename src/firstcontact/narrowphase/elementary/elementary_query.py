"""What is asked of an elementary query, and what a stage finds."""

from typing import NamedTuple

from firstcontact.status import Status

SEPARATED = int(Status.SEPARATED)
CONTACT = int(Status.CONTACT)
CONTACT_AT_START = int(Status.CONTACT_AT_START)
UNDECIDED = int(Status.UNDECIDED)
MAX_ITERATIONS = int(Status.MAX_ITERATIONS)


class Options(NamedTuple):
    """What is asked of each query of a batch."""

    is_edge_edge: bool
    max_time: float
    time_tolerance: float
    min_separation: float


class Finding(NamedTuple):
    """What a stage finds in a stretch of time: free before `lower`, in contact by `upper` if proven."""

    status: int
    lower: float
    upper: float
