"""Where a benchmark ran: a figure means little without its machine and the load on it."""

import os
import platform
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import perf_counter
from typing import Any

_FIRST_QUERIES = """
import numpy as np, firstcontact as fc
start, end = np.random.default_rng(0).random((2, 100, 4, 3))
fc.vertex_face_ccd(start, end, exact=True)
fc.edge_edge_ccd(start, end, exact=True)
"""


def machine() -> dict[str, Any]:
    """Processor, versions, time of day and load, ready for a JSON file."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "load": _load(),
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        **{name: _version(name) for name in ("firstcontact", "numpy", "numba", "ipctk")},
    }


def described(facts: dict[str, Any]) -> str:
    """One line for the foot of a table."""
    load = " ".join(f"{value:.2f}" for value in facts["load"]) or "unknown"
    names = [f"{name} {facts[name]}" for name in ("python", "numpy", "numba", "ipctk") if facts[name]]
    return f"{facts['processor']}, {facts['cores']} cores; {', '.join(names)}; load averages {load}"


def cold_start() -> tuple[float, float]:
    """Seconds to import the library and ask both kinds of query, with no machine code on disk and with it."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
        seconds = []
        for _ in range(2):
            began = perf_counter()
            subprocess.run([sys.executable, "-c", _FIRST_QUERIES], env=environment, check=True)
            seconds.append(perf_counter() - began)
    return seconds[0], seconds[1]


def _processor() -> str:
    """The processor's name, where the system tells it."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def _load() -> list[float]:
    """Load averages over 1, 5 and 15 minutes; empty where the system has none."""
    return [round(value, 2) for value in os.getloadavg()] if hasattr(os, "getloadavg") else []


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
