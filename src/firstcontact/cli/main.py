"""The `firstcontact` command."""

import io
import os
import re
import sys
from collections.abc import Container, Sequence
from importlib import import_module

from firstcontact import __version__
from firstcontact.cli.command import BAD_INPUT, COMMANDS, FINE, STATUSES, Parser
from firstcontact.cli.command_error import CommandError
from firstcontact.cli.interrupts import insistent

# What shells make of a program that a signal ended: 128 + SIGINT, 128 + SIGPIPE.
_INTERRUPTED, _NO_READER = 130, 141

_DESCRIPTION = "When do moving things first touch? Never late, never missed."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and give its exit status: 0, 1 for contact on request, 2 after bad input was told.

    Ctrl-C gives 130, and a reader that has gone, as `head` does, 141: both quietly.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # names of files can be any bytes
    with insistent() as interrupted:
        try:
            try:
                return _run(words)
            finally:
                print(end="", flush=True)
        except KeyboardInterrupt:
            return _INTERRUPTED
        except BrokenPipeError:
            os.dup2(
                os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno()
            )  # what is left is flushed at the end
            return _NO_READER
        except Exception as error:
            return _INTERRUPTED if interrupted.is_set() else _failed(error)


def _failed(error: Exception) -> int:
    """Say in a sentence what went wrong; with ``python -X dev``, where."""
    if isinstance(error, CommandError | ImportError):
        return _fail(str(error))
    if isinstance(error, MemoryError):
        return _fail("there is not enough memory for that")
    if isinstance(error, OSError):
        return _fail(f"{error.filename or 'the output'}: {error.strerror or error}")
    if sys.flags.dev_mode:
        raise error
    hint = "`python -X dev -m firstcontact` shows where"
    return _fail(f"a fault of firstcontact itself, {type(error).__name__}: {error}; {hint}")


def parser_of(chosen: Container[str]) -> Parser:
    """Make the parser, with the options of the commands chosen; the others cost no more than their names."""
    parser = Parser(prog="firstcontact", description=_DESCRIPTION, epilog=STATUSES)
    parser.add_argument("--version", action="version", version=f"firstcontact {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", title="commands")
    for name, line in COMMANDS.items():
        if name in chosen:
            import_module(f"firstcontact.cli.commands.{name}").add_to(commands)
        else:
            commands.add_parser(name, help=line)
    return parser


def _check_characters(words: Sequence[str]) -> None:
    """Refuse what no system takes for the name of a file: it would come to light anywhere."""
    for word in words:
        try:
            is_fine = b"\0" not in os.fsencode(word)
        except UnicodeEncodeError:
            is_fine = False
        if not is_fine:
            raise CommandError(f"there must be whole characters, and no NUL; received {word[:60]!r}")


def _run(words: Sequence[str]) -> int:
    _check_characters(words)
    command = next((word for word in words if not word.startswith("-")), "")
    options = parser_of([command]).parse_args(_glued(words))
    status: int | None = options.run(options)
    return status or FINE


def _glued(words: Sequence[str]) -> list[str]:
    """Join `--option -1,0,0` by an equals sign: the parser would take the value for an option."""
    glued: list[str] = []
    for word in words:
        if re.match(r"-\.?\d", word) and glued and re.fullmatch(r"--[a-z-]+", glued[-1]):
            glued[-1] += f"={word}"
        else:
            glued.append(word)
    return glued


def _fail(sentence: str) -> int:
    print(f"firstcontact: {' '.join(sentence.split())}", file=sys.stderr)
    return BAD_INPUT
