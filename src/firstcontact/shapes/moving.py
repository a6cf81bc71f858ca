"""A shape with its motion."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from firstcontact._validate import as_scalar
from firstcontact.motions.deformation import Deformation

if TYPE_CHECKING:
    from firstcontact.shapes.mesh import Mesh

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Moving:
    """A shape and how it moves over t in [0, 1]: what `Mesh.deforming` gives, and every query takes.

    Attributes
    ----------
    shape : Mesh
    motion : Deformation
    """

    shape: "Mesh"
    motion: Deformation

    def vertices(self, t: float) -> Array:
        """Positions of the vertices at t in [0, 1], (n, 3): the motion that the queries are about.

        Exact at both ends; between them each coordinate is rounded, which the queries do not do.
        """
        return self.motion.vertices(as_scalar("t", t, 0.0, 1.0))
