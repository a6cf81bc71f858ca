"""STEP files: surfaces of a CAD system, as triangles that cascadio makes of them."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from firstcontact.errors import MissingExtraError
from firstcontact.io.gltf import read_glb

# How far triangles may be from a surface, in the units of the file, and by how many radians they may turn.
LINEAR, ANGULAR = 0.01, 0.2

# In a process of its own: what it says goes to its own output, and what it cannot read can end no other.
SCRIPT = f"""
import sys, cascadio
sys.exit(cascadio.step_to_glb(sys.argv[1], sys.argv[2], tol_linear={LINEAR}, tol_angular={ANGULAR}))
"""


def read_step(path: Path) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Read all solids and surfaces of a STEP file, in meters; each face of it has vertices of its own."""
    with TemporaryDirectory() as folder:
        made = Path(folder) / "made.glb"
        command = [sys.executable, "-c", SCRIPT, str(path.absolute()), str(made)]
        done = subprocess.run(command, capture_output=True, check=False)
        if done.returncode != 0 or not made.exists():
            raise ValueError("it is no STEP file that cascadio can read")
        return read_glb(made)


def check_extra() -> None:
    """Raise a `MissingExtraError` where STEP files cannot be read."""
    if find_spec("cascadio") is None:
        raise MissingExtraError.of("cascadio", "cad")
