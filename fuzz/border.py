"""The rule of the border: an answer, or an exception of a documented type that this package raises itself."""

import traceback
from pathlib import Path

import firstcontact as fc

PACKAGE = str(Path(fc.__file__).parent)

# What may leave; of the last, the rule is below.
ALLOWED = (TypeError, ValueError, OSError, ImportError, MemoryError, KeyError)


def fault_of(error: Exception) -> str | None:
    """Say what is wrong with an exception; None where it is as it should be."""
    said = f"{type(error).__name__}: {str(error)[:200]}"
    if not isinstance(error, ALLOWED) or (isinstance(error, UnicodeError)):
        return f"leaves as {said}"
    if isinstance(error, OSError | MemoryError):
        return None
    at = traceback.extract_tb(error.__traceback__)[-1]
    if not at.filename.startswith(PACKAGE) or not (at.line or "").startswith("raise"):
        return f"is raised in {Path(at.filename).name}, line {at.lineno}, not by this package: {said}"
    text = str(error.args[0]) if error.args else ""
    if not text or "\n" in text:
        return f"is not one sentence: {said}"
    return None
