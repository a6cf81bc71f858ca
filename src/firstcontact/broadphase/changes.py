"""What a broad phase did in a step."""

from typing import NamedTuple


class Changes(NamedTuple):
    """What changed in a step, and what that took.

    begun, ended : pairs that overlap now and did not before, and the other way round
    swaps : ends of boxes that changed places (sweep and prune)
    arrivals : boxes that entered a cell (sweep and prune)
    moved : boxes that left their leaves' bounds (tree)
    box_tests : tests of a box against a node (tree)
    is_rebuilt : whether all was sorted anew, or the tree built or mended
    """

    begun: int = 0
    ended: int = 0
    swaps: int = 0
    arrivals: int = 0
    moved: int = 0
    box_tests: int = 0
    is_rebuilt: bool = False
