"""What went wrong, in one sentence for the user."""

from typing import Self


class CommandError(Exception):
    """A command cannot do what it was asked; the message is all the user needs to see."""

    @classmethod
    def of(cls, error: Exception) -> Self:
        """Make a sentence of an error of the system's or of the library's, while something was read."""
        if isinstance(error, OSError) and error.strerror and error.filename is not None:
            return cls(f"{error.filename} cannot be read: {error.strerror}")
        return cls(" ".join(str(error).split()))
