"""A robot on its way, as options say it."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import firstcontact as fc
from firstcontact.cli.command_error import CommandError
from firstcontact.cli.options.motion_options import asked
from firstcontact.cli.options.robot_options import read_robot
from firstcontact.cli.texts.joint_path import read_path, spline_of


def moving_robot(file: Path, options: argparse.Namespace) -> tuple[fc.Robot, fc.Moving]:
    """Read a robot and its path, as one motion; one configuration is at rest."""
    if options.path is None:
        raise CommandError(f"{file} needs --path: the configurations that the robot goes through")
    robot = read_robot(file, options)
    path = read_path(options.path, robot, in_degrees=options.degrees)
    points, times = path.configurations, path.times
    if options.spline:
        return robot, asked(robot.along, spline_of(path))
    if len(points) == 1:
        return robot, robot.at(points[0])
    knots = None if times is None else np.interp(times, [times[0], times[-1]], [0.0, 1.0])
    return robot, asked(robot.along, points, knots)
