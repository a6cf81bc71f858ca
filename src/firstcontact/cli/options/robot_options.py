"""Options that say which robot goes along which path, and among what."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import firstcontact as fc
from firstcontact.cli.command_error import CommandError
from firstcontact.cli.texts.shape_text import HELP, read_shape, thing_name

_SEVERAL: dict[str, Any] = {"type": Path, "nargs": "+", "action": "extend", "default": []}


def add_robot(parser: argparse.ArgumentParser, *, is_required: bool) -> None:
    """Add the options of a robot's path and surroundings."""
    add = add_robot_files(parser, is_required=is_required).add_argument
    things: dict[str, Any] = _SEVERAL | {"type": str}
    add("--world", **things, metavar="THING", help=f"obstacles, each named after its file: {HELP}")
    add("--self-contact", action="store_true", help="links must not touch each other either")


def add_robot_files(parser: argparse.ArgumentParser, *, is_required: bool) -> Any:
    """Add the options of a robot's files and its path; give their group."""
    group = parser.add_argument_group("the robot, its path and its surroundings")
    add = group.add_argument
    add("--path", type=Path, required=is_required, metavar="PATH.csv", help="the configurations")
    add("--degrees", action="store_true", help="the path's angles are in degrees")
    add("--srdf", type=Path, metavar="FILE", help="tells which links may touch each other")
    folders: dict[str, Any] = _SEVERAL | {"type": str}
    add("--package-dir", **folders, metavar="[NAME=]DIR", help="where the packages of package:// are")
    add("--allow-outside", action="store_true", help="meshes may be outside of the robot's folder")
    add("--floating-base", action="store_true", help='the root moves freely, by the joint "floating_base"')
    return group


def read_robot(file: Path, options: argparse.Namespace) -> fc.Robot:
    """Read the robot; it must have a joint that moves. What is doubtful about the file is told."""
    try:
        with warnings.catch_warnings(record=True) as doubts:
            warnings.simplefilter("always")
            robot = _read(file, options)
    except fc.RobotFileError as error:
        raise CommandError(_in_options(error)) from None
    except OSError as error:
        raise CommandError.of(error) from None
    for doubt in doubts:
        print(f"firstcontact: {_in_options(doubt.message)}", file=sys.stderr)
    if robot.dof == 0:
        raise CommandError(f"{file} has no joint that moves")
    return robot


def _read(file: Path, options: argparse.Namespace) -> fc.Robot:
    """Read an MJCF file, .xml, or a URDF file with what else is said of it."""
    chosen = {key: getattr(options, key) for key in ("floating_base", "allow_outside")}
    folders = _package_dirs(options.package_dir)
    if file.suffix.lower() != ".xml":
        return fc.Robot.from_urdf(file, options.srdf, package_dirs=folders, **chosen)
    if options.srdf is not None or folders or any(chosen.values()):
        rule = "--srdf, --package-dir, --allow-outside and --floating-base are for URDF files"
        raise CommandError(f"{rule}; {file} is read as MJCF")
    return fc.Robot.from_mjcf(file)


def _in_options(remark: Exception | str) -> str:
    """Call the library's arguments by the names of the options."""
    text = str(remark).replace("allow_outside=True", "--allow-outside")
    return " ".join(text.replace("package_dirs tells", "--package-dir tells").split())


def _package_dirs(texts: Sequence[str]) -> list[str] | dict[str, str]:
    """Read folders, or the folders of packages by their names."""
    parts = [text.partition("=") for text in texts]
    named = {name: folder for name, mark, folder in parts if mark and name and folder}
    if not any(mark for _, mark, _ in parts):
        return list(texts)
    if len(named) < len(texts):
        raise CommandError(f"--package-dir must be DIR, or NAME=DIR, once for each name; received {texts}")
    return named


def read_obstacles(texts: Sequence[str]) -> dict[str, Any]:
    """Read things by the names of their files; as they are spelt where names are not enough."""
    names = [thing_name(text) for text in texts]
    obstacles: dict[str, Any] = {}
    for text, own in zip(texts, names, strict=True):
        name = own if names.count(own) == 1 else str(Path(text))
        if name in obstacles:
            raise CommandError(f"{text} is given twice")
        obstacles[name] = read_shape(text)
    return obstacles
