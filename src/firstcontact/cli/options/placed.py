"""Things that a command places, each in a pose of its own."""

import argparse
from typing import Any

import numpy as np

from firstcontact.cli.options.motion_options import asked
from firstcontact.cli.texts.pose_text import read_pose
from firstcontact.cli.texts.shape_text import read_shape


def add_poses(parser: Any) -> None:
    """Let A and B be placed."""
    for name in ("a", "b"):
        parser.add_argument(
            f"--pose-{name}", metavar="POSE", help=f"pose of {name.upper()} (default: where its file has it)"
        )


def placed(options: argparse.Namespace, name: str) -> Any:
    """Read a thing, and place it."""
    pose = getattr(options, f"pose_{name}")
    place = np.eye(4) if pose is None else read_pose(f"--pose-{name}", pose)
    return asked(read_shape(getattr(options, name)).at, place)
