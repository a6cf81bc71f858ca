"""Small robot files for the tests that read them."""

from pathlib import Path

import trimesh

BALL = "<sphere radius='0.5'/>"


def written(path: Path, text: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def collision(shape: str = BALL, origin: str = "") -> str:
    return f"<collision>{origin}<geometry>{shape}</geometry></collision>"


def link(name: str, *collisions: str) -> str:
    return f"<link name='{name}'>{''.join(collisions)}</link>"


def joint(name: str, kind: str, parent: str, child: str, inner: str = "") -> str:
    ends = f"<parent link='{parent}'/><child link='{child}'/>"
    return f"<joint name='{name}' type='{kind}'>{ends}{inner}</joint>"


def robot(*parts: str) -> str:
    return f"<?xml version='1.0'?><robot name='toy'>{''.join(parts)}</robot>"


def with_shape(shape: str) -> str:
    """A robot of one link that has one shape."""
    return robot(link("only", collision(shape)))


def with_joint(kind: str = "revolute", inner: str = "") -> str:
    """A robot of two links and the joint between them, 'hinge'."""
    return robot(link("base", collision()), link("arm"), joint("hinge", kind, "base", "arm", inner))


def box_file(path: Path) -> Path:
    """Write a mesh of 8 vertices and 12 faces, 1 by 2 by 3, with its least corner at the origin."""
    box = trimesh.creation.box((1, 2, 3))
    box.apply_translation((0.5, 1.0, 1.5))
    exported = box.export(file_type=path.suffix[1:])
    return written(path, exported)
