"""What went wrong, in one sentence for the user."""


class CommandError(Exception):
    """A command cannot do what it was asked; the message is all the user needs to see."""
