import sys
from importlib import import_module
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"

# The modules of the report stand beside others that have the names of folders here, which they would hide:
# the folder is on the path while these are loaded, and no longer.
sys.path.append(str(BENCHMARKS))
for name in ("report", "remote", "section", "tables", "page", "excerpt"):
    import_module(name)
sys.path.remove(str(BENCHMARKS))


@pytest.fixture
def benchmarks_on_path(monkeypatch):
    """What another process needs to load them too."""
    monkeypatch.syspath_prepend(BENCHMARKS)
