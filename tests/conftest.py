from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from open_kernels import open_kernels

open_kernels()  # nothing has loaded a kernel yet

# The first example of a property may wait for the compiler: no deadlines.
settings.register_profile("firstcontact", deadline=None)
settings.load_profile("firstcontact")

# Files that take longest go first, so that no worker is left alone with one in the end.
LONGEST = ("test_documents.py", "test_main.py")

SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest files first; all else keeps its order."""
    items.sort(key=lambda item: item.path.name not in LONGEST)


@pytest.fixture(scope="session")
def shared_data() -> Callable[[str], Path]:
    """Find a file of the third-party data by its name, or skip the test by the missing path's name."""

    def find(name: str) -> Path:
        path = SHARED_DATA / name
        if not path.exists():
            pytest.skip(f"missing: {path}")
        return path

    return find
