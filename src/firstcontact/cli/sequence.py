"""`firstcontact sequence`: check every step of an animation for self-contact."""

import argparse
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from firstcontact.cli.command_error import CommandError
from firstcontact.cli.contact_file import check_output, write_contacts
from firstcontact.cli.frames import Frame, frames_of
from firstcontact.cli.option_values import number
from firstcontact.cli.steps import Question, Step, checked_steps, no_contacts
from firstcontact.cli.table import table

_CONTACT, _SKIPPED = 1, 3

_DESCRIPTION = """
Check every step of an animation for contacts of the mesh with itself: step i is from frame i to frame i + 1,
and all vertices move on straight lines. The frames are mesh files in their order, or one .npz file with the
arrays `vertices`, (k, n, 3), and `faces`, (m, 3). A frame that cannot be read, or whose vertices or faces do
not match, is named, and costs only the steps from and to it.
"""

_EPILOG = f"""
Exit status: 0 if all steps were checked; {_CONTACT} if there is a contact and --fail-on-contact is given;
2 if the command cannot be carried out; {_SKIPPED} if steps were skipped, unless it is {_CONTACT}.
"""


def add_to(commands: Any) -> None:
    """Add this command and its options to the parser."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "sequence", help="check an animation for self-contact", description=_DESCRIPTION, epilog=_EPILOG
    )
    add = parser.add_argument
    add("frames", type=Path, nargs="+", metavar="FRAME", help="mesh files in order, or one .npz file")
    add("-o", "--output", type=Path, metavar="OUT", help="write all contacts to a .npz, .json or .csv file")
    add("--min-separation", type=number(0.0), default=0.0, metavar="D", help="a gap that counts as contact")
    add("--first", action="store_true", help="find only the first contact of each step")
    add("--fail-on-contact", action="store_true", help=f"exit with {_CONTACT} if there is any contact")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Check the steps, write their contacts, print a table, and give the exit status."""
    if options.output is not None:
        check_output(options.output, options.frames)
    frames = frames_of(options.frames)
    if len(frames) < 2:
        raise CommandError(f"nothing to check: a step needs two frames; received {len(frames)}")
    steps = _checked(frames, options)
    if options.output is not None:
        write_contacts(options.output, steps)
    print(_account(steps))
    if options.output is not None:
        print(f"written to {options.output}")
    if options.fail_on_contact and any(step.n_contacts for step in steps):
        return _CONTACT
    return _SKIPPED if any(step.problem for step in steps) else 0


def _checked(frames: Sequence[Frame], options: argparse.Namespace) -> list[Step]:
    """Check all steps with a progress bar; their contacts are kept only for the file."""
    from tqdm import tqdm

    def tell(message: str) -> None:
        tqdm.write(f"firstcontact: {message}", file=sys.stderr)

    question = Question(options.first, options.min_separation)
    steps: list[Step] = []
    with tqdm(total=len(frames) - 1, desc="checking", unit="step", disable=None) as progress:
        for step in checked_steps(frames, question, tell):
            steps.append(step if options.output is not None else step._replace(columns=no_contacts()))
            progress.update()
    return steps


def _account(steps: Sequence[Step]) -> str:
    """A table of the steps, and a sentence about all of them."""
    rows = [("step", "frames", "contacts", "first time", "seconds"), *map(_row, steps)]
    n_skipped = sum(bool(step.problem) for step in steps)
    first = min(steps, key=lambda step: step.number + step.first_time)
    total = f"{len(steps) - n_skipped:,} of {len(steps):,} steps checked"
    if math.isinf(first.first_time):
        return f"{table(rows)}\n\n{total}: no contact"
    n_contacts = sum(step.n_contacts for step in steps)
    return (
        f"{table(rows)}\n\n{total}: {n_contacts:,} contacts, "
        f"the first in step {first.number} at t = {first.first_time}"
    )


def _row(step: Step) -> tuple[str, ...]:
    frames = " -> ".join(Path(name).name for name in step.frames)
    if step.problem:
        return str(step.number), frames, "skipped", "-", "-"
    time = str(step.first_time) if step.n_contacts else "none"  # all digits: rounded up it would be late
    return str(step.number), frames, f"{step.n_contacts:,}", time, f"{step.seconds:.3f}"
