"""The name of a file, as a sentence tells it."""

from pathlib import Path


def file_name(file: Path) -> str:
    """The path of a file on one line, whatever characters it has."""
    return str(file) if str(file).isprintable() else ascii(str(file))
