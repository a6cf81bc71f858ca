"""Files of machine code that are damaged: cut short, garbled, exchanged, emptied, gone, or not to be read.

What is tried: a folder of kept machine code, made once; each case damages a copy and asks a small question
in a process of its own. The referee is the answer, which is known; and each process ends well, with one
warning at most.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import firstcontact as fc

SECONDS_A_CASE = 120.0

WAYS = ("cut", "flip", "fill", "swap", "remove", "folder", "unreadable", "link to nowhere", "shared folder")

SCRIPT = """
import numpy as np
import firstcontact as fc
pose = np.eye(4)
pose[:3, 3] = [2.0, 4.0, 8.0]
print(fc.Sphere(1.0).at(pose).pose(1.0)[:3, 3].tolist())
"""

ANSWER = str([2.0, 4.0, 8.0])


def make(rng: np.random.Generator) -> dict[str, Any]:
    """Choose what happens to which files."""
    n = int(rng.integers(1, 5))
    damages = [
        {"way": str(rng.choice(WAYS)), "file": int(rng.integers(100)), "place": float(rng.random())}
        for _ in range(n)
    ]
    return {"damages": damages}


def check(case: dict[str, Any]) -> str | None:
    """Damage a copy, ask, and ask again: the second process finds what the first has mended."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder, "cache")
        shutil.copytree(_whole(), home)
        for damage in case["damages"]:
            _damage(home, damage)
        for turn in ("first", "second"):
            done = _asked(home)
            if done.returncode != 0 or done.stdout.strip() != ANSWER:
                return f"the {turn} process ends with {done.returncode}: {done.stdout} {done.stderr[-400:]}"
            if done.stderr.count("RuntimeWarning") > 1 or "Traceback" in done.stderr:
                return f"the {turn} process says {done.stderr[-400:]}"
    return None


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Leave one of the damages out."""
    damages = case["damages"]
    if len(damages) > 1:
        for i in range(len(damages)):
            yield {"damages": damages[:i] + damages[i + 1 :]}


@cache
def _whole() -> Path:
    """A folder of machine code as it should be, made once in a process."""
    folder = Path(tempfile.mkdtemp(prefix="firstcontact-fuzz-"))
    done = _asked(folder)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return folder


def _asked(home: Path) -> subprocess.CompletedProcess[str]:
    sources = str(Path(fc.__file__).parents[1])
    settings = {"NUMBA_CACHE_DIR": str(home), "PYTHONPATH": sources}
    return subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env=os.environ | settings,
        check=False,
        capture_output=True,
        text=True,
        timeout=SECONDS_A_CASE / 2,
    )


def _damage(home: Path, damage: dict[str, Any]) -> None:
    files = sorted(path for path in home.rglob("*") if path.is_file() and not path.is_symlink())
    if not files:
        return
    file, other = files[damage["file"] % len(files)], files[(damage["file"] + 1) % len(files)]
    content = bytearray(file.read_bytes())
    place = int(damage["place"] * max(len(content) - 1, 0))
    if damage["way"] == "cut":
        file.write_bytes(content[:place])
    elif damage["way"] == "flip" and content:
        content[place] ^= 1 << damage["file"] % 8
        file.write_bytes(content)
    elif damage["way"] == "fill":
        file.write_bytes(np.random.default_rng(damage["file"]).bytes(len(content)))
    elif damage["way"] == "swap":
        file.write_bytes(other.read_bytes())
        other.write_bytes(content)
    elif damage["way"] == "remove":
        file.unlink()
    elif damage["way"] == "folder":
        file.unlink()
        file.mkdir()
    elif damage["way"] == "unreadable":
        file.chmod(0)
    elif damage["way"] == "link to nowhere":
        file.unlink()
        file.symlink_to(home / "nowhere")
    elif damage["way"] == "shared folder":
        file.parent.chmod(0o777)
