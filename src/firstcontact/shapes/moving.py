"""A shape with its motion."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from firstcontact._validate import as_scalar
from firstcontact.motions.deformation import Deformation
from firstcontact.motions.rigid_motion import RigidMotion

if TYPE_CHECKING:
    from firstcontact.shapes.mesh import Mesh

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Moving:
    """A shape and how it moves over t in [0, 1]: what `Mesh.moving` and its like give, and every query takes.

    Attributes
    ----------
    shape : Mesh
    motion : RigidMotion or Deformation
    """

    shape: "Mesh"
    motion: RigidMotion | Deformation

    def pose(self, t: float) -> Array:
        """Pose at t in [0, 1], (4, 4), or of a batch (n, 4, 4): the motion that the queries are about.

        Exact at the start, to rounding elsewhere. What deforms has none, and says so in a `TypeError`.
        """
        if isinstance(self.motion, Deformation):
            raise TypeError("a deforming mesh has no pose; ask for its vertices(t)")
        return self.motion.pose(as_scalar("t", t, 0.0, 1.0))

    def vertices(self, t: float) -> Array:
        """Positions of the vertices at t in [0, 1], (n, 3), or of a batch (b, n, 3).

        Those of a deformation are exact at both ends, and all are in the identity pose; else each coordinate
        is rounded, which the queries allow for.
        """
        time = as_scalar("t", t, 0.0, 1.0)
        if isinstance(self.motion, Deformation):
            return self.motion.vertices(time)
        return self.motion.vertices(time, self.shape.vertices)
