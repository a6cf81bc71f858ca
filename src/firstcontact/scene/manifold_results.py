"""All points of contacts, as a response needs them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from firstcontact.plain import Plain


@dataclass(frozen=True, eq=False)
class Manifold(Plain):
    """All points at which bodies face each other at their contacts: one row each, contact by contact.

    Attributes
    ----------
    contact_ids : (m,) int64
        Row of the contact in `SceneContacts`, ascending.
    points_a, points_b : (m, 3) float64
        Where on a and where on b, in the world, at the time of the contact.
    normals : (m, 3) float64
        Unit vectors from a to b: that of the contact.
    gap : (m,) float64
        How far the two points are apart along the normal; below 0 where convex shapes overlap, and 0 where
        others do.
    closing_speed : (m,) float64
        How fast they approach each other along the normal, in lengths a step.
    features : (m, 3) int32
        `ContactKind`, id on a and id on b: vertices, edges and faces of `shape.mesh`. Of a smooth shape the
        points of its rims, 8 each, and of its side line; SHAPE_SHAPE for a point that is none of these.
    body_ids : (m, 2) int64
        The ids of both bodies in the scene.
    """

    contact_ids: NDArray[np.int64]
    points_a: NDArray[np.float64]
    points_b: NDArray[np.float64]
    normals: NDArray[np.float64]
    gap: NDArray[np.float64]
    closing_speed: NDArray[np.float64]
    features: NDArray[np.int32]
    body_ids: NDArray[np.int64]

    @property
    def closing(self) -> NDArray[np.bool_]:
        """Which points approach each other, (m,): those with a positive `closing_speed`."""
        is_closing: NDArray[np.bool_] = self.closing_speed > 0.0
        return is_closing

    def rows_in(self, before: "Manifold") -> NDArray[np.int64]:
        """Where the same features of the same bodies were in the manifold of a step before; -1 for nowhere.

        For warm starts: of what was learned then, ``array[rows]`` is what is known now, where rows >= 0.
        """
        own, known = (np.column_stack([m.body_ids, m.features]).tolist() for m in (self, before))
        places = {tuple(row): k for k, row in enumerate(known)}
        return np.array([places.get(tuple(row), -1) for row in own], np.int64)

    def __len__(self) -> int:
        return len(self.gap)

    def __repr__(self) -> str:
        return f"Manifold({len(self)} points of {len(np.unique(self.contact_ids))} contacts)"
