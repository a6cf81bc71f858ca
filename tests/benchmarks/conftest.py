import sys
from importlib import import_module
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"

# The report stands beside folders that have the names of folders here, which they would hide: it is on the
# path while it is loaded, and no longer.
sys.path.append(str(BENCHMARKS))
for name in ("run", "remote", "section", "tables", "page", "excerpt"):
    import_module(f"report.{name}")
sys.path.remove(str(BENCHMARKS))


@pytest.fixture
def benchmarks_on_path(monkeypatch):
    """What another process needs to load them too."""
    monkeypatch.syspath_prepend(BENCHMARKS)
