"""Values of options, checked while the command line is read."""

import argparse
import math
from collections.abc import Callable

from firstcontact._validate import as_scalar


def number(low: float, high: float = math.inf) -> Callable[[str], float]:
    """Make a reader of option values in [low, high] that tells argparse the rule."""

    def read(text: str) -> float:
        try:
            return as_scalar("the value", float(text), low, high)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return read
