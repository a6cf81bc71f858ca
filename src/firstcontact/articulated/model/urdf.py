"""Robots from files: URDF, what they are made of, and SRDF, which of their links may touch."""

import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import numpy as np

from firstcontact._validate import as_flag, as_path
from firstcontact.articulated.model.joint import Joint
from firstcontact.articulated.model.kinematic_tree import kinematic_tree, unknown
from firstcontact.articulated.model.mesh_places import FilePath, MeshPlaces, PackageDirs
from firstcontact.articulated.model.robot_words import check_srdf
from firstcontact.articulated.model.robot_xml import checked, read_robot_element
from firstcontact.errors import MissingExtraError, RobotFileError
from firstcontact.io.load import load
from firstcontact.shapes.box import Box
from firstcontact.shapes.cylinder import Cylinder
from firstcontact.shapes.mesh import Mesh
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import Shape
from firstcontact.shapes.sphere import Sphere

Links = dict[str, tuple[Shape | Moving, ...]]
Scale = tuple[float, ...]

WORLD, FLOATING_BASE = "world", "floating_base"
_MAY, _MAY_NOT = "disable_collisions", "enable_collisions"


class Described(NamedTuple):
    """A robot as its file describes it: shapes in the links' frames, and joints that make a tree."""

    name: str
    links: Links
    joints: tuple[Joint, ...]


def read_urdf(
    path: FilePath, package_dirs: PackageDirs = (), floating_base: bool = False, allow_outside: bool = False
) -> Described:
    """Read the collision geometry and the joints of a URDF file.

    Parameters
    ----------
    path : the file
    package_dirs : folders that are packages or hold them, or packages by their names, for ``package://``
    floating_base : whether the root is joined to a link "world" by a first joint "floating_base"
    allow_outside : whether meshes may be outside of the folder of the file, and of packages

    Raises
    ------
    FileNotFoundError
        There is no such file.
    RobotFileError
        The file is broken, its links make no tree or have no geometry, or meshes are missing or damaged.
    """
    has_base, may_leave = as_flag("floating_base", floating_base), as_flag("allow_outside", allow_outside)
    file = as_path("path", path)
    model = _parsed(file)
    if not any(link.collisions for link in model.links):
        raise RobotFileError(f"{file} has no collision geometry (what is only visual touches nothing)")
    names = [link.name for link in model.links]
    with _faults_of(file):
        joints = [_joint(joint) for joint in model.joints]
        root = kinematic_tree(names, joints).root
        if has_base:
            names.insert(0, WORLD)
            joints.insert(0, Joint(FLOATING_BASE, "floating", WORLD, root))
            kinematic_tree(names, joints)  # the file may have a link or a joint of the same name
    links: Links = dict.fromkeys(names, ())
    places = MeshPlaces(file.resolve().parent, package_dirs, may_leave)
    return Described(model.name, links | _shapes(file, model, places), tuple(joints))


def read_srdf(path: FilePath, link_names: Iterable[str]) -> frozenset[frozenset[str]]:
    """Read the pairs of links that an SRDF file lets touch.

    They are its ``disable_collisions``, without those that ``enable_collisions`` takes back.

    Raises
    ------
    FileNotFoundError
        There is no such file.
    RobotFileError
        The file is broken, or names a link that the robot does not have.
    """
    file, known = as_path("srdf", path), set(link_names)
    root = read_robot_element(file)
    check_srdf(root, (_MAY, _MAY_NOT), str(file))
    pairs: dict[str, set[frozenset[str]]] = {_MAY: set(), _MAY_NOT: set()}
    for tag, found in pairs.items():
        for element in root.findall(tag):
            pair = [element.get(end, "") for end in ("link1", "link2")]
            for name in pair:
                if name not in known:
                    raise RobotFileError(f"{file}: {tag}: {unknown('link', name, known)}")
            found.add(frozenset(pair))
    # A link never touches itself.
    return frozenset(pair for pair in pairs[_MAY] - pairs[_MAY_NOT] if len(pair) == 2)


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


def _shapes(file: Path, model: Any, places: MeshPlaces) -> Links:
    """Make the shapes of each link; the same mesh is one object wherever it is."""
    parts = [(link.name, part) for link in model.links for part in link.collisions]
    files = _mesh_files(file, [part.geometry.mesh for _, part in parts if part.geometry.mesh], places)
    meshes: dict[tuple[Path, Scale], Mesh] = {}
    links: dict[str, list[Shape | Moving]] = {link.name: [] for link in model.links}
    for name, part in parts:
        with _faults_of(f"{file}: link {name!r}"):
            shape = _shape(part.geometry, files, meshes)
            links[name].append(shape if part.origin is None else shape.at(part.origin))
    return {name: tuple(shapes) for name, shapes in links.items()}


def _mesh_files(file: Path, meshes: list[Any], places: MeshPlaces) -> dict[str, Path]:
    """Find all mesh files by the names that the robot's file has for them."""
    with _faults_of(file):
        found = {mesh.filename: places.find(mesh.filename) for mesh in meshes}
    missing = [name for name, path in found.items() if path is None]
    if missing:
        advice = "; package_dirs tells where packages are" if "://" in "".join(missing) else ""
        raise RobotFileError(f"{file}: missing mesh files: {', '.join(map(repr, missing))}{advice}")
    if places.stand_in:
        rule = f"there is no package {places.stand_in!r}, and its own folder is taken for it"
        warnings.warn(f"{file}: {rule}; package_dirs tells where packages are", stacklevel=5)
    return {name: path for name, path in found.items() if path is not None}


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
