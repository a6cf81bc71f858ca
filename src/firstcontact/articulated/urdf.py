"""Robots from files: URDF, what they are made of, and SRDF, which of their links may touch."""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import numpy as np

from firstcontact._validate import as_path, as_several
from firstcontact.articulated.joint import Joint
from firstcontact.articulated.kinematic_tree import kinematic_tree, unknown
from firstcontact.articulated.mesh_paths import find_mesh
from firstcontact.articulated.robot_xml import checked, read_robot_element
from firstcontact.errors import MissingExtraError, RobotFileError
from firstcontact.io.load import load
from firstcontact.shapes.box import Box
from firstcontact.shapes.cylinder import Cylinder
from firstcontact.shapes.mesh import Mesh
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import Shape
from firstcontact.shapes.sphere import Sphere

FilePath = str | os.PathLike[str]
Links = dict[str, tuple[Shape | Moving, ...]]
Scale = tuple[float, ...]

WORLD, FLOATING_BASE = "world", "floating_base"


class Described(NamedTuple):
    """A robot as its file describes it: shapes in the links' frames, and joints that make a tree."""

    name: str
    links: Links
    joints: tuple[Joint, ...]


def read_urdf(
    path: FilePath, package_dirs: FilePath | Sequence[FilePath] = (), floating_base: bool = False
) -> Described:
    """Read the collision geometry and the joints of a URDF file.

    Parameters
    ----------
    path : the file
    package_dirs : folders in which to look for ``package://`` first
    floating_base : whether the root is joined to a link "world" by a first joint "floating_base"

    Raises
    ------
    FileNotFoundError
        There is no such file.
    RobotFileError
        The file is broken, its links make no tree or have no geometry, or meshes are missing or damaged.
    """
    file = as_path("path", path)
    model = _parsed(file)
    if not any(link.collisions for link in model.links):
        raise RobotFileError(f"{file} has no collision geometry (what is only visual touches nothing)")
    names = [link.name for link in model.links]
    with _faults_of(file):
        joints = [_joint(joint) for joint in model.joints]
        root = kinematic_tree(names, joints).root
        if floating_base:
            names.insert(0, WORLD)
            joints.insert(0, Joint(FLOATING_BASE, "floating", WORLD, root))
            kinematic_tree(names, joints)  # the file may have a link or a joint of the same name
    links: Links = dict.fromkeys(names, ())
    return Described(model.name, links | _shapes(file, model, package_dirs), tuple(joints))


def read_srdf(path: FilePath, link_names: Iterable[str]) -> frozenset[frozenset[str]]:
    """Read the pairs of links that an SRDF file lets touch: its ``disable_collisions``.

    Raises
    ------
    FileNotFoundError
        There is no such file.
    RobotFileError
        The file is broken, or names a link that the robot does not have.
    """
    file, known = as_path("srdf", path), set(link_names)
    pairs = set()
    for element in read_robot_element(file).findall("disable_collisions"):
        pair = [element.get(end, "") for end in ("link1", "link2")]
        for name in pair:
            if name not in known:
                raise RobotFileError(f"{file}: disable_collisions: {unknown('link', name, known)}")
        pairs.add(frozenset(pair))
    return frozenset(pair for pair in pairs if len(pair) == 2)  # a link never touches itself


@contextmanager
def _faults_of(where: object) -> Iterator[None]:
    """Name the file, and the place in it, of what is wrong with the values in it."""
    try:
        yield
    except (TypeError, ValueError, OSError) as error:
        raise RobotFileError(f"{where}: {error}") from None


def _parsed(file: Path) -> Any:
    """Parse a file into yourdfpy's model of a robot."""
    root = read_robot_element(file)
    # Made anew from what was checked, so that the reader has nothing left to guess.
    sound = checked(root, str(file))
    sound.set("name", root.get("name") or "robot")
    try:
        from yourdfpy import URDF
    except ImportError:
        raise MissingExtraError.of("yourdfpy", "robots") from None
    try:
        return URDF.load(
            BytesIO(ElementTree.tostring(sound)), build_scene_graph=False, load_meshes=False
        ).robot
    except Exception as error:  # a reader may raise anything at all
        raise RobotFileError(f"{file} cannot be read: {type(error).__name__} {error}") from None


def _joint(joint: Any) -> Joint:
    """Take from a joint what its kind has: exporters write axes, limits and leaders of fixed joints too."""
    origin = np.eye(4) if joint.origin is None else joint.origin
    ends = joint.name, joint.type, joint.parent, joint.child, origin
    if joint.type in ("fixed", "floating"):
        return Joint(*ends)
    mimic = joint.mimic and (joint.mimic.joint, joint.mimic.multiplier, joint.mimic.offset)
    return Joint(*ends, joint.axis, _limits(joint), mimic)


def _limits(joint: Any) -> tuple[float, float]:
    limit = joint.limit
    if joint.type == "continuous" or limit is None or (limit.lower is None and limit.upper is None):
        return -np.inf, np.inf
    return limit.lower or 0.0, limit.upper or 0.0  # what URDF says of one that is missing


def _shapes(file: Path, model: Any, package_dirs: FilePath | Sequence[FilePath]) -> Links:
    """Make the shapes of each link; the same mesh is one object wherever it is."""
    parts = [(link.name, part) for link in model.links for part in link.collisions]
    files = _mesh_files(file, [part.geometry.mesh for _, part in parts if part.geometry.mesh], package_dirs)
    meshes: dict[tuple[Path, Scale], Mesh] = {}
    links: dict[str, list[Shape | Moving]] = {link.name: [] for link in model.links}
    for name, part in parts:
        with _faults_of(f"{file}: link {name!r}"):
            shape = _shape(part.geometry, files, meshes)
            links[name].append(shape if part.origin is None else shape.at(part.origin))
    return {name: tuple(shapes) for name, shapes in links.items()}


def _mesh_files(
    file: Path, meshes: list[Any], package_dirs: FilePath | Sequence[FilePath]
) -> dict[str, Path]:
    """Find all mesh files by the names that the robot's file has for them."""
    folders = [package_dirs] if isinstance(package_dirs, str | os.PathLike) else package_dirs
    roots = [as_path("package_dirs", folder) for folder in as_several("package_dirs", folders)]
    found = {mesh.filename: find_mesh(mesh.filename, file.resolve().parent, roots) for mesh in meshes}
    missing = [name for name, path in found.items() if path is None]
    if missing:
        advice = "; package_dirs tells where packages are" if "://" in "".join(missing) else ""
        raise RobotFileError(f"{file}: missing mesh files: {', '.join(map(repr, missing))}{advice}")
    return {name: path.resolve() for name, path in found.items() if path is not None}


def _shape(geometry: Any, files: dict[str, Path], meshes: dict[tuple[Path, Scale], Mesh]) -> Shape:
    if geometry.box is not None:
        return Box(geometry.box.size)
    if geometry.cylinder is not None:
        return Cylinder(geometry.cylinder.radius, geometry.cylinder.length)
    if geometry.sphere is not None:
        return Sphere(geometry.sphere.radius)
    scale = np.ones(3) * (1.0 if geometry.mesh.scale is None else geometry.mesh.scale)
    key = files[geometry.mesh.filename], tuple(scale.tolist())
    if key not in meshes:
        meshes[key] = _read_mesh(*key)
    return meshes[key]


def _read_mesh(file: Path, scale: Scale) -> Mesh:
    """Read a mesh; vertices in one place become one, and a mirror image keeps its outer side outside."""
    if 0.0 in scale:
        raise ValueError(
            f"the scale of a mesh must not be zero; received {', '.join(f'{x:g}' for x in scale)}"
        )
    mesh = load(file)
    vertices, ids = np.unique(mesh.vertices, axis=0, return_inverse=True)
    faces = ids.reshape(-1)[mesh.faces]
    with np.errstate(over="ignore"):  # what becomes infinite is rejected below
        vertices = vertices * scale
    return Mesh(vertices, faces if np.sign(scale).prod() > 0.0 else faces[:, ::-1])
