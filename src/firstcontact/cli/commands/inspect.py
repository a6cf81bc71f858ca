"""`firstcontact inspect`: what is unusual about a mesh, and what does that mean for queries?"""

from __future__ import annotations

import argparse
from typing import Any

from firstcontact.cli.command import CONTACT, FINE, add_command, add_json, add_view
from firstcontact.cli.page import write_page
from firstcontact.cli.texts.json_text import json_text
from firstcontact.cli.texts.shape_text import HELP, mesh_of, thing_name

_DESCRIPTION = """
What is unusual about a mesh: open, forked and turned edges, faces that look the other way, without an area,
thin or there twice, faces that pass through others? Each with what it means for queries. None of it is an
error: every mesh is answered about as it is.
"""

_EXAMPLES = """
firstcontact inspect part.stl
firstcontact inspect part.stl --view faults.html --exit-code
"""


def add_to(commands: Any) -> None:
    """Add this command and its options to the parser."""
    parser = add_command(commands, "inspect MESH [options]", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("mesh", metavar="MESH", help=HELP)
    answer = parser.add_argument_group("the answer")
    add_json(answer)
    add_view(answer)
    answer.add_argument("--exit-code", action="store_true", help="exit with 1 if something is unusual")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Look at the mesh, and print what is found."""
    report = mesh_of(options.mesh, "inspect").report()
    if options.view is not None:
        write_page(report, options.view, [thing_name(options.mesh)])
    if options.json:
        counts = {"vertices": report.n_vertices, "faces": report.n_faces, "parts": report.n_parts}
        print(json_text({"mesh": options.mesh, "is_closed": report.is_closed, **counts, **report.counts}))
    else:
        print(report)
        if options.view is not None:
            print(f"\na page is in {options.view}")
    return CONTACT if report and options.exit_code else FINE
