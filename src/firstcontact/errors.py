"""The exceptions a user can meet beyond Python's own."""

from typing import Self


class MeshFileError(ValueError):
    """A file that should hold a triangle mesh, points or strands does not."""


class RobotFileError(ValueError):
    """A file that should describe a robot does not, or a mesh that it names is missing or damaged."""


class FieldFileError(ValueError):
    """A file that should hold a distance field does not."""


class MissingExtraError(ImportError):
    """A feature was asked for whose optional dependency is not installed."""

    @classmethod
    def of(cls, module: str, extra: str) -> Self:
        """Make the error that says what to install to get `module`."""
        return cls(f"{module} is missing: `pip install 'firstcontact[{extra}]'` installs it", name=module)


def too_many(what: str, option: str, most: int) -> ValueError:
    """Make the error that says that a list would be longer than an option allows."""
    return ValueError(f"more than {most:,} {what}, as many as {option} allows; give a larger {option}")
