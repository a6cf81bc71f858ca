"""Contacts at an instant, as compiled code writes them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array, Ids

NO_CONTACT = -1


class ContactRows(NamedTuple):
    """Contacts, a row each; where there is none, the kind is NO_CONTACT.

    kind : (n,) int8, of `ContactKind`
    ids : (n, 2) int32, rows of the vertices, edges or faces of a and of b, as the kind says
    points : (n, 3), in the middle between the closest points, in the world
    normals : (n, 3), unit vectors from a to b
    distances : (n,)
    """

    kind: NDArray[np.int8]
    ids: Ids
    points: Array
    normals: Array
    distances: Array


def no_contacts(n: int) -> ContactRows:
    """Room for n contacts, where there are none yet."""
    nowhere = np.full((n, 3), np.nan)
    kinds, ids = np.full(n, NO_CONTACT, np.int8), np.full((n, 2), -1, np.int32)
    return ContactRows(kinds, ids, nowhere, nowhere.copy(), np.full(n, np.nan))
