"""Robots from URDF files: what they are made of."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple
from xml.etree.ElementTree import Element

import numpy as np
from scipy.spatial.transform import Rotation

from firstcontact._validate import as_flag, as_path
from firstcontact.arrays import Array
from firstcontact.articulated.model.joint import Joint, without_planar
from firstcontact.articulated.model.kinematic_tree import kinematic_tree, unknown
from firstcontact.articulated.model.mesh_places import FilePath, MeshPlaces, PackageDirs
from firstcontact.articulated.model.robot_xml import checked, read_robot_element
from firstcontact.errors import RobotFileError
from firstcontact.io.load import load
from firstcontact.shapes.box import Box
from firstcontact.shapes.capsule import Capsule
from firstcontact.shapes.cylinder import Cylinder
from firstcontact.shapes.mesh import Mesh
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import Shape
from firstcontact.shapes.sphere import Sphere

Links = dict[str, tuple[Shape | Moving, ...]]
Scale = tuple[float, ...]

WORLD, FLOATING_BASE = "world", "floating_base"


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
    if model.find("link/collision") is None:
        warnings.warn(f"{file} has no collision geometry: what is only visual touches nothing", stacklevel=3)
    names = [link.attrib["name"] for link in model.iter("link")]
    with _faults_of(file):
        between, simple = without_planar(_led([_joint(joint) for joint in model.iter("joint")]))
        names, joints = names + between, list(simple)
        root = kinematic_tree(names, joints).root
        if has_base:
            names.insert(0, WORLD)
            joints.insert(0, Joint(FLOATING_BASE, "floating", WORLD, root))
            kinematic_tree(names, joints)  # the file may have a link or a joint of the same name
    links: Links = dict.fromkeys(names, ())
    places = MeshPlaces(file.resolve().parent, package_dirs, may_leave)
    return Described(model.attrib["name"], links | _shapes(file, model, places), tuple(joints))


@contextmanager
def _faults_of(where: object) -> Iterator[None]:
    """Name the file, and the place in it, of what is wrong with the values in it."""
    try:
        yield
    except (TypeError, ValueError, OSError) as error:
        raise RobotFileError(f"{where}: {error}") from None


def _parsed(file: Path) -> Element:
    """Read a file, and take from it what collisions depend on, checked."""
    root = read_robot_element(file)
    sound = checked(root, str(file))
    sound.set("name", root.get("name") or "robot")
    return sound


def _joint(joint: Element) -> Joint:
    """Take from a joint what its kind has: exporters write axes, limits and leaders of fixed joints too."""
    name, kind = joint.attrib["name"], joint.attrib["type"]
    kind = "ball" if kind == "spherical" else kind  # as some readers call it
    parent, child = (end.attrib["link"] for tag in ("parent", "child") for end in joint.iter(tag))
    plain = Joint(name, kind if kind in ("ball", "floating") else "fixed", parent, child, _pose(joint))
    if kind in ("ball", "fixed", "floating"):
        return plain
    axis, mimic = joint.find("axis"), joint.find("mimic")
    along = (1.0, 0.0, 0.0) if axis is None else _numbers(axis, "xyz")
    leader = None
    if mimic is not None:
        leader = mimic.attrib["joint"], _number(mimic, "multiplier", 1.0), _number(mimic, "offset", 0.0)
    return replace(plain, kind=kind, axis=along, limits=_limits(joint), mimic=leader)


def _led(joints: list[Joint]) -> list[Joint]:
    """Let a joint that follows one that is not there have a value of its own."""
    names = {joint.name for joint in joints}
    for i, joint in enumerate(joints):
        if joint.mimic is not None and joint.mimic[0] not in names:
            lost = unknown("joint", joint.mimic[0], names)
            warnings.warn(f"joint {joint.name!r} mimics: {lost}; it has a value of its own", stacklevel=4)
            joints[i] = replace(joint, mimic=None)
    return joints


def _limits(joint: Element) -> tuple[float, float]:
    """Least and greatest value; where they are the wrong way round, as some exporters write them, turned."""
    limit = joint.find("limit")
    if joint.attrib["type"] in ("continuous", "planar") or limit is None or not limit.attrib:
        return -np.inf, np.inf
    low, high = (_number(limit, word, 0.0) for word in ("lower", "upper"))  # what URDF says of a missing one
    if low > high:
        name = joint.attrib["name"]
        wrong = f"limits of joint {name!r} descend, from {low:g} to {high:g}"
        warnings.warn(f"{wrong}, and are turned round", stacklevel=5)
    return min(low, high), max(low, high)


def _numbers(element: Element, attribute: str) -> Array:
    return np.array([float(word) for word in element.attrib[attribute].split()])


def _number(element: Element, attribute: str, default: float) -> float:
    return float(element.get(attribute, default))


def _pose(element: Element) -> Array:
    """Where an element has its origin, (4, 4): turned about the fixed axes x, y and z in turn, then moved."""
    pose, origin = np.eye(4), element.find("origin")
    if origin is not None and "quat_xyzw" in origin.attrib:
        if "rpy" in origin.attrib:
            raise ValueError("an <origin> must have rpy or quat_xyzw, not both")
        if not (turn := _numbers(origin, "quat_xyzw")).any():
            raise ValueError("quat_xyzw of an <origin> must not be zero")
        pose[:3, :3] = Rotation.from_quat(turn / np.abs(turn).max()).as_matrix()
    elif origin is not None and "rpy" in origin.attrib:
        pose[:3, :3] = Rotation.from_euler("xyz", _numbers(origin, "rpy")).as_matrix()
    if origin is not None and "xyz" in origin.attrib:
        pose[:3, 3] = _numbers(origin, "xyz")
    return pose


def _shapes(file: Path, model: Element, places: MeshPlaces) -> Links:
    """Make the shapes of each link; the same mesh is one object wherever it is."""
    names = [mesh.attrib["filename"] for mesh in model.iter("mesh")]
    files = _mesh_files(file, names, places)
    meshes: dict[tuple[Path, Scale], Mesh] = {}
    links: Links = {}
    for link in model.iter("link"):
        name = link.attrib["name"]
        with _faults_of(f"{file}: link {name!r}"):
            parts = [(part, _shape(part, files, meshes)) for part in link.iter("collision")]
            links[name] = tuple(
                shape if part.find("origin") is None else shape.at(_pose(part)) for part, shape in parts
            )
    return links


def _mesh_files(file: Path, names: list[str], places: MeshPlaces) -> dict[str, Path]:
    """Find all mesh files by the names that the robot's file has for them."""
    with _faults_of(file):
        found = {name: places.find(name) for name in names}
    missing = [name for name, path in found.items() if path is None]
    if missing:
        advice = "; package_dirs tells where packages are" if "://" in "".join(missing) else ""
        raise RobotFileError(f"{file}: missing mesh files: {', '.join(map(repr, missing))}{advice}")
    for package, place in places.guessed.items():
        rule = f"there is no package {package!r}, and {place} is taken for it"
        warnings.warn(f"{file}: {rule}; package_dirs tells where packages are", stacklevel=5)
    return {name: path for name, path in found.items() if path is not None}


def _shape(part: Element, files: dict[str, Path], meshes: dict[tuple[Path, Scale], Mesh]) -> Shape:
    """Make the one shape that a collision element has."""
    (element,) = next(part.iter("geometry"))
    sizes = {name: _numbers(element, name).tolist() for name in element.attrib if name != "filename"}
    if element.tag == "box":
        return Box(sizes["size"])
    if element.tag == "sphere":
        return Sphere(*sizes["radius"])
    if element.tag != "mesh":
        return (Cylinder if element.tag == "cylinder" else Capsule)(*sizes["radius"], *sizes["length"])
    key = files[element.attrib["filename"]], tuple((np.ones(3) * sizes.get("scale", [1.0])).tolist())
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
