"""`firstcontact parts`: take a closed mesh apart into convex hulls."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import firstcontact as fc
from firstcontact.cli.command import add_command, add_json, add_view
from firstcontact.cli.command_error import CommandError
from firstcontact.cli.options.motion_options import asked
from firstcontact.cli.options.option_values import LONGEST, number
from firstcontact.cli.page import write_page
from firstcontact.cli.texts.json_text import json_text
from firstcontact.cli.texts.shape_text import HELP, mesh_of, thing_name
from firstcontact.cli.texts.table import table

_DESCRIPTION = """
Take a closed mesh apart into convex hulls, by CoACD, and prove how far these are from the mesh, and it from
them. -o writes them as a compound, which other commands take in place of the mesh. No point of the mesh, or
inside of it, is farther from the parts than "mesh to parts": as a --min-separation that makes `firstcontact
check` of the parts safe for the mesh.
"""

_EXAMPLES = """
firstcontact parts part.stl --tolerance 0.01 -o parts.npz
firstcontact check parts.npz box:1,1,1 --start-a 0,0,3 --velocity-a 0,0,-3
"""

# What a compound is written as.
_COMPOUND = ".npz"


def add_to(commands: Any) -> None:
    """Add this command and its options to the parser."""
    parser = add_command(commands, "parts MESH --tolerance D [options]", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("mesh", metavar="MESH", help=HELP)
    making = parser.add_argument_group("the parts")
    making.add_argument(
        "--tolerance",
        type=number(0.0, LONGEST),
        metavar="D",
        required=True,
        help="how far they should be from the mesh, at the most, and it from them",
    )
    making.add_argument(
        "--max-seconds", type=number(0.0), default=600.0, metavar="S", help="for CoACD (default: 600)"
    )
    answer = parser.add_argument_group("the answer")
    answer.add_argument("-o", "--output", metavar=f"FILE{_COMPOUND}", type=Path, help="where to write them")
    add_json(answer)
    add_view(answer)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Find the parts, write them, and tell how far off they are."""
    if options.output is not None and options.output.suffix.lower() != _COMPOUND:
        raise CommandError(f"a compound must end in {_COMPOUND}; received {options.output}")
    mesh = mesh_of(options.mesh, "parts")
    try:
        parts: fc.Compound = asked(mesh.convex_parts, options.tolerance, max_seconds=options.max_seconds)
    except TimeoutError as error:
        raise CommandError.of(error) from None
    if options.output is not None:
        _write(parts, options.output)
    if options.view is not None:
        write_page({thing_name(options.mesh): parts}, options.view, [thing_name(options.mesh)])
    _tell(options, parts)


def _write(parts: fc.Compound, file: Path) -> None:
    try:
        parts.save(file)
    except OSError as error:
        raise CommandError(f"{file} cannot be written: {error.strerror}") from None


def _tell(options: argparse.Namespace, parts: fc.Compound) -> None:
    facts: dict[str, Any] = {"parts": len(parts.parts), **_deviation(parts), "tolerance": options.tolerance}
    files = {"output": options.output, "view": options.view}
    if options.json:
        named = {key: None if file is None else str(file) for key, file in files.items()}
        print(json_text({"mesh": options.mesh, **facts, **named}))
        return
    print(table([(key.replace("_", " "), str(value)) for key, value in facts.items()]))
    for word, file in (("the parts are", options.output), ("a page is", options.view)):
        if file is not None:
            print(f"\n{word} in {file}")


def _deviation(parts: fc.Compound) -> dict[str, float]:
    return {} if parts.deviation is None else parts.deviation._asdict()
