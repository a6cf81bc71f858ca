"""Things as the command line spells them: mesh files, and shapes such as sphere:0.5."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import firstcontact as fc
from firstcontact.cli.command_error import CommandError
from firstcontact.cli.options.option_values import numbers

HELP = (
    "a mesh file, or sphere:R, box:X,Y,Z, ellipsoid:X,Y,Z, capsule:R,L, cylinder:R,L, cone:R,H, or one of "
    "these with a radius around it, as rounded:R,box:X,Y,Z; or halfspace:NX,NY,NZ,OFFSET, without bounds"
)

# The public name of each shape, and how many sizes it has.
_SHAPES = {
    "sphere": ("Sphere", 1),
    "box": ("Box", 3),
    "ellipsoid": ("Ellipsoid", 3),
    "capsule": ("Capsule", 2),
    "cylinder": ("Cylinder", 2),
    "cone": ("Cone", 2),
}

_ROUNDED, _HALF_SPACE = "rounded", "halfspace"


def read_shape(text: str) -> Any:
    """Make the shape, or load the mesh."""
    kind, mark, sizes = text.partition(":")
    if kind == _ROUNDED and mark:
        return _rounded(text, sizes)
    if kind == _HALF_SPACE and mark:
        return _half_space(text, sizes)
    if kind in _SHAPES and mark:
        return _made(text, *_SHAPES[kind], sizes)
    if kind.isalpha() and len(kind) > 1 and mark:  # a single letter is a drive of Windows
        raise CommandError(f"there is no shape {kind!r}: give {HELP}")
    return load_mesh(Path(text))


def thing_name(text: str) -> str:
    """What to call a thing: the name of its file, or its shape."""
    return Path(text).name


def load_mesh(file: Path) -> fc.Mesh:
    """Load a mesh; what is wrong with the file is told."""
    try:
        return fc.load(file)
    except (OSError, ValueError) as error:
        raise CommandError.of(error) from None


def _rounded(text: str, sizes: str) -> Any:
    radius, _, within = sizes.partition(",")
    if within.partition(":")[0] not in (*_SHAPES, _ROUNDED):
        raise CommandError(f"{text}: after the radius comes a shape, as in rounded:0.1,box:1,2,3")
    try:
        return fc.Rounded(read_shape(within), *numbers(text, radius, 1))
    except ValueError as error:
        raise CommandError(f"{text}: {error}") from None


def _half_space(text: str, sizes: str) -> Any:
    *normal, offset = numbers(text, sizes, 4)
    try:
        return fc.HalfSpace(normal, offset)
    except ValueError as error:
        raise CommandError(f"{text}: {error}") from None


def _made(text: str, name: str, n: int, sizes: str) -> Any:
    shape, values = getattr(fc, name), numbers(text, sizes, n)
    try:
        return shape(values) if n == 3 else shape(*values)  # three sizes are those along the axes
    except ValueError as error:
        raise CommandError(f"{text}: {error}") from None
