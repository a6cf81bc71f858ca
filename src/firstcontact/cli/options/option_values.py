"""Values of options, checked while the command line is read."""

import argparse
import math
from collections.abc import Callable
from pathlib import Path

from firstcontact.cli.command_error import CommandError

# As far as coordinates go; the library's own word for it would load NumPy.
LONGEST = 2.0**150


def number(low: float, high: float = math.inf) -> Callable[[str], float]:
    """Make a reader of option values in [low, high] that tells argparse the rule."""
    rule = f"at least {low:g}" if math.isinf(high) else f"in [{low:g}, {high:g}]"

    def read(text: str) -> float:
        value = as_number(text)
        if value is None or not low <= value <= high:
            raise argparse.ArgumentTypeError(f"there must be a finite number {rule}; received {text[:60]!r}")
        return value

    return read


def count(text: str) -> int:
    """Read how many: one or more."""
    if not (text.isascii() and text.isdecimal() and 1 <= int(text) < 1 << 16):
        raise argparse.ArgumentTypeError(f"there must be a number of 1 or more; received {text[:60]!r}")
    return int(text)


def page(text: str) -> Path:
    """Read the name of a page that is to be written; by its end, browsers know what it is."""
    if not text.lower().endswith((".html", ".htm")):
        raise argparse.ArgumentTypeError(f"a page must end in .html; received {text[:60]!r}")
    return Path(text)


def as_number(text: str) -> float | None:
    """Read a finite number; None where a text is none."""
    from firstcontact._validate import read_number  # which loads NumPy

    value = read_number(text.strip())
    return value if value is not None and math.isfinite(value) else None


def numbers(name: str, text: str, n: int) -> list[float]:
    """Read n numbers with commas between them."""
    values = [as_number(cell) for cell in text.split(",")]
    read = [value for value in values if value is not None]
    if len(values) != n or len(read) != n:
        rule = "a finite number" if n == 1 else f"{n} finite numbers with commas between them"
        raise CommandError(f"{name} must have {rule}; received {text[:60]!r}")
    return read
