"""`firstcontact sequence`: check every step of an animation for self-contact."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import firstcontact as fc
from firstcontact.cli.command import (
    BAD_INPUT,
    CONTACT,
    FINE,
    add_command,
    add_exit_code,
    add_json,
    add_min_separation,
)
from firstcontact.cli.command_error import CommandError
from firstcontact.cli.commands.warmup import warm_up_mesh
from firstcontact.cli.options.motion_options import asked
from firstcontact.cli.options.workers import add_cluster, workers
from firstcontact.cli.steps import SequenceStep, faults_of, steps_of
from firstcontact.cli.texts.contact_file import check_output, write_contacts
from firstcontact.cli.texts.frames import FRAMES_HELP, Animation, animation_of
from firstcontact.cli.texts.json_text import json_text
from firstcontact.cli.texts.table import table
from firstcontact.errors import MeshFileError

_DESCRIPTION = """
Check every step of an animation for contacts of the mesh with itself: step i is from frame i to frame i + 1,
and all vertices move on straight lines. The frames are mesh files in their order, a folder of them, or one
.npz file with the arrays `vertices`, (k, n, 3), and `faces`, (m, 3). A frame that cannot be read, or whose
vertices or faces do not match, is named, and costs only the steps from and to it; the exit status is 2 then.
"""

_EXAMPLES = """
firstcontact sequence cloth-*.obj -o contacts.csv
firstcontact sequence frames/ --first --exit-code
firstcontact sequence walk.npz --min-separation 0.001 --json
firstcontact sequence frames/ -o contacts.npz --cluster tcp://scheduler:8786
"""


def add_to(commands: Any) -> None:
    """Add this command and its options to the parser."""
    parser = add_command(commands, "sequence FRAME [FRAME ...] [options]", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("frames", type=Path, nargs="+", metavar="FRAME", help=FRAMES_HELP)
    search = parser.add_argument_group("the search")
    add_min_separation(search)
    search.add_argument("--first", action="store_true", help="find only the first contact of each step")
    add_cluster(search)
    answer = parser.add_argument_group("the answer")
    add_json(answer)
    answer.add_argument(
        "-o", "--output", type=Path, metavar="OUT", help="write all contacts to a .npz, .json or .csv file"
    )
    add_exit_code(answer)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Check the steps, write their contacts, print a table, and give the exit status."""
    if options.output is not None:
        check_output(options.output, options.frames)
    animation = animation_of(options.frames)
    if len(animation.names) < 2:
        _check_readable(animation)
        raise CommandError(f"nothing to check: a step needs two frames; received {len(animation.names)}")
    steps = _checked(animation, options)
    for fault in faults_of(steps):
        print(f"firstcontact: {fault}", file=sys.stderr)
    if options.output is not None:
        write_contacts(options.output, steps)
    print(json_text(_described(steps)) if options.json else _account(steps))
    if options.output is not None and not options.json:
        print(f"written to {options.output}")
    if options.exit_code and any(step.n_contacts for step in steps):
        return CONTACT
    return BAD_INPUT if any(step.problem for step in steps) else FINE


def _check_readable(animation: Animation) -> None:
    """Say of a frame that cannot be read that it cannot, before anything is said of how many there are."""
    for frame in animation.frames if animation.mesh is None else ():
        try:
            fc.load(frame)
        except OSError as error:
            raise CommandError.of(error) from None
        except MeshFileError as error:
            raise CommandError(str(error)) from None


def _checked(animation: Animation, options: argparse.Namespace) -> list[SequenceStep]:
    """Check all steps, here or where workers are, with a progress bar on a terminal."""
    chosen = {
        "only_first": options.first,
        "min_separation": options.min_separation,
        "skip_damaged": True,
        "progress": sys.stderr.isatty(),
    }
    if options.cluster is None:
        _warm_up(animation, options)
    with workers(options.cluster) as executor:
        found = asked(fc.sequence, animation.frames, animation.mesh, **chosen, executor=executor)
    return steps_of(found, animation)


def _warm_up(animation: Animation, options: argparse.Namespace) -> None:
    """Compile what is needed before any time is taken; a mesh as large as the first frame that is one."""
    mesh = animation.mesh
    for frame in animation.frames if mesh is None else ():
        with suppress(MeshFileError, OSError):
            mesh = fc.load(frame)
            break
    if mesh is not None:
        query = fc.first_contact if options.first else fc.contacts
        warm_up_mesh(query, mesh.n_faces, options.min_separation)


def _described(steps: Sequence[SequenceStep]) -> dict[str, Any]:
    """What there is to tell of the steps; their contacts are for the file."""
    return {
        "n_steps": len(steps),
        "n_checked": sum(not step.problem for step in steps),
        "is_free": not any(step.n_contacts or step.problem for step in steps),
        "steps": [
            {
                "step": step.number,
                "frames": step.frames,
                "skipped": step.problem or None,
                "n_contacts": step.n_contacts,
                "t": step.first_time,
                "seconds": step.seconds,
            }
            for step in steps
        ],
    }


def _account(steps: Sequence[SequenceStep]) -> str:
    """A table of the steps, and a sentence about all of them."""
    rows = [("step", "frames", "contacts", "first time", "seconds"), *map(_row, steps)]
    n_skipped = sum(bool(step.problem) for step in steps)
    first = min(steps, key=lambda step: step.number + step.first_time)
    total = f"{len(steps) - n_skipped:,} of {len(steps):,} steps checked"
    if math.isinf(first.first_time):
        return f"{table(rows)}\n\n{total}: no contact{' in these' * bool(n_skipped)}"
    n_contacts = sum(step.n_contacts for step in steps)
    return (
        f"{table(rows)}\n\n{total}: {n_contacts:,} contacts, "
        f"the first in step {first.number} at t = {first.first_time}"
    )


def _row(step: SequenceStep) -> tuple[str, ...]:
    frames = " -> ".join(Path(name).name for name in step.frames)
    if step.problem:
        return str(step.number), frames, "skipped", "-", "-"
    time = str(step.first_time) if step.n_contacts else "none"  # all digits: rounded up it would be late
    return str(step.number), frames, f"{step.n_contacts:,}", time, f"{step.seconds:.3f}"
