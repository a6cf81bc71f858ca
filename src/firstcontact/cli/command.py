"""What all commands have in common: their names, how they explain themselves, and options spelt alike."""

import argparse
import shutil
import textwrap
from typing import Any, NoReturn

from firstcontact.cli.options.option_values import LONGEST, number, page

FINE, CONTACT, BAD_INPUT = 0, 1, 2

# In the order of the help; each is a module of this package.
COMMANDS = {
    "demo": "three stories of contact, on one page",
    "check": "when do two moving things first touch?",
    "clearance": "how near do two moving things come, and when do they touch?",
    "distance": "how far are two things apart, or how deep in each other?",
    "intersections": "which faces of two meshes meet, or of one with itself?",
    "inspect": "what is unusual about a mesh, and what does that mean?",
    "parts": "take a closed mesh apart into convex hulls",
    "field": "sample the distance to a thing once; slices and offsets of it",
    "sweep": "what does a moving thing pass through?",
    "voronoi": "which site is nearest, all over an image or a volume?",
    "sequence": "check an animation of a mesh for self-contact",
    "robot": "check a robot's path for contacts",
    "elementary": "answer a file of elementary queries",
    "worker": "let this machine work for a scheduler",
    "view": "show what moves on a page for the browser",
    "bench": "measure how fast queries are on this machine",
    "warmup": "compile all queries now, so that none waits for it later",
    "info": "versions, extras, threads and the cache of compiled code",
    "completion": "print a script that completes commands in your shell",
}

STATUSES = """exit status:
  0  done
  1  there is a contact, and --exit-code was given
  2  bad input, told in one sentence"""


class Parser(argparse.ArgumentParser):
    """A parser that keeps the lines of its texts, and tells what is wrong in one sentence."""

    def __init__(self, **settings: Any) -> None:
        own: dict[str, Any] = {"formatter_class": _formatter, "allow_abbrev": False}
        super().__init__(**(own | settings))

    def error(self, message: str) -> NoReturn:
        """End the command."""
        self.exit(BAD_INPUT, f"firstcontact: {message}; `{self.prog} --help` tells more\n")


def _formatter(prog: str) -> argparse.HelpFormatter:
    return argparse.RawDescriptionHelpFormatter(prog, max_help_position=28)


def add_command(commands: Any, usage: str, description: str, examples: str) -> argparse.ArgumentParser:
    """Add a command by its usage, which begins with its name.

    Paragraphs of the description are filled, examples stay as they are.
    """
    name = usage.split()[0]
    width = min(shutil.get_terminal_size().columns, 100) - 2
    paragraphs = [textwrap.fill(" ".join(part.split()), width) for part in description.split("\n\n")]
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=COMMANDS[name],
        usage=f"firstcontact {usage}",
        description="\n\n".join(paragraphs),
        epilog=f"examples:\n{textwrap.indent(textwrap.dedent(examples).strip(), '  ')}",
    )
    return parser


def add_json(parser: Any) -> None:
    """Let programs have the answer."""
    parser.add_argument("--json", action="store_true", help="print one JSON document, and nothing else")


def add_exit_code(parser: Any) -> None:
    """Let scripts know of contacts by the exit status."""
    parser.add_argument("--exit-code", action="store_true", help="exit with 1 if there is a contact")


def add_min_separation(parser: Any) -> None:
    """Let a distance be kept."""
    parser.add_argument(
        "--min-separation",
        type=number(0.0, LONGEST),
        default=0.0,
        metavar="D",
        help="a gap that counts as contact",
    )


def add_tolerance(parser: Any) -> None:
    """Let rigid contacts be found more or less sharply."""
    parser.add_argument(
        "--tolerance",
        type=number(0.0, LONGEST),
        metavar="D",
        help="the gap that may be left at the time given (default: a millionth of the size)",
    )


def add_view(parser: Any) -> None:
    """Let the answer be looked at."""
    parser.add_argument(
        "--view", type=page, metavar="PAGE.html", help="write a page that shows it, for any browser"
    )
