"""Contacts as something to act on: pushes that part what comes too close."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import firstcontact as fc
from firstcontact.arrays import Ids

Points = NDArray[np.float64]

_FRICTION = 0.35


class Pushes(NamedTuple):
    """How the vertices of each contact move the gap between its two features.

    Attributes
    ----------
    vertex_ids : (n, 4) of the two features
    shares : (n, 4) what the gap vector gains from each: minus on the first feature, plus on the second
    moved : (n, 4) the same, but zero for what cannot be moved
    normals : (n, 3) from the first to the second
    thickness : the gap that is wanted
    """

    vertex_ids: Ids
    shares: Points
    moved: Points
    normals: Points
    thickness: float

    @classmethod
    def of(cls, contacts: fc.Contacts, n_movable: int, thickness: float) -> "Pushes":
        """Part these contacts of one mesh, of which only the first vertices can be moved."""
        is_edges = (contacts.kind == fc.ContactKind.EDGE_EDGE)[:, np.newaxis]
        sides = np.where(is_edges, [-1.0, -1.0, 1.0, 1.0], [-1.0, 1.0, 1.0, 1.0])
        shares = sides * contacts.weights
        moved = shares * (contacts.vertex_ids < n_movable)
        return cls(contacts.vertex_ids, shares, moved, contacts.normals, thickness)

    def apply(self, places: Points, ahead: Points) -> None:
        """Move the vertices ahead: apart where they are too close, and sideways only against friction."""
        gaps = np.einsum("ni,nij->nj", self.shares, ahead[self.vertex_ids])
        short = self.thickness - np.einsum("nj,nj->n", gaps, self.normals)
        rows = np.flatnonzero(short > 0.0)
        ids, moved, normals, short = self.vertex_ids[rows], self.moved[rows], self.normals[rows], short[rows]
        slides = gaps[rows] - np.einsum("ni,nij->nj", self.shares[rows], places[ids])
        slides -= np.einsum("nj,nj->n", slides, normals)[:, np.newaxis] * normals
        lengths = np.maximum(np.linalg.norm(slides, axis=1), np.finfo(float).tiny)
        stuck = np.minimum(_FRICTION * short / lengths, 1.0)
        wanted = short[:, np.newaxis] * normals - stuck[:, np.newaxis] * slides
        # Where nothing can be moved nothing will be, whatever it is divided by.
        weights = np.einsum("ni,ni->n", moved, moved)
        wanted /= np.where(weights > 0.0, weights, 1.0)[:, np.newaxis]
        _add_means(ahead, ids, moved, wanted)


def _add_means(ahead: Points, ids: Ids, moved: Points, wanted: Points) -> None:
    """Move each vertex by the mean of what its contacts want: they all act at once."""
    rows, n = ids.reshape(-1), len(ahead)
    counts = np.maximum(np.bincount(rows, moved.reshape(-1) != 0.0, n), 1.0)
    for axis in range(3):
        pushes = moved * wanted[:, axis, np.newaxis]
        ahead[:, axis] += np.bincount(rows, pushes.reshape(-1), n) / counts
