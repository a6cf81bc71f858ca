"""Options that say which robot goes along which path, and among what."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import firstcontact as fc
from firstcontact.cli.command_error import CommandError
from firstcontact.cli.shape_text import load_mesh


def add_robot(parser: argparse.ArgumentParser, *, is_required: bool) -> None:
    """Add the options of a robot's path and surroundings."""
    add = parser.add_argument_group("the robot, its path and its surroundings").add_argument
    several: dict[str, Any] = {"type": Path, "nargs": "+", "action": "extend", "default": []}
    add("--path", type=Path, required=is_required, metavar="PATH.csv", help="the configurations")
    add("--degrees", action="store_true", help="the path's angles are in degrees")
    add("--world", **several, metavar="MESH", help="obstacles, each named after its file")
    add("--self-contact", action="store_true", help="links must not touch each other either")
    add("--srdf", type=Path, metavar="FILE", help="tells which links may touch each other")
    add("--package-dir", **several, metavar="DIR", help="where the packages of package:// are")
    add("--floating-base", action="store_true", help='the root moves freely, by the joint "floating_base"')


def read_robot(file: Path, options: argparse.Namespace) -> fc.Robot:
    """Read the robot; it must have a joint that moves."""
    try:
        robot = fc.Robot.from_urdf(
            file, options.srdf, package_dirs=options.package_dir, floating_base=options.floating_base
        )
    except (fc.RobotFileError, OSError) as error:
        raise CommandError.of(error) from None
    if robot.dof == 0:
        raise CommandError(f"{file} has no joint that moves")
    return robot


def read_obstacles(files: Sequence[Path]) -> dict[str, fc.Mesh]:
    """Read meshes by the names of their files; by their paths where names are not enough."""
    names = [file.name for file in files]
    obstacles: dict[str, fc.Mesh] = {}
    for file in files:
        name = file.name if names.count(file.name) == 1 else str(file)
        if name in obstacles:
            raise CommandError(f"{file} is given twice")
        obstacles[name] = load_mesh(file)
    return obstacles
