"""The XML of robot files, checked before anything is made of it.

Readers of URDF guess where a file is at fault: they repair broken XML by leaving out the rest of the file,
take the first of two shapes, or spread one number over three axes. A robot that lacks a part touches too
little, so here each of these is an error. What all of them read alike, though it is no URDF, is read as they
do, with a warning: the first of two axes or origins, the first three of four numbers.
"""

import math
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from firstcontact._validate import read_number
from firstcontact.articulated.model.robot_words import check_attributes, check_children
from firstcontact.errors import RobotFileError

MANY = 2**31
_ENDLESS = {sign + word: float(sign + word) for sign in ("", "+", "-") for word in ("inf", "infinity")}


class Rule(NamedTuple):
    """What an element must and may have; what is not named here means nothing to collisions.

    words : attributes that must be there, and not be empty
    sizes, numbers : attributes that must be and may be there, and how many finite numbers each may hold
    children : elements in it, and the least and greatest number of each
    others : attributes that may be there, and are not read
    """

    words: tuple[str, ...] = ()
    sizes: Mapping[str, tuple[int, ...]] = {}
    numbers: Mapping[str, tuple[int, ...]] = {}
    children: Mapping[str, tuple[int, int]] = {}
    others: tuple[str, ...] = ()


_SHAPES = ("box", "capsule", "cylinder", "mesh", "sphere")
_FIRST_OF_SEVERAL = ("origin", "axis", "limit", "mimic")

_RULES = {
    "robot": Rule(children={"link": (1, MANY), "joint": (0, MANY)}, others=("name", "version")),
    "link": Rule(words=("name",), children={"collision": (0, MANY)}),
    "collision": Rule(children={"origin": (0, 1), "geometry": (1, 1)}, others=("name", "group")),
    "geometry": Rule(children=dict.fromkeys(_SHAPES, (0, 1))),
    "box": Rule(sizes={"size": (3,)}),
    "capsule": Rule(sizes={"radius": (1,), "length": (1,)}),
    "cylinder": Rule(sizes={"radius": (1,), "length": (1,)}),
    "sphere": Rule(sizes={"radius": (1,)}),
    "mesh": Rule(words=("filename",), numbers={"scale": (1, 3)}),
    "origin": Rule(numbers={"xyz": (3,), "rpy": (3,), "quat_xyzw": (4,)}),
    "joint": Rule(
        words=("name", "type"),
        children={
            "parent": (1, 1),
            "child": (1, 1),
            "origin": (0, 1),
            "axis": (0, 1),
            "limit": (0, 1),
            "mimic": (0, 1),
        },
    ),
    "parent": Rule(words=("link",)),
    "child": Rule(words=("link",)),
    "axis": Rule(sizes={"xyz": (3,)}),
    "limit": Rule(numbers={"lower": (1,), "upper": (1,)}, others=("effort", "velocity", "acceleration")),
    "mimic": Rule(words=("joint",), numbers={"multiplier": (1,), "offset": (1,)}),
}


def read_robot_element(path: Path) -> Element:
    """Read the <robot> element of a file; it must be whole, and no template."""
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {path}")
    # A declaration must come first, and some exporters indent it; others end the file with a zero.
    content = path.read_bytes().lstrip().rstrip(b"\0 \t\r\n")
    try:
        root = ElementTree.fromstring(content)
    except (ElementTree.ParseError, ValueError, LookupError) as error:  # the latter two: unknown encodings
        raise RobotFileError(f"{path} is not XML: {error}") from None
    if root.tag != "robot":
        raise RobotFileError(f"{path} must hold a <robot>; it holds a <{root.tag}>")
    if any("xacro" in element.tag.partition("}")[0] for element in root.iter() if element.tag[0] == "{"):
        raise RobotFileError(f"{path} is a template: expand it with the command `xacro` first")
    return root


def checked(element: Element, where: str) -> Element:
    """Copy what collisions depend on; a `RobotFileError` names the first place that breaks a rule."""
    rule = _RULES[element.tag]
    name = element.get("name", "").strip()
    inside = f"{where}: {element.tag} {name!r}" if name and element.tag in ("link", "joint") else where
    copy = Element(element.tag, _attributes(element, rule, inside))
    if element.tag != "geometry":  # what that must hold is told below
        check_children(element, rule.children, _RULES, inside)
    copy.extend([checked(child, inside) for child in element if child.tag in rule.children])
    for tag, (least, most) in rule.children.items():
        count = len(copy.findall(tag))
        if count > most and tag in _FIRST_OF_SEVERAL:
            warnings.warn(f"{inside}: <{element.tag}> has {count} <{tag}>; the first is read", stacklevel=2)
            for more in copy.findall(tag)[1:]:
                copy.remove(more)
            continue
        if not least <= count <= most:
            amount = "one" if least == most else "at most one" if most == 1 else "one or more"
            raise RobotFileError(f"{inside}: <{element.tag}> must have {amount} <{tag}>; it has {count}")
    if element.tag == "geometry" and (len(element) != 1 or len(copy) != 1):
        shapes = ", ".join(f"<{child.tag}>" for child in element) or "none"
        raise RobotFileError(f"{inside}: <geometry> must have one of {', '.join(_SHAPES)}; it has {shapes}")
    return copy


def _attributes(element: Element, rule: Rule, where: str) -> dict[str, str]:
    check_attributes(element, (*rule.words, *rule.sizes, *rule.numbers, *rule.others), where)
    for attribute in (*rule.words, *rule.sizes):
        if not element.get(attribute, "").strip():
            raise RobotFileError(f"{where}: <{element.tag}> must have the attribute {attribute}")
    kept = {attribute: element.attrib[attribute] for attribute in rule.words}
    for attribute, counts in {**rule.sizes, **rule.numbers}.items():
        if attribute in element.attrib:
            kept[attribute] = _numbers(element, attribute, counts, where)
    return kept


def _numbers(element: Element, attribute: str, counts: tuple[int, ...], where: str) -> str:
    """Write the numbers of an attribute, separated by blanks or commas, in the one way all readers take."""
    text = element.attrib[attribute]
    is_limit = element.tag == "limit"  # it may be infinite: there is none
    endless = _ENDLESS if is_limit else {}
    read = [endless.get(word.lower(), read_number(word)) for word in text.replace(",", " ").split()]
    numbers = [x for x in read if x is not None and (is_limit or math.isfinite(x))]
    if len(read) == len(numbers) == 4 and max(counts) == 3 and "," not in text:
        what = f"{attribute} of <{element.tag}> has {len(numbers)} numbers"
        warnings.warn(f"{where}: {what}; the first three are read", stacklevel=2)
        read, numbers = read[:3], numbers[:3]
    if len(numbers) not in counts or len(numbers) < len(read):
        amount = " or ".join(map(str, counts))
        noun = ("number" if is_limit else "finite number") + "s" * (counts != (1,))
        what = f"{attribute} of <{element.tag}>"
        raise RobotFileError(f"{where}: {what} must be {amount} {noun}; received {text[:60]!r}")
    return " ".join(map(repr, numbers))
