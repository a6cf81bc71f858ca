"""Poses as the command line spells them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import firstcontact as fc
from firstcontact.cli.command_error import CommandError
from firstcontact.cli.options.option_values import numbers
from firstcontact.cli.texts.number_file import read_text

EXPLAINED = """
A pose is a translation x,y,z; or a rotation, euler=rx,ry,rz in degrees (about the fixed axes x, then y, then
z, as roll, pitch and yaw) or quat=x,y,z,w; or both, in quotes: "0,0,1 euler=0,90,0". Or it is a 4x4 matrix,
as JSON text or in a .json file.
"""

_RULE = "must be x,y,z, euler=rx,ry,rz, quat=x,y,z,w, a 4x4 matrix as JSON, or a .json file"


def read_pose(option: str, text: str) -> NDArray[np.float64]:
    """Read a pose, (4, 4); what is wrong with it is told with the option's name."""
    if text.endswith(".json"):
        pose = _of_json(f"{option}: {text}", read_text(Path(text)))
    elif text.lstrip().startswith("["):
        pose = _of_json(option, text)
    else:
        pose = _of_words(option, text.split())
    try:
        return fc.Sphere(1.0).at(pose).pose(0.0)  # what is not rigid is told there
    except (TypeError, ValueError) as error:
        raise CommandError(f"{option}: {error}") from None


def _of_json(where: str, text: str) -> NDArray[Any]:
    try:
        matrix = np.asarray(json.loads(text))
    except (ValueError, RecursionError):
        raise CommandError(f"{where} is no matrix in JSON") from None
    if matrix.shape != (4, 4):
        raise CommandError(f"{where} must be a 4x4 matrix; received one of shape {matrix.shape}")
    return matrix


def _of_words(option: str, words: list[str]) -> NDArray[np.float64]:
    from scipy.spatial.transform import Rotation

    pose, seen = np.eye(4), []
    for word in words:
        kind, mark, values = word.partition("=")
        if kind == "euler" and mark:
            pose[:3, :3] = Rotation.from_euler(
                "xyz", numbers(f"{option} {kind}", values, 3), True
            ).as_matrix()
        elif kind == "quat" and mark:
            pose[:3, :3] = _turned(option, numbers(f"{option} {kind}", values, 4))
        elif not mark and "," in word:
            pose[:3, 3] = numbers(option, word, 3)
        else:
            raise CommandError(f"{option} {_RULE}; received {word[:60]!r}")
        seen.append("translation" if not mark else "rotation")
    if not words or len(set(seen)) < len(seen):
        fault = f"two of a {seen[0]}" if words else "nothing"
        raise CommandError(f"{option} {_RULE}; received {fault}")
    return pose


def _turned(option: str, quaternion: list[float]) -> NDArray[np.float64]:
    from scipy.spatial.transform import Rotation

    largest = max(map(abs, quaternion))
    if largest == 0.0:
        raise CommandError(f"{option}: a quaternion must not be zero")
    # Of any length; brought near 1 first, so that no square of it overflows or vanishes.
    matrix: NDArray[np.float64] = Rotation.from_quat(np.array(quaternion) / largest).as_matrix()
    return matrix
