"""`firstcontact demo`: three stories of contact, told side by side, and one page to look at them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from firstcontact.cli.command import add_command
from firstcontact.cli.options.option_values import page

_DESCRIPTION = """
Three stories on data that the demo makes itself: a hammer that strikes an anvil between two frames that both
look free, a cloth thrown over a ball, and a robot arm whose straight path clips a thin rod.

It prints what was found, and writes one page that opens in any browser, without a network. The first run also
compiles what it needs, side by side on two or more cores.
"""

_EXAMPLES = """
firstcontact demo
firstcontact demo -o stories.html --open
"""


def add_to(commands: Any) -> None:
    """Add this command and its options to the parser."""
    parser = add_command(commands, "demo [options]", _DESCRIPTION, _EXAMPLES)
    add, usual = parser.add_argument, Path("firstcontact-demo.html")
    add("-o", "--output", type=page, default=usual, metavar="PAGE.html", help=f"the page (default: {usual})")
    add("--open", action="store_true", help="open the page in a browser")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Tell the stories, print the summary, write the page."""
    from firstcontact.cli.demo.telling import tell_all

    tell_all(options.output, options.open)
