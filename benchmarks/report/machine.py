"""Where a benchmark ran: a figure means little without its machine and the load on it."""

import os
import platform
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import firstcontact

PACKAGES = ("numpy", "numba", "scipy", "trimesh", "matplotlib", "pycollada")
PEERS = ("ipctk", "python-fcl", "coal", "rapier3d", "mujoco", "embreex", "pybullet", "pin")
PEERS += ("fcpw", "warp-lang", "libigl", "point-cloud-utils", "open3d", "edt", "scikit-fmm", "shapely")


def machine() -> dict[str, Any]:
    """Processor, memory, versions, time of day and load, ready for a JSON file."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory": _memory(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "load": load(),
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "packages": {"firstcontact": firstcontact.__version__} | versions(PACKAGES),
        "peers": versions(PEERS),
    }


def described(facts: dict[str, Any]) -> str:
    """One line for the foot of a picture."""
    names = [f"{name} {facts['packages'][name]}" for name in ("numpy", "numba")]
    where = f"{facts['processor']}, {facts['cores']} cores; Python {facts['python']}, {', '.join(names)}"
    return f"{where}; {facts['time'][:10]}"


def load() -> list[float]:
    """Load averages over 1, 5 and 15 minutes; empty where the system has none."""
    return [round(value, 2) for value in os.getloadavg()] if hasattr(os, "getloadavg") else []


def versions(packages: tuple[str, ...]) -> dict[str, str | None]:
    """The installed versions; None for a package that is missing."""
    return {package: _version(package) for package in packages}


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _processor() -> str:
    """The processor's name, where the system tells it."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def _memory() -> str:
    """All of it, where the system tells."""
    if "SC_PHYS_PAGES" not in getattr(os, "sysconf_names", {}):
        return "unknown"
    return f"{os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') / 1e9:.1f} GB"
