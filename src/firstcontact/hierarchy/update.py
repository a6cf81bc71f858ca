"""Keep a tree fit while its primitives move: refit it, repair it, or build it anew."""

from enum import StrEnum
from typing import NamedTuple

import numpy as np

from firstcontact.arrays import Array
from firstcontact.hierarchy.build import build_tree
from firstcontact.hierarchy.quality import Quality, quality
from firstcontact.hierarchy.refit import refit
from firstcontact.hierarchy.restructure import restructure, tight_subtrees
from firstcontact.hierarchy.tree import MAX_DEPTH, Tree

# A tree is loose when its overlap is this many times what it was when built. Of trees built anew over the
# scenes in quality.py it varied by 1.1. At this value 5 to 10 % of a traversal's box tests are in vain, about
# what a repair costs.
LOOSE = 1.25

# Subtrees of a loose tree are kept whose spread is at most this many times what it was when built. A repair
# of 300 mixed balls then keeps 8 subtrees in 100 primitives, takes a fifth of the time of a new tree (refit
# and measurement apart) and makes as good a one. At 1.2 small balls take 10 to 20 % more box tests.
TIGHT = 1.05

# Kept subtrees, as a share of the primitives, from which a repair takes the time of a new tree.
REBUILD_FROM = 0.5


class Action(StrEnum):
    """What was done to a tree."""

    REFIT = "refit"
    RESTRUCTURED = "restructured"
    REBUILT = "rebuilt"


class FittedTree(NamedTuple):
    """A tree that fits its primitives.

    tree : over the primitives
    node_bounds : (n_nodes, k)
    built : the quality of the tree, and of each subtree, when it was built
    action : what was done last
    """

    tree: Tree
    node_bounds: Array
    built: Quality
    action: Action


def fitted_tree(leaf_bounds: Array) -> FittedTree:
    """Build a tree over bounds (n, k)."""
    tree = build_tree(leaf_bounds)
    node_bounds = refit(tree, leaf_bounds)
    return FittedTree(tree, node_bounds, quality(tree, node_bounds), Action.REBUILT)


def refitted(tree: Tree, leaf_bounds: Array) -> FittedTree:
    """Fit a tree to bounds (n, k) as it is, however loose."""
    node_bounds = refit(tree, leaf_bounds)
    return FittedTree(tree, node_bounds, quality(tree, node_bounds), Action.REFIT)


def updated_tree(tree: Tree, built: Quality, leaf_bounds: Array) -> FittedTree:
    """Fit a tree to the bounds (n, k) that its primitives have now.

    A refit takes a tenth of the time of a new tree. A tree that has become loose is repaired, or built anew
    where little of it is tight, or where it is loose even then.
    """
    node_bounds = refit(tree, leaf_bounds)
    now = quality(tree, node_bounds)
    if not is_loose(now.overlap, built):
        return FittedTree(tree, node_bounds, built, Action.REFIT)
    kept = tight_subtrees(tree, now.spreads, TIGHT * built.spreads)
    if len(kept) < REBUILD_FROM * len(leaf_bounds):
        tree, moved = restructure(tree, node_bounds, kept)
        node_bounds = refit(tree, leaf_bounds)
        now = quality(tree, node_bounds)
        if tree.depth <= MAX_DEPTH and not is_loose(now.overlap, built):
            # What was kept is still measured by what it once was: small losses do not add up unseen.
            spreads = np.where(moved >= 0, built.spreads[moved], now.spreads)
            return FittedTree(tree, node_bounds, Quality(built.overlap, spreads), Action.RESTRUCTURED)
    return fitted_tree(leaf_bounds)


def is_loose(overlap: float, built: Quality) -> bool:
    """Has a tree become loose, by what its overlap is now?"""
    return overlap > LOOSE * built.overlap
