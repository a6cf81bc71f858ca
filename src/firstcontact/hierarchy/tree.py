"""The tree: which bounds belong together, without the bounds, so that one tree serves many refits."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# No leaf is deeper, whatever the input: traversals size their stacks by it. Builders split in the middle when
# a range would no longer fit otherwise, and 31 levels hold as many primitives as an int32 can count.
MAX_DEPTH = 64


class Tree(NamedTuple):
    """A binary tree with one primitive a leaf, numbered depth first.

    The left child of a node follows it, and the nodes below a node are a contiguous range behind it. So
    parents come before their children, and a tree over n primitives has 2 n - 1 nodes (none for none).

    children : (n_nodes, 2) int32, the children of an inner node; a leaf that holds primitive p has ~p twice
    depth : that of the deepest leaf; the root's is 0
    """

    children: NDArray[np.int32]
    depth: int
