"""The tree over a mesh's faces, and what rests on it, kept from one step to the next."""

from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from firstcontact.arrays import Array
from firstcontact.deformable.regions import Contours, region_contours
from firstcontact.deformable.surface import topology_of
from firstcontact.hierarchy.tree import Tree
from firstcontact.hierarchy.update import FittedTree, fitted_tree, updated_tree
from firstcontact.shapes.mesh import Mesh


class Kept(NamedTuple):
    """The last tree of a mesh, without its bounds, and the contours over a tree."""

    fitted: FittedTree | None = None
    contours: tuple[Tree, Contours] | None = None


# Each mesh has a tree that follows its own steps: of two that are alike, and deform apart, each would spoil
# the other's. A mesh without one, such as a copy that comes from elsewhere, begins with the last tree of any
# mesh of its content. A tree is never written to, and changes nothing but the time that a search takes, so
# that it does not matter which of two threads leaves the last one here.
_kept: WeakKeyDictionary[Mesh, Kept] = WeakKeyDictionary()
_LAST = "deformable tree"


def tree_of(mesh: Mesh, face_bounds: Array) -> FittedTree:
    """Fit the mesh's tree to the bounds of its faces: the last one where that still fits, else a new one."""
    known = _known(mesh)
    last = known.fitted
    fitted = fitted_tree(face_bounds) if last is None else updated_tree(last.tree, last.built, face_bounds)
    return _keep_tree(mesh, known, fitted)


def updated_tree_of(mesh: Mesh, last: FittedTree, face_bounds: Array) -> FittedTree:
    """Repair a tree of the mesh, or build one anew, where it is loose."""
    fitted = updated_tree(last.tree, last.built, face_bounds)
    return _keep_tree(mesh, _known(mesh), fitted)


def contours_of(mesh: Mesh, tree: Tree) -> Contours:
    """Contours over a tree of the mesh, kept for the last one that was asked for."""
    known = _known(mesh)
    contours = known.contours
    if contours is None or contours[0] is not tree:
        contours = tree, region_contours(tree.children, topology_of(mesh).faces)
        _keep(mesh, known._replace(contours=contours))
    return contours[1]


def _keep_tree(mesh: Mesh, known: Kept, fitted: FittedTree) -> FittedTree:
    # The bounds are of this step only.
    _keep(mesh, known._replace(fitted=fitted._replace(node_bounds=np.empty((0, 0)))))
    return fitted


def _known(mesh: Mesh) -> Kept:
    """What the mesh has, or else what the last of its content had."""
    known = _kept.get(mesh)
    if known is None:
        known = mesh.content.known.get(_LAST, Kept())
    return known


def _keep(mesh: Mesh, known: Kept) -> None:
    _kept[mesh] = mesh.content.known[_LAST] = known
