"""The `firstcontact` command."""

import argparse
import sys
from collections.abc import Sequence

from firstcontact import __version__
from firstcontact.cli import demo, elementary, robot, sequence, warmup
from firstcontact.cli.command_error import CommandError
from firstcontact.errors import MissingExtraError

_INTERRUPTED = 130  # what shells expect after Ctrl-C: 128 + SIGINT


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and give its exit status: 0, 2 after a failure that has been told, 130 after Ctrl-C.

    A command may end with a status of its own.
    """
    options = _parser().parse_args(arguments)
    try:
        status: int | None = options.run(options)
    except KeyboardInterrupt:
        return _INTERRUPTED
    except (CommandError, MissingExtraError) as error:
        print(f"firstcontact: {error}", file=sys.stderr)
        return 2
    return status or 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="firstcontact", description="When do moving things first touch?")
    parser.add_argument("--version", action="version", version=f"firstcontact {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in (demo, elementary, robot, sequence, warmup):
        command.add_to(commands)
    return parser
