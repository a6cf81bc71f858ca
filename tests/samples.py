"""How much is tried: a part of a sample in `make test`, all of it in `make test-long`."""

is_full = False  # set by `pytest --full`, before any test is loaded


def sample(part: int, of: int) -> int:
    """Say how many to try of so many. Tests of a file that asks are run by `make test-long`, too."""
    return of if is_full else part
