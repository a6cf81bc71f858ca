"""Words of robot files that are not read, told apart from those that are misspelt.

An element that is misspelt, or is in another namespace, would be left out without a word, and a robot that
lacks a part touches too little. So it is an error; of others, unknown or in the wrong place, it is warned, as
other readers leave them out, too.
"""

import warnings
from collections.abc import Collection
from difflib import get_close_matches
from xml.etree.ElementTree import Element

from firstcontact.errors import RobotFileError

# Elements that mean nothing to collisions, by the element that they are in.
_ELSEWHERE_READ = {
    "robot": ("material", "transmission", "gazebo", "sensor", "ros2_control", "mujoco", "plugin", "verbose"),
    "link": (
        *("visual", "inertial", "contact", "sensor", "gazebo", "self_collision_checking"),
        *("collision_checking", "velocity_control", "audio_source", "audio_receiver", "projector"),
    ),
    "collision": ("material", "verbose", "contact", "contact_coefficients", "surface", "gazebo"),
    "joint": ("dynamics", "safety_controller", "calibration", "physics", "gazebo", "hardwareInterface"),
}
_OF_SRDF = ("disable_default_collisions",)
# Elements of which every attribute says where or how large something is.
_IN_FULL = ("origin", "axis", "mimic", "box", "capsule", "cylinder", "sphere", "mesh")
# Attributes of these that no reader knows, and some files have.
_NEVER_READ = {("axis", "rpy")}
# How alike two words must be, from 0 to 1, for one to be the other misspelt: "axes" and "axis" are so by 3/4.
_ALIKE = 0.7


def check_children(element: Element, known: Collection[str], anywhere: Collection[str], where: str) -> None:
    """Tell of elements that are not read: `known` are, here, and `anywhere` are the words of all that are."""
    beside = _ELSEWHERE_READ.get(element.tag, ())
    for child in element:
        if child.tag in known or child.tag in beside:
            continue
        _check_child(child, element.tag, known, anywhere, where)


def _check_child(
    child: Element, parent: str, known: Collection[str], anywhere: Collection[str], where: str
) -> None:
    space, _, name = child.tag.rpartition("}")
    if name in known:
        raise RobotFileError(f"{where}: <{name}> is in the namespace {space[1:]!r}, where it is not read")
    if near := get_close_matches(name.lower(), list(known), 1, _ALIKE):
        raise RobotFileError(f"{where}: there is no element <{name}>; did you mean <{near[0]}>?")
    if space:  # made for other programs
        return
    if name in anywhere:
        warnings.warn(f"{where}: <{name}> is in <{parent}>, where it means nothing", stacklevel=2)
        return
    has_geometry = any(inner.tag.rpartition("}")[2] == "geometry" for inner in child.iter())
    though = ", though it has a geometry" if has_geometry else ""
    warnings.warn(f"{where}: the element <{name}> is not known, and not read{though}", stacklevel=2)


def check_attributes(element: Element, known: Collection[str], where: str) -> None:
    """Tell of attributes that are misspelt, in another namespace, or not read where they would matter."""
    for attribute in element.attrib:
        space, _, name = attribute.rpartition("}")
        if attribute in known:
            continue
        if space and name in known:
            raise RobotFileError(f"{where}: {name} of <{element.tag}> is in the namespace {space[1:]!r}")
        # What is there by its right name is not misspelt here.
        absent = [word for word in known if word not in element.attrib]
        near = get_close_matches(name.lower(), absent, 1, _ALIKE)
        if (element.tag, attribute) in _NEVER_READ:
            warnings.warn(f"{where}: {name} of <{element.tag}> means nothing, and is not read", stacklevel=2)
        elif near or (element.tag in _IN_FULL and not space):
            advice = f"; did you mean {near[0]}?" if near else f": it has {', '.join(known)}"
            raise RobotFileError(f"{where}: <{element.tag}> has no attribute {name}{advice}")


def check_srdf(root: Element, read: Collection[str], where: str) -> None:
    """Tell of elements of an SRDF file that are those which are `read`, misspelt or in another namespace."""
    for child in root:
        space, _, name = child.tag.rpartition("}")
        near = get_close_matches(name.lower(), list(read), 1, _ALIKE)
        if near and child.tag not in (*read, *_OF_SRDF):
            space_of = f" in the namespace {space[1:]!r}" if space else ""
            raise RobotFileError(
                f"{where}: there is no element <{name}>{space_of}; did you mean <{near[0]}>?"
            )
