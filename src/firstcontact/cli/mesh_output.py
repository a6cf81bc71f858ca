"""Meshes that commands write."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import firstcontact as fc
from firstcontact._whole_file import whole_file
from firstcontact.cli.command_error import CommandError

# What a mesh can be written as.
MESHES = (".stl", ".obj", ".ply", ".off", ".glb")


def check_mesh_name(file: Path) -> None:
    """Refuse a file that is none of a mesh, before anything takes long."""
    if file.suffix.lower() not in MESHES:
        raise CommandError(f"a mesh must end in {', '.join(MESHES)}; received {file}")


def write_mesh(mesh: fc.Mesh, file: Path) -> None:
    """Write a mesh, whole or not at all, as what its name ends in."""
    import trimesh

    surface = trimesh.Trimesh(mesh.vertices, mesh.faces, process=False)
    written: Any = surface.export(file_type=file.suffix.lower()[1:])
    data = written.encode() if isinstance(written, str) else written
    try:
        with whole_file(file) as stream:
            stream.write(data)
    except OSError as error:
        raise CommandError(f"{file} cannot be written: {error.strerror}") from None
