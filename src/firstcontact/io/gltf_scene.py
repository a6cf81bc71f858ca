"""The scene of a glTF file: where its nodes place its meshes."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from firstcontact.arrays import Array
from firstcontact.io.gltf_data import Document, check_extensions, entry


class PlacedMesh(NamedTuple):
    """A mesh by its number, and its place: (4, 4), from the mesh to the scene."""

    mesh: int
    pose: Array


def placements(document: Document) -> list[PlacedMesh]:
    """List the places of all meshes of the scene: by the meshes' numbers, then branch after branch.

    It is the default scene, or the only one. A shape that depends on more than its place, on bones or on a
    mixture of shapes, is refused.
    """
    scene = _scene(document)
    check_extensions(scene, "the scene")
    seen: set[int] = set()
    # Branches still to be walked, the next one last: a chain of nodes may be longer than a stack is deep.
    ahead = [(number, np.eye(4)) for number in reversed(scene.get("nodes", []))]
    found: list[PlacedMesh] = []
    while ahead:
        number, outer = ahead.pop()
        node = entry(document, "nodes", number)
        if number in seen:
            raise ValueError(f"node {number} is in two places, or in itself: nodes must make trees")
        seen.add(number)
        pose = outer @ _local(node, number)
        found += [PlacedMesh(mesh, pose) for mesh in _meshes(document, node, number)]
        ahead += [(child, pose) for child in reversed(node.get("children", []))]
    return sorted(found, key=lambda placement: placement.mesh)


def _scene(document: Document) -> Document:
    scenes = document.get("scenes", [])
    if "scene" in document:
        return entry(document, "scenes", document["scene"])
    if not isinstance(scenes, list) or len(scenes) != 1:
        raise ValueError(f"it has {len(scenes)} scenes, and does not say which of them is meant")
    return entry(document, "scenes", 0)


def _meshes(document: Document, node: Document, number: int) -> Iterator[int]:
    """Give the mesh of a node, if it has one."""
    where = f"node {number}"
    check_extensions(node, where)
    if "mesh" not in node:
        return
    mesh = entry(document, "meshes", node["mesh"])
    check_extensions(mesh, f"mesh {node['mesh']}")
    if "skin" in node:
        raise ValueError(f"{where} has a skin: a shape that follows bones is not read")
    weights = node.get("weights", mesh.get("weights", []))
    if np.any(_numbers(weights, f"weights of {where}")):
        raise ValueError(f"{where} mixes shapes by weights (morph targets), which is not read")
    yield node["mesh"]


def _local(node: Document, number: int) -> Array:
    """Read the place of a node in the one above it: a matrix, or a translation, a rotation and a scale."""
    where, parts = f"node {number}", [key for key in ("translation", "rotation", "scale") if key in node]
    if "matrix" in node:
        matrix = _numbers(node["matrix"], f"matrix of {where}", 16).reshape(4, 4).T
        if parts or matrix[3].tolist() != [0.0, 0.0, 0.0, 1.0]:
            fault = f"a {parts[0]} too" if parts else "a last row that is not 0, 0, 0, 1"
            raise ValueError(f"the matrix of {where} must stand alone and be affine; it has {fault}")
        return matrix
    pose = np.eye(4)
    turn = _rotation(_numbers(node.get("rotation", [0, 0, 0, 1]), f"rotation of {where}", 4), where)
    pose[:3, :3] = turn * _numbers(node.get("scale", [1, 1, 1]), f"scale of {where}", 3)
    pose[:3, 3] = _numbers(node.get("translation", [0, 0, 0]), f"translation of {where}", 3)
    return pose


def _rotation(quaternion: Array, where: str) -> Array:
    """Turn a quaternion x, y, z, w into a matrix; it must have length 1 but for rounding."""
    if abs(np.linalg.norm(quaternion) - 1.0) > 1e-3:
        raise ValueError(f"rotation of {where} must have length 1; received {quaternion.tolist()}")
    x, y, z, w = quaternion / np.linalg.norm(quaternion)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def _numbers(values: Any, what: str, n: int | None = None) -> Array:
    is_sound = isinstance(values, list) and all(type(value) in (int, float) for value in values)
    numbers = np.array(values, dtype=np.float64) if is_sound else np.empty(0)
    if not is_sound or n not in (None, len(numbers)) or not np.isfinite(numbers).all():
        amount = "" if n is None else f"{n} "
        raise ValueError(f"{what} must be {amount}finite numbers; received {values!r:.60}")
    return numbers
