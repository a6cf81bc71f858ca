"""COLLADA files: the triangles and polygons of their scene, in meters."""

import warnings
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import numpy as np
from numpy.typing import NDArray

from firstcontact.errors import MissingExtraError
from firstcontact.io.file_name import file_name
from firstcontact.io.polygons import triangles

# What says how things look and move, and means nothing to collisions; its faults are no reason to refuse.
_LOOKS = {
    *("library_images", "library_materials", "library_effects", "library_lights", "library_cameras"),
    *("library_animations", "library_animation_clips", "library_physics_models", "library_physics_scenes"),
    *("library_physics_materials", "library_kinematics_models", "library_articulated_systems"),
    *("bind_material", "instance_light", "instance_camera", "extra", "instance_physics_scene"),
    "instance_kinematics_scene",
}
_LINES = ("LineSet",)


def read_collada(path: Path) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Read all triangles and polygons of the scene of a COLLADA file, where its nodes put them.

    Lengths are in meters, by the unit of the file. Its up-axis is not applied: as in ROS, x, y and z are what
    the file has for them.
    """
    import collada  # an extra

    root = ElementTree.fromstring(path.read_bytes())
    _strip(root)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PendingDeprecationWarning)  # it works with NumPy's matrices
        return _read(path, collada.Collada(BytesIO(ElementTree.tostring(root))))


def _read(path: Path, file: Any) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    if file.scene is None:
        raise ValueError("it has no scene")
    if any(True for _ in file.scene.objects("controller")):
        raise ValueError("it has skins or morphs, which are not read")
    vertices, faces, n_vertices = [np.empty((0, 3))], [np.empty((0, 3), np.int64)], 0
    for part in file.scene.objects("geometry"):
        for primitive in part.primitives():
            if not type(primitive).__name__.endswith(_LINES):
                points = np.asarray(primitive.vertex, np.float64).reshape(-1, 3)
                vertices.append(points)
                faces.append(_triangles(primitive, points) + n_vertices)
                n_vertices += len(points)
    return np.concatenate(vertices) * _meters(path, file), np.concatenate(faces)


def check_collada() -> None:
    """Raise a `MissingExtraError` where COLLADA files cannot be read."""
    if find_spec("collada") is None:
        raise MissingExtraError.of("pycollada", "robots")


def _strip(element: Element) -> None:
    """Leave out all that only says how things look."""
    for child in list(element):
        if child.tag.rpartition("}")[2] in _LOOKS:
            element.remove(child)
        else:
            _strip(child)


def _triangles(primitive: Any, points: NDArray[np.float64]) -> NDArray[np.int64]:
    """Cut the polygons of a part into triangles."""
    corners = np.asarray(primitive.vertex_index, np.int64)
    if corners.ndim == 2:
        counts = np.full(len(corners), corners.shape[1])
    else:
        counts = np.asarray(primitive.original.polyends) - np.asarray(primitive.original.polystarts)
    return triangles(points, counts, corners.reshape(-1))


def _meters(path: Path, file: Any) -> float:
    """Length of the file's unit; some readers do not heed it, so that it is told of where it matters."""
    meters = file.assetInfo.unitmeter
    if meters is None or meters == 1.0:
        return 1.0
    if not (np.isfinite(meters) and meters > 0.0):
        raise ValueError(f"its unit must be a length; it is {meters}")
    warnings.warn(f"{file_name(path)} has units of {meters:g} m, and is scaled to meters", stacklevel=2)
    return float(meters)
