"""`firstcontact completion`: a script that completes commands and options in a shell."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from firstcontact.cli.command import COMMANDS, add_command

_DESCRIPTION = """
Print a script that lets your shell complete commands, options, their values and files. It is made from the
options themselves, and starts no Python when it completes.
"""

_EXAMPLES = """
source <(firstcontact completion bash)                 # in ~/.bashrc
source <(firstcontact completion zsh)                  # in ~/.zshrc, after compinit
firstcontact completion fish > ~/.config/fish/completions/firstcontact.fish
"""


class Option(NamedTuple):
    """An option of a command, or what it takes without one: then there are no names."""

    names: Sequence[str]
    help: str
    takes_value: bool
    choices: Sequence[str]


def add_to(commands: Any) -> None:
    """Add this command and its options to the parser."""
    parser = add_command(commands, "completion {bash,zsh,fish}", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("shell", choices=tuple(_SCRIPTS), help="your shell")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Print the script."""
    print(_SCRIPTS[options.shell]({name: list(_options(name)) for name in COMMANDS}))


def _options(command: str) -> Iterator[Option]:
    """Find what a command takes, as its own parser knows it."""
    from firstcontact.cli.main import parser_of

    # The parser has no public way to its parts; this one has been the same since it was written.
    actions: list[Any] = parser_of([command])._actions
    commands = next(action for action in actions if isinstance(action, argparse._SubParsersAction))
    for action in commands.choices[command]._actions:
        choices = [str(choice) for choice in action.choices or ()]
        yield Option(action.option_strings, action.help or "", action.nargs != 0, choices)


def _bash(commands: dict[str, list[Option]]) -> str:
    cases = "\n".join(line for name, options in commands.items() for line in _bash_cases(name, options))
    return f"""_firstcontact() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" words=""
  case "${{COMP_WORDS[1]}} ${{COMP_WORDS[COMP_CWORD-1]}} $word" in
{cases}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words="{" ".join(commands)} --help --version"; fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F _firstcontact firstcontact"""


def _bash_cases(command: str, options: Sequence[Option]) -> Iterator[str]:
    """What may follow: values of the option before, else options or choices; where nothing does, files."""
    for option in options:
        if option.names and option.takes_value:
            patterns = "|".join(f'"{command} {name} "*' for name in option.names)
            yield f'    {patterns}) words="{" ".join(option.choices)}";;'
    yield f'    "{command} "*" -"*) words="{" ".join(name for option in options for name in option.names)}";;'
    choices = [choice for option in options if not option.names for choice in option.choices]
    if choices:
        yield f'    "{command} "*) words="{" ".join(choices)}";;'


def _zsh(commands: dict[str, list[Option]]) -> str:
    cases = []
    for name, options in commands.items():
        specs = " ".join(dict.fromkeys(spec for option in options for spec in _zsh_specs(option)))
        cases.append(f"    {name}) _arguments -S {specs};;")
    listed = " ".join(_quoted(f"{name}:{_plain(line)}") for name, line in COMMANDS.items())
    lines = "\n".join(cases)
    return f"""#compdef firstcontact
_firstcontact() {{
  if (( CURRENT == 2 )); then
    local -a commands=({listed})
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words; (( CURRENT-- ))
  case $command in
{lines}
  esac
}}
if [ "$funcstack[1]" = _firstcontact ]; then _firstcontact "$@"
else compdef _firstcontact firstcontact; fi"""


def _zsh_specs(option: Option) -> list[str]:
    values = f"({' '.join(option.choices)})" if option.choices else "_files"
    if not option.names:
        return [_quoted(f"*:{'value' if option.choices else 'file'}:{values}")]
    tail = f":value:{values}" if option.takes_value else ""
    return [_quoted(f"{name}[{_plain(option.help)}]{tail}") for name in option.names]


def _fish(commands: dict[str, list[Option]]) -> str:
    lines = ["complete -c firstcontact -n __fish_use_subcommand -f"]
    for name, options in commands.items():
        line = f"-f -a {name} -d {_quoted(COMMANDS[name])}"
        lines.append(f"complete -c firstcontact -n __fish_use_subcommand {line}")
        for option in options:
            words = [f"-l {word[2:]}" if word[:2] == "--" else f"-s {word[1:]}" for word in option.names]
            if option.choices:
                words.append(f"-x -a {_quoted(' '.join(option.choices))}")
            elif option.takes_value and option.names:
                words.append("-r -F")
            if words:
                where = f"-n '__fish_seen_subcommand_from {name}'"
                lines.append(
                    f"complete -c firstcontact {where} {' '.join(words)} -d {_quoted(_plain(option.help))}"
                )
    return "\n".join(lines)


def _plain(text: str) -> str:
    """Words alone, without what is in parentheses: what brackets and colons mean to shells is not meant."""
    return re.sub(r"[^\w ,.=*/-]", "", re.sub(r" \(.*?\)", "", text).replace(":", ","))


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


_SCRIPTS = {"bash": _bash, "zsh": _zsh, "fish": _fish}
