"""Sets that are joined step by step: each number has a parent, and each set a root, its least number."""

from firstcontact._jit import kernel
from firstcontact.arrays import Ids


@kernel
def root_of(parents: Ids, i: int) -> int:
    """Root of the set that a number is in; the way there is made shorter."""
    while parents[i] != i:
        parents[i] = parents[parents[i]]
        i = parents[i]
    return i


@kernel
def join(parents: Ids, i: int, j: int) -> None:
    """Make one set of those that two numbers are in."""
    p, q = root_of(parents, i), root_of(parents, j)
    parents[max(p, q)] = min(p, q)
