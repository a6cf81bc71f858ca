"""A robot that needs no files: an arm of six joints whose links are meshes, written as URDF and STL.

Its links are capsules, but for the tool: a palm with two fingers, which is not convex.
"""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from robot.cases import RobotFiles, World, box_worlds

ARM = "arm"
# Length and radius of each link in metres, and the axis of the joint that carries it.
_LINKS = (
    (0.15, 0.08, None),
    (0.12, 0.07, "0 0 1"),
    (0.40, 0.05, "0 1 0"),
    (0.35, 0.045, "0 1 0"),
    (0.12, 0.04, "0 1 0"),
    (0.12, 0.04, "0 0 1"),
    (0.16, 0.03, "0 1 0"),
)
_LIMIT = 2.8  # radians that a joint turns to either side

_LINK = """<link name="link{k}"><collision><geometry>
<mesh filename="package://{arm}/link{k}.stl"/></geometry></collision></link>"""
_JOINT = """<joint name="joint{k}" type="revolute"><parent link="link{before}"/><child link="link{k}"/>
<origin xyz="0 0 {length}"/><axis xyz="{axis}"/>
<limit lower="-{limit}" upper="{limit}" effort="1" velocity="1"/></joint>"""

_kept: list[TemporaryDirectory[str]] = []  # removed when the process ends


def arm_worlds(n: int) -> list[World]:
    """A few random boxes around the arm."""
    return box_worlds(_arm(), n, n_boxes=6)


@cache
def _arm() -> RobotFiles:
    folder = TemporaryDirectory()
    _kept.append(folder)
    package = Path(folder.name) / ARM
    package.mkdir()
    texts = [f'<robot name="{ARM}">']
    for k, (length, radius, axis) in enumerate(_LINKS):
        _mesh(length, radius, is_tool=k == len(_LINKS) - 1).export(package / f"link{k}.stl")
        texts.append(_LINK.format(k=k, arm=ARM))
        if axis:
            before = _LINKS[k - 1][0]
            texts.append(_JOINT.format(k=k, before=k - 1, length=before, axis=axis, limit=_LIMIT))
    path = package / "arm.urdf"
    path.write_text("\n".join([*texts, "</robot>"]) + "\n", encoding="utf-8")
    return RobotFiles(ARM, path, None, Path(folder.name))


def _mesh(length: float, radius: float, is_tool: bool) -> Any:
    """A capsule along z from the joint on, which overlaps the neighbours' ends; or the tool."""
    import trimesh

    if not is_tool:
        link = trimesh.creation.capsule(length - radius, radius, count=(16, 16))
        return link.apply_translation([0.0, 0.0, -link.bounds[0, 2]])
    finger = 0.6 * length
    parts = [trimesh.creation.box([2.0 * radius, 4.0 * radius, length - finger])]
    parts[0].apply_translation([0.0, 0.0, 0.5 * (length - finger)])
    for side in (-1.5, 1.5):
        one = trimesh.creation.box([radius, 0.8 * radius, finger])
        parts.append(one.apply_translation([0.0, side * radius, length - 0.5 * finger]))
    return trimesh.util.concatenate(parts)
