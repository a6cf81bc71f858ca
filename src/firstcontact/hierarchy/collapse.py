"""A tree with two children a node as one with more: blocks of nodes whose volumes are looked at together."""

import numpy as np

from firstcontact._jit import driver
from firstcontact.arrays import Array, Ids


@driver
def collapse(children: Ids, sizes: Array, blocks_of: Ids, nodes: Ids) -> int:
    """Gather the children of blocks, opening the largest until a row is full; return how many blocks.

    children : (n, 2) of each node, which comes before them; below 0 for a leaf
    sizes : (n,) of the nodes' volumes
    blocks_of : (n,) written: the block of a node, or what `children` has of a leaf
    nodes : (n_blocks, width) written from the left: the children of each block
    """
    n_blocks, width = 0, nodes.shape[1]
    # A parent comes before its children: only nodes that a block names, and the root, get a block.
    is_named = np.zeros(len(children), np.bool_)
    is_named[:1] = True
    for node in range(len(children)):
        blocks_of[node] = children[node, 0]
        if children[node, 0] < 0 or not is_named[node]:
            continue
        blocks_of[node] = n_blocks
        row = nodes[n_blocks]
        row[0], row[1], count = children[node, 0], children[node, 1], 2
        while count < width:
            largest, size = -1, -1.0
            for k in range(count):
                if children[row[k], 0] >= 0 and sizes[row[k]] > size:
                    largest, size = k, sizes[row[k]]
            if largest < 0:
                break
            opened = row[largest]
            row[largest], row[count] = children[opened, 0], children[opened, 1]
            count += 1
        for k in range(count):
            is_named[row[k]] = True
        n_blocks += 1
    return n_blocks
