from collections.abc import Callable
from itertools import zip_longest
from pathlib import Path

import pytest
from hypothesis import is_hypothesis_test, settings

import samples
from open_kernels import open_kernels
from samples import sample

open_kernels()  # nothing has loaded a kernel yet

LONGEST = ("test_documents.py", "test_main.py")

SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="try all of every sample, as `make test-long` does")


def pytest_configure(config: pytest.Config) -> None:
    """Decide how much is tried before any test is loaded."""
    samples.is_full = config.getoption("full")
    # The first example of a property may wait for the compiler: no deadlines.
    settings.register_profile("firstcontact", deadline=None, max_examples=sample(20, of=100))
    settings.load_profile("firstcontact")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what `make test-long` tries in full; where there are several workers, see that none waits long."""
    for item in items:
        asks = getattr(getattr(item, "module", None), "sample", None) is sample
        if asks or is_hypothesis_test(getattr(item, "obj", None)):
            item.add_marker("sampled")
    if hasattr(config, "workerinput"):
        place = places_in_turn([item.path for item in items])
        items.sort(key=lambda item: place[item.path])


def places_in_turn(paths: list[Path]) -> dict[Path, int]:
    """Order files for two workers that take them one by one.

    Neighbours in a folder need the same kernels, and would wait for each other's compiler: files of the first
    half and of the second come in turn. Those that take longest go first, lest one be left alone in the end.
    """
    files = list(dict.fromkeys(paths))
    halves = files[: len(files) // 2], files[len(files) // 2 :]
    in_turn = [path for pair in zip_longest(*halves) for path in pair if path is not None]
    in_turn.sort(key=lambda path: path.name not in LONGEST)
    return {path: place for place, path in enumerate(in_turn)}


@pytest.fixture(scope="session")
def shared_data() -> Callable[[str], Path]:
    """Find a file of the third-party data by its name, or skip the test by the missing path's name."""

    def find(name: str) -> Path:
        path = SHARED_DATA / name
        if not path.exists():
            pytest.skip(f"missing: {path}")
        return path

    return find
