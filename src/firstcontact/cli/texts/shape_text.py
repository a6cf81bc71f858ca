"""Things as the command line spells them: files of all kinds, and shapes such as sphere:0.5."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import firstcontact as fc
from firstcontact.cli.command_error import CommandError
from firstcontact.cli.options.option_values import as_number, numbers

HELP = (
    "a mesh file, voxels (.bt, .npz), a compound or strands (.npz), points:FILE or strands:FILE, with a "
    "radius as points:R,FILE, or sphere:R, box:X,Y,Z, ellipsoid:X,Y,Z, capsule:R,L, cylinder:R,L, "
    "cone:R,H, or one of these with a radius around it, as rounded:R,box:X,Y,Z; "
    "or halfspace:NX,NY,NZ,OFFSET, without bounds"
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

# What loads a cloud, by the word before its file.
_CLOUDS = {"points": "load_points", "strands": "load_strands"}

# What loads an archive, by an array that no other has.
_ARCHIVES = {"cells": "load_voxels", "kinds": "load_compound", "counts": "load_strands"}
_NPZ = ".npz"

_ROUNDED, _HALF_SPACE = "rounded", "halfspace"


def read_shape(text: str) -> Any:
    """Make the shape, or load what the file has."""
    kind, mark, sizes = text.partition(":")
    if kind in _CLOUDS and mark:
        return _cloud(_CLOUDS[kind], sizes)
    if kind == _ROUNDED and mark:
        return _rounded(text, sizes)
    if kind == _HALF_SPACE and mark:
        return _half_space(text, sizes)
    if kind in _SHAPES and mark:
        return _made(text, *_SHAPES[kind], sizes)
    if kind.isalpha() and len(kind) > 1 and mark:  # a single letter is a drive of Windows
        raise CommandError(f"there is no shape {kind!r}: give {HELP}")
    file = Path(text)
    if file.suffix.lower() == _NPZ:
        return _load(_archive_loader(file), file)
    return _load("load_voxels", file) if file.suffix.lower() == ".bt" else load_mesh(file)


def is_stored_shape(file: Path) -> bool:
    """Tell whether an archive has a shape; not frames, a field, or what cannot be read."""
    return file.suffix.lower() == _NPZ and not _ARCHIVES.keys().isdisjoint(_names_in(file))


def mesh_of(text: str, command: str) -> fc.Mesh:
    """Load a mesh, or make that of a shape, for a command that looks at faces."""
    shape = read_shape(text)
    mesh = shape if isinstance(shape, fc.Mesh) else getattr(shape, "mesh", None)
    if not isinstance(mesh, fc.Mesh) or mesh.is_cloud:
        what = "is several" if isinstance(shape, fc.Compound) else "has none"
        raise CommandError(f"{command} looks at the faces of one mesh, and {text} {what}")
    return mesh


def thing_name(text: str) -> str:
    """What to call a thing: the name of its file, or its shape."""
    kind, mark, rest = text.partition(":")
    return Path(_radius_and_file(rest)[1] if kind in _CLOUDS and mark else text).name


def load_mesh(file: Path) -> fc.Mesh:
    """Load a mesh; what is wrong with the file is told."""
    mesh: fc.Mesh = _load("load", file)
    return mesh


def _load(loader: str, file: Path, **options: Any) -> Any:
    try:
        return getattr(fc, loader)(file, **options)
    except (OSError, ValueError) as error:
        raise CommandError.of(error) from None


def _archive_loader(file: Path) -> str:
    """What loads an archive; of one that is damaged, that which tells so."""
    names = _names_in(file)
    loader = next((loader for name, loader in _ARCHIVES.items() if name in names), None)
    if names and loader is None:
        has = ", ".join(names)
        raise CommandError(f"{file} holds neither voxels, nor a compound, nor strands; it has {has}")
    return loader or "load_voxels"


def _names_in(file: Path) -> list[str]:
    """Names of the arrays of an archive; none of what cannot be read."""
    from zipfile import ZipFile

    try:
        with ZipFile(file) as archive:
            return [name.removesuffix(".npy") for name in archive.namelist()]
    except Exception:  # a damaged archive raises anything
        return []


def _cloud(loader: str, text: str) -> Any:
    radius, file = _radius_and_file(text)
    return _load(loader, Path(file), **({} if radius is None else {"radius": radius}))


def _radius_and_file(text: str) -> tuple[float | None, str]:
    """Split 0.01,scan.ply; without a radius, all is the file."""
    first, mark, rest = text.partition(",")
    radius = as_number(first) if mark else None
    return (None, text) if radius is None else (radius, rest)


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
