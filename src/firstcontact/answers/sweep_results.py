"""What `swept_volume` gives back."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from firstcontact._validate import as_path
from firstcontact._whole_file import whole_file
from firstcontact.answers.answer import Answer
from firstcontact.arrays import Array
from firstcontact.plain import once
from firstcontact.shapes.mesh import Mesh

# A triangle of a binary STL file: its normal, its corners, and two bytes of nothing.
_TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("nothing", "<u2")])
_HEADER = 80


@dataclass(frozen=True, eq=False)
class SweptVolume(Answer):
    """What a moving thing passes through, as a closed mesh that looks outwards and nowhere meets itself.

    Attributes
    ----------
    vertices : (n, 3) float64
    faces : (m, 3) int32
    tolerance : float
        What was asked for.
    outer_error : float
        Proven: no point of the mesh is farther from the sweep. At most the tolerance, but for capsules; 0 of
        a mesh inside of the sweep.
    is_inner : bool
        Is the mesh inside of the sweep? Else the sweep is inside of the mesh.
    n_cells : int
        Cubes of the lattice that the surface may pass through.
    things : what was swept, as "moving"
    """

    vertices: NDArray[np.float64]
    faces: NDArray[np.int32]
    tolerance: float
    outer_error: float
    is_inner: bool
    n_cells: int

    @once
    def mesh(self) -> Mesh:
        """The same as a `Mesh`: a shape for every query."""
        return Mesh(self.vertices, self.faces)

    @property
    def bounds(self) -> Array:
        """The smallest box around the mesh, (2, 3); the empty box, inf to -inf, where nothing is swept."""
        return self.mesh.bounds

    @once
    def volume(self) -> float:
        """The volume within the mesh: that of the sweep is no more, or no less where the mesh is inside."""
        if len(self.faces) == 0:
            return 0.0
        a, b, c = (self.vertices[self.faces[:, k]] - self.bounds.mean(axis=0) for k in range(3))
        return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0)

    def save(self, file: Any) -> None:
        """Write the mesh to a binary .stl file, whole or not at all.

        Such files have single precision: each coordinate is rounded by up to 6e-8 of itself.
        """
        path = as_path("file", file)
        if path.suffix.lower() != ".stl":
            raise ValueError(f"file must end in .stl; received {path}: trimesh writes .mesh to others")
        corners = self.vertices[self.faces]
        rows = np.zeros(len(self.faces), _TRIANGLE)
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        lengths = np.linalg.norm(normals, axis=1, keepdims=True)
        rows["normal"] = normals / np.where(lengths > 0.0, lengths, 1.0)
        rows["corners"] = corners
        with whole_file(path) as stream:
            stream.write(b"swept volume".ljust(_HEADER) + np.uint32(len(rows)).tobytes() + rows.tobytes())

    def __repr__(self) -> str:
        what = "inside of the sweep" if self.is_inner else f"within {self.outer_error:.3g} of the sweep"
        return f"SweptVolume({len(self.faces)} faces, {what}, volume {self.volume:.4g})"
