"""Shapes of MuJoCo's geoms."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.transform import Rotation

from firstcontact.arrays import Array
from firstcontact.shapes.box import Box
from firstcontact.shapes.capsule import Capsule
from firstcontact.shapes.convex_hull import ConvexHull
from firstcontact.shapes.cylinder import Cylinder
from firstcontact.shapes.ellipsoid import Ellipsoid
from firstcontact.shapes.height_field import HeightField
from firstcontact.shapes.mesh import Mesh
from firstcontact.shapes.shape import Shape
from firstcontact.shapes.sphere import Sphere


def pose_of(place: ArrayLike, quaternion: ArrayLike) -> Array:
    """A pose (4, 4) of a place and a quaternion w, x, y, z."""
    pose = np.eye(4)
    pose[:3, :3] = Rotation.from_quat(np.roll(np.asarray(quaternion, np.float64), -1)).as_matrix()
    pose[:3, 3] = place
    return pose


class MjcfShapes:
    """Makes the shapes of a compiled model; a mesh is one object wherever it is.

    Parameters
    ----------
    hulls : whether meshes are their convex hulls, as MuJoCo's contacts have them
    """

    def __init__(self, mujoco: Any, model: Any, hulls: bool) -> None:
        self._model, self._hulls = model, hulls
        self._known: dict[tuple[str, int], Shape] = {}
        kinds = mujoco.mjtGeom
        self._makers: dict[int, Callable[[Array], Shape]] = {
            int(kinds.mjGEOM_SPHERE): lambda size: Sphere(size[0]),
            int(kinds.mjGEOM_CAPSULE): lambda size: Capsule(size[0], 2.0 * size[1]),
            int(kinds.mjGEOM_CYLINDER): lambda size: Cylinder(size[0], 2.0 * size[1]),
            int(kinds.mjGEOM_ELLIPSOID): Ellipsoid,
            int(kinds.mjGEOM_BOX): lambda size: Box(2.0 * size),
        }
        self._height_field = int(kinds.mjGEOM_HFIELD)
        self._mesh = int(kinds.mjGEOM_MESH)

    def shape(self, geom: int) -> Shape:
        """The shape of a geom, in the geom's frame."""
        kind, data = int(self._model.geom_type[geom]), int(self._model.geom_dataid[geom])
        if kind in self._makers:
            return self._makers[kind](np.array(self._model.geom_size[geom]))
        key = ("height field" if kind == self._height_field else "mesh", data)
        if key not in self._known:
            is_hull = self._hulls and kind == self._mesh
            made = self._ground(data) if kind == self._height_field else self._surface(data, is_hull)
            self._known[key] = made
        return self._known[key]

    def _surface(self, mesh: int, is_hull: bool) -> Shape:
        model = self._model
        first, n = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
        vertices = np.array(model.mesh_vert[first : first + n], np.float64)
        if is_hull:
            return ConvexHull(vertices, flat=True)
        start, n_faces = int(model.mesh_faceadr[mesh]), int(model.mesh_facenum[mesh])
        faces = np.array(model.mesh_face[start : start + n_faces], np.int64)
        unique, ids = np.unique(vertices, axis=0, return_inverse=True)
        return Mesh(unique, ids.reshape(-1)[faces])

    def _ground(self, field: int) -> Mesh:
        """A height field with what is below it, down to its base: a closed mesh."""
        model = self._model
        m, n, first = int(model.hfield_ncol[field]), int(model.hfield_nrow[field]), model.hfield_adr[field]
        x, y, top, base = (float(size) for size in model.hfield_size[field])
        heights = top * np.array(model.hfield_data[first : first + m * n], np.float64).reshape(n, m).T
        surface = HeightField(heights, (2.0 * x / (m - 1), 2.0 * y / (n - 1)))
        above = np.asarray(surface.vertices) - [x, y, 0.0]
        below = above.copy()
        below[:, 2] = -base
        faces, ids = np.asarray(surface.faces), np.arange(m * n).reshape(m, n)
        around = np.concatenate([ids[:-1, 0], ids[-1, :-1], ids[:0:-1, -1], ids[0, :0:-1]])
        on, under = np.roll(around, -1), m * n
        sides = [
            np.stack([around, around + under, on], axis=1),
            np.stack([on, around + under, on + under], axis=1),
        ]
        return Mesh(np.concatenate([above, below]), np.concatenate([faces, faces[:, ::-1] + under, *sides]))
