"""What the contacts of points with a field give back, and the forces that push them out."""

from dataclasses import dataclass
from math import log2

import numpy as np
from numpy.typing import ArrayLike, NDArray

from firstcontact._validate import as_scalar, as_vertices
from firstcontact.arrays import Array
from firstcontact.plain import Plain


@dataclass(frozen=True, eq=False)
class Penalty(Plain):
    """Forces that push points out of a shape, a row for each contact.

    Attributes
    ----------
    energy : (n,) float64
        What it took to come so near, 0 or more.
    forces : (n, 3) float64
        Minus the gradient of the energy in the place of the point; the sum of all is what the shape feels,
        the other way round.
    gradients : (n, 3, 3) float64
        Of each force in the place of its point: symmetric, minus the stiffness matrix of an implicit step.
    """

    energy: Array
    forces: Array
    gradients: Array

    def __repr__(self) -> str:
        return f"Penalty({len(self.energy)} points, energy {self.energy.sum():.6g})"


@dataclass(frozen=True, eq=False)
class FieldContacts(Plain):
    """Points that are near the shape of a field, or inside it: a row for each, in their order.

    Every point within `within` of the shape is here, and in the field's box none that is farther away than
    that and two tolerances; but where the field is not exact outside, as one of an intersection, points that
    are farther away can be here, too.

    Attributes
    ----------
    vertex_ids : (n,) int32
        Which vertices of the mesh, or rows of the points.
    distance : (n,) float64
        From the shape's surface as the field has it, to its tolerance; negative inside. Of `Points` and
        `Strands`, from the balls around them. Where the field is not exact, nowhere larger in magnitude
        (but for a radius).
    points : (n, 3) float64
        Where they are, in the world.
    gradients, hessians : (n, 3), (n, 3, 3) float64
        First and second derivatives of the field there, in the world.
    within, tolerance : float
        What was asked, and how far off distances may be.
    """

    vertex_ids: NDArray[np.int32]
    distance: Array
    points: Array
    gradients: Array
    hessians: Array
    within: float
    tolerance: float

    @property
    def depth(self) -> Array:
        """How deep each point is inside, (n,): 0 outside."""
        return np.maximum(-self.distance, 0.0)

    @property
    def normals(self) -> Array:
        """Unit vectors along the gradients, (n, 3): the way out. Zero where a gradient has no direction."""
        length = np.linalg.norm(self.gradients, axis=1, keepdims=True)
        normals: Array = self.gradients / np.where(length > 0.0, length, 1.0)
        return normals

    def __len__(self) -> int:
        return len(self.vertex_ids)

    def __repr__(self) -> str:
        return f"FieldContacts({len(self)} points, {np.count_nonzero(self.distance < 0.0)} inside)"

    def penalty(self, stiffness: float, *, gain: float | None = None) -> Penalty:
        """Push all points out to the distance `within`: energies, forces, and their gradients.

        A spring: ``stiffness * (within - distance)`` along the gradient of the field (Hoff 2001). With a
        gain, ``stiffness`` times Perlin's gain function, which rises from 0 at `within` to 1 at the surface
        (Hadap 2004). Forces are exact derivatives of energies of the field: of the interpolation in a cell.

        Parameters
        ----------
        stiffness : force a length; with a gain, the largest force
        gain : in [0.5, 1), how steep the middle is; 0.5 is a straight line. Needs a `within` above 0

        Examples
        --------
        >>> from firstcontact import Box, DistanceField, contacts
        >>> field = DistanceField.of(Box([2, 2, 2]), tolerance=0.01)
        >>> near = contacts([[0.2, 0.1, 0.9], [0, 0, 3]], field)
        >>> near.vertex_ids.tolist(), near.penalty(100).forces.round(1).tolist()
        ([0], [[0.0, 0.0, 10.0]])
        >>> contacts([[0, 0, 3]], field).penalty(100).forces.shape
        (0, 3)
        """
        energy, force, slope = self._pushed(as_scalar("stiffness", stiffness, 0.0), gain)
        outer = self.gradients[:, :, np.newaxis] * self.gradients[:, np.newaxis]
        slopes, pushes = slope[:, np.newaxis, np.newaxis], force[:, np.newaxis, np.newaxis]
        return Penalty(energy, force[:, np.newaxis] * self.gradients, pushes * self.hessians - slopes * outer)

    def friction(self, coefficient: float, velocities: ArrayLike, *, gain: float | None = None) -> Array:
        """Drag on points that slide, (n, 3): against the velocity along the surface (Hadap 2004).

        It is ``coefficient`` times that velocity times the push of a penalty of stiffness one.

        Parameters
        ----------
        coefficient : force a velocity and a push
        velocities : (n, 3), of the points of these rows as seen from the shape, in the world
        gain : as for `penalty`
        """
        sliding = as_vertices(velocities, "velocities")
        if len(sliding) != len(self):
            rule = f"velocities must have a row for each of the {len(self)} contacts"
            raise ValueError(f"{rule}; received {len(sliding)}")
        _, push, _ = self._pushed(as_scalar("coefficient", coefficient, 0.0), gain)
        normals = self.normals
        along = np.einsum("ij,ij->i", sliding, normals)[:, np.newaxis] * normals
        drag: Array = -push[:, np.newaxis] * (sliding - along)
        return drag

    def _pushed(self, stiffness: float, gain: float | None) -> tuple[Array, Array, Array]:
        """Energies, pushes, and how much more a push is for each length that a point comes nearer, (n,)."""
        near = np.maximum(self.within - self.distance, 0.0)
        if gain is None:
            return 0.5 * stiffness * near**2, stiffness * near, np.where(near > 0.0, stiffness, 0.0)
        steepness = as_scalar("gain", gain, 0.5, 1.0)
        if not self.within > 0.0 or steepness == 1.0:
            rule = "gain must be below 1, and goes with a within above 0, over which the push rises"
            raise ValueError(f"{rule}; received {gain} and within={self.within}")
        power = -log2(1.0 - steepness)
        part = near / self.within
        # Perlin's gain: half a power of twice the part, and the same from the other end.
        is_low, is_in = part < 0.5, part < 1.0
        low, high = np.minimum(2.0 * part, 1.0), np.clip(2.0 - 2.0 * part, 0.0, 1.0)
        push = np.where(is_low, 0.5 * low**power, 1.0 - 0.5 * high**power)
        slope = power * np.where(is_low, low ** (power - 1.0), high ** (power - 1.0))
        slope = np.where(is_in & (part > 0.0), slope, 0.0)
        area = 0.25 / (power + 1.0)
        # The integral of the push up to a part; it is one half over all of [0, 1].
        energy = np.where(is_low, area * low ** (power + 1.0), part - 0.5 + area * high ** (power + 1.0))
        return stiffness * self.within * energy, stiffness * push, stiffness / self.within * slope
