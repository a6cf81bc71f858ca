"""Cold start is a feature with a budget, measured in CPU time, which a busy machine does not stretch much."""

import os
import subprocess
import sys

import pytest

IMPORT_BUDGET = 0.5
COLD_BUDGET = 15.0
WARM_BUDGET = 1.0

# What numpy and numba themselves cost to import is not ours to save, and differs between machines.
SCRIPT = """
import time
import numba, numpy as np
started = time.process_time()
import firstcontact as fc
start, end = np.random.default_rng(2).random((2, {size}, 4, 3))
fc.{query}(start, end)
print(time.process_time() - started)
"""


def cpu_seconds(script: str, **environment: str) -> float:
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | environment,
        check=True,
        capture_output=True,
        text=True,
    )
    return float(done.stdout)


def test_import():
    script = "import time; import firstcontact; print(time.process_time())"
    cpu_seconds(script)  # the first import may write byte code
    assert min(cpu_seconds(script) for _ in range(3)) < IMPORT_BUDGET


@pytest.mark.parametrize("query", ["vertex_face_ccd", "edge_edge_ccd"])
@pytest.mark.parametrize("size", [1, 20_000])
def test_first_query(tmp_path, query, size):
    script = SCRIPT.format(query=query, size=size)
    cache = str(tmp_path)
    assert cpu_seconds(script, NUMBA_CACHE_DIR=cache) < COLD_BUDGET
    assert min(cpu_seconds(script, NUMBA_CACHE_DIR=cache) for _ in range(3)) < WARM_BUDGET
